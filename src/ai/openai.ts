import { createOpenAI } from '@ai-sdk/openai'
import type { Connection } from './providers.ts'

export function connect({ model, apiKey, baseUrl }: Connection) {
  return createOpenAI({ apiKey, ...(baseUrl !== undefined && { baseURL: baseUrl }) })(model)
}
