import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ModelFailure } from '../model.ts'
import { toSdkOptions, type ProviderConnection } from './provider-connection.ts'

/** Connects to any server with an OpenAI-compatible API, such as llama.cpp, Ollama, vLLM and many providers. */
export function createLanguageModel(connection: ProviderConnection) {
  const { model, baseUrl } = connection
  if (baseUrl === undefined) {
    throw new ModelFailure(
      'No server address for openai-compatible: set HANSARD_AI_BASE_URL',
      false,
    )
  }
  const provider = createOpenAICompatible({
    ...toSdkOptions(connection),
    name: 'openai-compatible',
    baseURL: baseUrl,
    // Without this option, these servers do not report token usage for streamed answers.
    includeUsage: true,
    // If a server refuses a schema, it is asked again without one.
    supportsStructuredOutputs: true,
  })
  return provider(model)
}
