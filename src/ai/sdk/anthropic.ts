import { createAnthropic } from '@ai-sdk/anthropic'
import type { ProviderConnection } from './provider-connection.ts'

export function createLanguageModel({ model, apiKey, baseUrl }: ProviderConnection) {
  return createAnthropic({ apiKey, ...(baseUrl !== undefined && { baseURL: baseUrl }) })(model)
}
