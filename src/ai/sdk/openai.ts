import { createOpenAI } from '@ai-sdk/openai'
import type { ProviderConnection } from './provider-connection.ts'

export function createLanguageModel({ model, apiKey, baseUrl }: ProviderConnection) {
  return createOpenAI({ apiKey, ...(baseUrl !== undefined && { baseURL: baseUrl }) })(model)
}
