import { createGoogleGenerativeAI } from '@ai-sdk/google'
import type { Connection } from './providers.ts'

export function connect({ model, apiKey, baseUrl }: Connection) {
  return createGoogleGenerativeAI({ apiKey, ...(baseUrl !== undefined && { baseURL: baseUrl }) })(
    model,
  )
}
