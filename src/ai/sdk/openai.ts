import { createOpenAI } from '@ai-sdk/openai'
import { toSdkOptions, type ProviderConnection } from './provider-connection.ts'

export function createLanguageModel(connection: ProviderConnection) {
  return createOpenAI(toSdkOptions(connection))(connection.model)
}
