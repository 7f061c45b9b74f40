import { createGoogleGenerativeAI } from '@ai-sdk/google'
import { toSdkOptions, type ProviderConnection } from './provider-connection.ts'

export function createLanguageModel(connection: ProviderConnection) {
  return createGoogleGenerativeAI(toSdkOptions(connection))(connection.model)
}
