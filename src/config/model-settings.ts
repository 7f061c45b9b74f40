import type { ModelSettings } from '../ai/providers.ts'
import type { Config } from './config.ts'

/** The settings that choose and authenticate language models. */
export function toModelSettings(config: Config): ModelSettings {
  return {
    model: config.aiModel,
    keys: {
      anthropic: config.anthropicApiKey,
      openai: config.openaiApiKey,
      google: config.googleApiKey,
    },
    apiKey: config.aiApiKey,
    baseUrl: config.aiBaseUrl,
  }
}
