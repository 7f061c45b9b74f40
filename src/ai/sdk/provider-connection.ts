/** What a provider file needs to create its language model. */
export type ProviderConnection = { model: string; apiKey: string; baseUrl: string | undefined }
