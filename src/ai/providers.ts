import type { LanguageModel } from 'ai'
import { BUILTIN_MODEL } from './builtin/reports.ts'
import { ModelFailure, type Model } from './model.ts'

export type ProviderConnection = { model: string; apiKey: string; baseUrl: string | undefined }

type Provider = {
  /** The setting with the key; HANSARD_AI_API_KEY stands in for it. */
  keySetting: string
  needsKey: boolean
  /** Loaded when it is first used: most instances use one of them, or none. */
  load(): Promise<{ connect(connection: ProviderConnection): LanguageModel }>
}

export const PROVIDERS = {
  anthropic: {
    keySetting: 'ANTHROPIC_API_KEY',
    needsKey: true,
    load: () => import('./anthropic.ts'),
  },
  openai: { keySetting: 'OPENAI_API_KEY', needsKey: true, load: () => import('./openai.ts') },
  google: {
    keySetting: 'GOOGLE_GENERATIVE_AI_API_KEY',
    needsKey: true,
    load: () => import('./google.ts'),
  },
  'openai-compatible': {
    keySetting: 'HANSARD_AI_API_KEY',
    needsKey: false,
    load: () => import('./openai-compatible.ts'),
  },
} as const satisfies Record<string, Provider>

export type ProviderName = keyof typeof PROVIDERS

export type ModelSettings = {
  /** `provider/model`; undefined: none is configured. */
  model: string | undefined
  keys: Readonly<Partial<Record<ProviderName, string | undefined>>>
  /** For whichever provider has no key of its own. */
  apiKey: string | undefined
  /** Of openai-compatible, and of the provider of the configured model. */
  baseUrl: string | undefined
}

/** The models of this instance. */
export interface Models {
  /** What runs where a prompt names no model; null: the built-in rules alone. */
  readonly defaultName: string | null
  /** Throws a ModelFailure that names the setting. */
  find(name: string): Promise<Model>
}

export type ProviderState = { name: ProviderName; isConfigured: boolean; keySetting: string }

/** Which providers could be asked: those with a key, or with an address where no key is needed. */
export function listProviders({ keys, apiKey, baseUrl }: ModelSettings): ProviderState[] {
  return Object.entries(PROVIDERS).map(([name, { keySetting, needsKey }]) => {
    const provider = name as ProviderName
    const hasKey = (keys[provider] ?? apiKey ?? '') !== ''
    return { name: provider, isConfigured: needsKey ? hasKey : baseUrl !== undefined, keySetting }
  })
}

export function createModels(settings: ModelSettings): Models {
  const defaultProvider = parseProviderName(settings.model ?? '')
  return {
    defaultName:
      settings.model === undefined || settings.model === BUILTIN_MODEL ? null : settings.model,
    async find(name) {
      const provider = parseProviderName(name)
      if (provider === null) {
        throw new ModelFailure(`No such provider: ${name.split('/')[0] ?? ''}`, false)
      }
      const { keySetting, needsKey, load }: Provider = PROVIDERS[provider]
      const ownKey = settings.keys[provider]
      const apiKey = ownKey ?? settings.apiKey ?? ''
      if (apiKey === '' && needsKey) {
        throw new ModelFailure(`No key for ${provider}: set ${keySetting}`, false)
      }
      const takesUrl = provider === 'openai-compatible' || provider === defaultProvider
      const [{ connect }, { createSdkModel }] = await Promise.all([
        load(),
        import('./sdk-model.ts'),
      ])
      const connection = {
        model: name.slice(provider.length + 1),
        apiKey,
        baseUrl: takesUrl ? settings.baseUrl : undefined,
      }
      const setting = ownKey === undefined ? 'HANSARD_AI_API_KEY' : keySetting
      const secret = apiKey === '' ? null : { value: apiKey, setting }
      return createSdkModel(name, connect(connection), secret)
    },
  }
}

function parseProviderName(name: string): ProviderName | null {
  const provider = name.slice(0, Math.max(0, name.indexOf('/')))
  return Object.hasOwn(PROVIDERS, provider) ? (provider as ProviderName) : null
}
