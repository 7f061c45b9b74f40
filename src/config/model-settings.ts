import {
  parseProviderName,
  PROVIDERS,
  type ModelSettings,
  type ProviderKey,
  type ProviderName,
} from '../ai/providers.ts'
import type { Config } from './config.ts'

/** The settings that authenticate the language models that the operator chooses. */
export function toModelSettings(config: Config): ModelSettings {
  const { aiModel, aiBaseUrl, aiApiKey } = config
  const gateways = new Set(['openai-compatible', parseProviderName(aiModel ?? '')])
  const ownKeys = {
    anthropic: config.anthropicApiKey,
    openai: config.openaiApiKey,
    google: config.googleApiKey,
    'openai-compatible': undefined,
  }
  const keys: Partial<Record<ProviderName, ProviderKey>> = {}
  const baseUrls: Partial<Record<ProviderName, string>> = {}
  for (const provider of Object.keys(PROVIDERS) as ProviderName[]) {
    const ownKey = ownKeys[provider]
    // HANSARD_AI_API_KEY and HANSARD_AI_BASE_URL are one account at one address, so no other provider gets them.
    const isGateway = gateways.has(provider)
    if (isGateway && aiBaseUrl !== undefined) baseUrls[provider] = aiBaseUrl
    if (ownKey !== undefined)
      keys[provider] = { value: ownKey, settingName: PROVIDERS[provider].keySetting }
    else if (isGateway && aiApiKey !== undefined)
      keys[provider] = { value: aiApiKey, settingName: 'HANSARD_AI_API_KEY' }
  }
  return { model: aiModel, keys, baseUrls }
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
