import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { ModelFailure } from './model.ts'
import type { ProviderConnection } from './providers.ts'

/** Any server that speaks the protocol: llama.cpp, Ollama, vLLM and many providers. */
export function connect({ model, apiKey, baseUrl }: ProviderConnection) {
  if (baseUrl === undefined) {
    throw new ModelFailure('No server for openai-compatible: set HANSARD_AI_BASE_URL', false)
  }
  const provider = createOpenAICompatible({
    name: 'openai-compatible',
    baseURL: baseUrl,
    // Without it such servers count nothing while they stream.
    includeUsage: true,
    ...(apiKey !== '' && { apiKey }),
  })
  return provider(model)
}
