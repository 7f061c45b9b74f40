import { createAnthropic } from '@ai-sdk/anthropic'
import type { Connection } from './providers.ts'

export function connect({ model, apiKey, baseUrl }: Connection) {
  return createAnthropic({ apiKey, ...(baseUrl !== undefined && { baseURL: baseUrl }) })(model)
}
