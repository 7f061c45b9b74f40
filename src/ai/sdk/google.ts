import { createGoogleGenerativeAI } from '@ai-sdk/google'
import type { ProviderConnection } from './provider-connection.ts'

export function createLanguageModel({ model, apiKey, baseUrl }: ProviderConnection) {
  return createGoogleGenerativeAI({ apiKey, ...(baseUrl !== undefined && { baseURL: baseUrl }) })(
    model,
  )
}
