import type { LanguageModel } from 'ai'
import type { Log } from '../log.ts'
import { BUILTIN_MODEL_NAME } from './builtin/reports.ts'
import { ModelFailure, type Model } from './model.ts'
import type { ProviderConnection } from './sdk/provider-connection.ts'
import type { ModelStateAcrossRequests } from './sdk/sdk-model.ts'

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

const ADDRESS_SETTING = 'HANSARD_AI_BASE_URL'

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

/** The model for prompts that name none, or null when only the built-in reports are available. */
export function findDefaultModelName({ model }: Pick<ModelSettings, 'model'>): string | null {
  return model === undefined || model === BUILTIN_MODEL_NAME ? null : model
}

/** Says which setting a model lacks, without asking its provider. Null when none is missing. */
export function findModelConfigProblem(settings: ModelSettings, name: string): string | null {
  const provider = parseProviderName(name)
  if (provider === null) return `Unknown provider: ${name.split('/')[0] ?? ''}`
  const { keySetting, needsKey } = PROVIDERS[provider]
  if (needsKey && findApiKey(settings, provider) === '') {
    return `No API key for ${provider}: set ${keySetting}`
  }
  return needsKey || settings.baseUrl !== undefined
    ? null
    : `No server address for ${provider}: set ${ADDRESS_SETTING}`
}

export function createModelFinder(settings: ModelSettings, log: Log): ModelFinder {
  const defaultProvider = parseProviderName(settings.model ?? '')
  const memories = new Map<string, ModelStateAcrossRequests>()
  return {
    defaultName: findDefaultModelName(settings),
    async find(name) {
      const provider = parseProviderName(name)
      const problem = findModelConfigProblem(settings, name)
      if (provider === null || problem !== null) throw new ModelFailure(problem ?? name, false)
      const { keySetting, load }: Provider = PROVIDERS[provider]
      const apiKey = findApiKey(settings, provider)
      const usesBaseUrl = provider === 'openai-compatible' || provider === defaultProvider
      const baseUrl = usesBaseUrl ? settings.baseUrl : undefined
      const [{ createLanguageModel }, { createSdkModel, createModelStateAcrossRequests }] =
        await Promise.all([load(), import('./sdk/sdk-model.ts')])
      const memory = memories.get(name) ?? createModelStateAcrossRequests()
      memories.set(name, memory)
      const connection = { model: name.slice(provider.length + 1), apiKey, baseUrl }
      const setting = settings.keys[provider] === undefined ? 'HANSARD_AI_API_KEY' : keySetting
      return createSdkModel({
        name,
        languageModel: createLanguageModel(connection),
        secret: apiKey === '' ? null : { value: apiKey, settingName: setting },
        addressSetting: baseUrl === undefined ? null : ADDRESS_SETTING,
        memory,
        log,
      })
    },
  }
}

function findApiKey({ keys, apiKey }: ModelSettings, provider: ProviderName): string {
  return keys[provider] ?? apiKey ?? ''
}

function parseProviderName(name: string): ProviderName | null {
  const provider = name.slice(0, Math.max(0, name.indexOf('/')))
  return Object.hasOwn(PROVIDERS, provider) ? (provider as ProviderName) : null
}
