/** What is needed to create a provider's language model. */
export type ProviderConnection = { model: string; apiKey: string; baseUrl: string | undefined }

/** The options that all providers of the SDK have. */
export function toSdkOptions({ apiKey, baseUrl }: ProviderConnection) {
  return {
    // An empty key would be sent as a key.
    ...(apiKey !== '' && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch: fetchWithoutRedirects,
  }
}

/** A redirect to another server would send it the API key and the prompt. */
const fetchWithoutRedirects: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: 'manual' })
