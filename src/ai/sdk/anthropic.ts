import { createAnthropic } from '@ai-sdk/anthropic'
import { toSdkOptions, type ProviderConnection } from './provider-connection.ts'

export function createLanguageModel(connection: ProviderConnection) {
  return createAnthropic(toSdkOptions(connection))(connection.model)
}
