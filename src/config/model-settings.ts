import type { ModelSettings } from '../ai/providers.ts'
import type { Config } from './config.ts'

/** The settings that authenticate the language models that the operator chooses. */
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

/** The settings of the language models that the authors of prompts choose. */
export function toPromptModelSettings(config: Config): ModelSettings {
  return { ...toModelSettings(config), allowed: config.aiModels }
}

/** The model that makes recaps. Null when they are made by rules only. */
export function findRecapModelName({ aiRecapModel, aiModel }: Config): string | null {
  return toLanguageModelName(aiRecapModel === undefined ? aiModel : aiRecapModel)
}

/** The model that answers questions. Null when they are answered with passages only. */
export function findAskModelName({ aiAskModel, aiModel }: Config): string | null {
  return toLanguageModelName(aiAskModel === undefined ? aiModel : aiAskModel)
}

function toLanguageModelName(name: string | null | undefined): string | null {
  return name === undefined || name === null || name.startsWith('builtin/') ? null : name
}
