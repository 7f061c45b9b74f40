import type { LanguageModel } from 'ai'
import { BUILTIN_MODEL_NAME } from './builtin/reports.ts'
import { ModelFailure, type Model } from './model.ts'
import type { ProviderConnection } from './sdk/provider-connection.ts'

type Provider = {
  /** The setting with the provider's API key. HANSARD_AI_API_KEY is used when it is not set. */
  keySetting: string
  needsKey: boolean
  /** Imports the provider's file on first use, because most instances use one provider or none. */
  load(): Promise<{ createLanguageModel(connection: ProviderConnection): LanguageModel }>
}

export const PROVIDERS = {
  anthropic: {
    keySetting: 'ANTHROPIC_API_KEY',
    needsKey: true,
    load: () => import('./sdk/anthropic.ts'),
  },
  openai: { keySetting: 'OPENAI_API_KEY', needsKey: true, load: () => import('./sdk/openai.ts') },
  google: {
    keySetting: 'GOOGLE_GENERATIVE_AI_API_KEY',
    needsKey: true,
    load: () => import('./sdk/google.ts'),
  },
  'openai-compatible': {
    keySetting: 'HANSARD_AI_API_KEY',
    needsKey: false,
    load: () => import('./sdk/openai-compatible.ts'),
  },
} as const satisfies Record<string, Provider>

export type ProviderName = keyof typeof PROVIDERS

export type ModelSettings = {
  /** `provider/model`, or undefined when no model is configured. */
  model: string | undefined
  keys: Readonly<Partial<Record<ProviderName, string | undefined>>>
  /** The key for every provider that has no entry in `keys`. */
  apiKey: string | undefined
  /** The server address for `openai-compatible` and for the provider of the configured model. */
  baseUrl: string | undefined
}

/** Finds the language models that this instance is configured to use. */
export interface ModelFinder {
  /** The model for prompts that name none. Null when only the built-in reports are available. */
  readonly defaultName: string | null
  /**
   * Finds a model by its `provider/model` name. Throws a ModelFailure for an unknown provider, or one that names the
   * setting of a missing API key.
   */
  find(name: string): Promise<Model>
}

export type ProviderConfigStatus = { name: ProviderName; isConfigured: boolean; keySetting: string }

/** All providers. One is configured when it has a key or, if it needs no key, a server address. */
export function listProviderConfigStatuses({
  keys,
  apiKey,
  baseUrl,
}: ModelSettings): ProviderConfigStatus[] {
  return Object.entries(PROVIDERS).map(([name, { keySetting, needsKey }]) => {
    const provider = name as ProviderName
    const hasKey = (keys[provider] ?? apiKey ?? '') !== ''
    return { name: provider, isConfigured: needsKey ? hasKey : baseUrl !== undefined, keySetting }
  })
}

export function createModelFinder(settings: ModelSettings): ModelFinder {
  const defaultProvider = parseProviderName(settings.model ?? '')
  return {
    defaultName:
      settings.model === undefined || settings.model === BUILTIN_MODEL_NAME ? null : settings.model,
    async find(name) {
      const provider = parseProviderName(name)
      if (provider === null) {
        throw new ModelFailure(`Unknown provider: ${name.split('/')[0] ?? ''}`, false)
      }
      const { keySetting, needsKey, load }: Provider = PROVIDERS[provider]
      const ownKey = settings.keys[provider]
      const apiKey = ownKey ?? settings.apiKey ?? ''
      if (apiKey === '' && needsKey) {
        throw new ModelFailure(`No API key for ${provider}: set ${keySetting}`, false)
      }
      const usesBaseUrl = provider === 'openai-compatible' || provider === defaultProvider
      const [{ createLanguageModel }, { createSdkModel }] = await Promise.all([
        load(),
        import('./sdk/sdk-model.ts'),
      ])
      const connection = {
        model: name.slice(provider.length + 1),
        apiKey,
        baseUrl: usesBaseUrl ? settings.baseUrl : undefined,
      }
      const setting = ownKey === undefined ? 'HANSARD_AI_API_KEY' : keySetting
      const secret = apiKey === '' ? null : { value: apiKey, setting }
      return createSdkModel(name, createLanguageModel(connection), secret)
    },
  }
}

function parseProviderName(name: string): ProviderName | null {
  const provider = name.slice(0, Math.max(0, name.indexOf('/')))
  return Object.hasOwn(PROVIDERS, provider) ? (provider as ProviderName) : null
}
