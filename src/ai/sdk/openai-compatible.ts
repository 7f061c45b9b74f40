import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ModelFailure } from '../model.ts'
import type { ProviderConnection } from './provider-connection.ts'

/** Connects to any server with an OpenAI-compatible API, such as llama.cpp, Ollama, vLLM and many providers. */
export function createLanguageModel({ model, apiKey, baseUrl }: ProviderConnection) {
  if (baseUrl === undefined) {
    throw new ModelFailure(
      'No server address for openai-compatible: set HANSARD_AI_BASE_URL',
      false,
    )
  }
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: baseUrl,
    // Without this option these servers report no token usage for streamed answers.
    includeUsage: true,
    // A server that refuses a schema is asked again without it.
    supportsStructuredOutputs: true,
    ...(apiKey !== '' && { apiKey }),
  })
  return provider(model)
}
