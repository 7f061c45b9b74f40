/** What a provider file needs to create its language model. */
export type ProviderConnection = { model: string; apiKey: string; baseUrl: string | undefined }

/** The options that all providers of the SDK have. */
export function toSdkOptions({ apiKey, baseUrl }: ProviderConnection) {
  return {
    // An empty key would be sent as one.
    ...(apiKey !== '' && { apiKey }),
    ...(baseUrl !== undefined && { baseURL: baseUrl }),
    fetch: fetchWithoutRedirects,
  }
}

/** A redirect to another server would send it the API key and the prompt. */
const fetchWithoutRedirects: typeof fetch = (input, init) =>
  fetch(input, { ...init, redirect: 'manual' })
