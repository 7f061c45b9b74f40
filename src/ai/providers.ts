import type { LanguageModel } from 'ai'
import type { Log } from '../log.ts'
import { ModelFailure, type Model } from './model.ts'
import type { ProviderConnection } from './sdk/provider-connection.ts'
import type { ModelStateAcrossRequests } from './sdk/sdk-model.ts'

/** What a task uses that has no language model: reports by rules. */
export const BUILTIN_MODEL_NAME = 'builtin/rules-1'

type Provider = {
  /** The setting with the provider's API key. */
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
  /** `provider/model`; undefined if no model is configured. */
  model: string | undefined
  /** The models that can be found besides `model`, as `provider/model` or `provider/*`. Undefined means all. */
  allowed?: readonly string[] | undefined
  keys: Readonly<Partial<Record<ProviderName, string | undefined>>>
  /** The key for `baseUrl`, and for the provider of `model` if that has no entry in `keys`. */
  apiKey: string | undefined
  /** The server address of `openai-compatible` and of the provider of `model`. */
  baseUrl: string | undefined
}

/** Finds the language models that this instance may use. */
export interface ModelFinder {
  /** The model for prompts that name none. Null if only built-in reports are available. */
  readonly defaultName: string | null
  /**
   * Finds a model by its `provider/model` name. Throws a `ModelFailure` if the provider is unknown or the model is not
   * allowed. If the API key is missing, the failure names its setting.
   */
  find(name: string): Promise<Model>
}

export type ProviderConfigStatus = { name: ProviderName; isConfigured: boolean; keySetting: string }

/** All providers. A provider is configured if it has a key or, if it needs no key, a server address. */
export function listProviderConfigStatuses(settings: ModelSettings): ProviderConfigStatus[] {
  return Object.entries(PROVIDERS).map(([name, { keySetting, needsKey }]) => {
    const provider = name as ProviderName
    const { key, baseUrl } = findConnection(settings, provider)
    return { name: provider, isConfigured: (needsKey ? key : baseUrl) !== undefined, keySetting }
  })
}

/** The model for prompts that name none; null if only built-in reports are available. */
export function findDefaultModelName({ model }: Pick<ModelSettings, 'model'>): string | null {
  return model === undefined || model === BUILTIN_MODEL_NAME ? null : model
}

/** Returns why a model cannot be used with these settings; null if it can. Does not ask the provider. */
export function findModelConfigProblem(settings: ModelSettings, name: string): string | null {
  const provider = parseProviderName(name)
  if (provider === null) return `Unknown provider: ${name.split('/')[0] ?? ''}`
  if (!isAllowed(settings, name, provider)) {
    return `Prompts cannot use ${name}: choose a model that HANSARD_AI_MODELS lists`
  }
  const { keySetting, needsKey } = PROVIDERS[provider]
  const { key, baseUrl } = findConnection(settings, provider)
  if (needsKey && key === undefined) {
    return `No API key for ${provider}: set ${keySetting}`
  }
  return needsKey || baseUrl !== undefined
    ? null
    : `No server address for ${provider}: set ${ADDRESS_SETTING}`
}

function isAllowed({ model, allowed }: ModelSettings, name: string, provider: string): boolean {
  if (allowed === undefined || name === model) return true
  return allowed.includes(name) || allowed.includes(`${provider}/*`)
}

export function createModelFinder(settings: ModelSettings, log: Log): ModelFinder {
  const memories = new Map<string, ModelStateAcrossRequests>()
  return {
    defaultName: findDefaultModelName(settings),
    async find(name) {
      const provider = parseProviderName(name)
      const problem = findModelConfigProblem(settings, name)
      if (provider === null || problem !== null) throw new ModelFailure(problem ?? name, false)
      const { load }: Provider = PROVIDERS[provider]
      const { key, baseUrl } = findConnection(settings, provider)
      const [{ createLanguageModel }, { createSdkModel, createModelStateAcrossRequests }] =
        await Promise.all([load(), import('./sdk/sdk-model.ts')])
      const memory = memories.get(name) ?? createModelStateAcrossRequests()
      memories.set(name, memory)
      const model = name.slice(provider.length + 1)
      const connection = { model, apiKey: key?.value ?? '', baseUrl }
      return createSdkModel({
        name,
        languageModel: createLanguageModel(connection),
        secret: key ?? null,
        addressSetting: baseUrl === undefined ? null : ADDRESS_SETTING,
        memory,
        log,
      })
    },
  }
}

function parseProviderName(name: string): ProviderName | null {
  const provider = name.slice(0, Math.max(0, name.indexOf('/')))
  return Object.hasOwn(PROVIDERS, provider) ? (provider as ProviderName) : null
}

/** The key that is sent to a provider, and the provider's address. */
export function findConnection(
  { model, keys, apiKey, baseUrl }: ModelSettings,
  provider: ProviderName,
): { key?: { value: string; settingName: string }; baseUrl?: string | undefined } {
  const ownKey = keys[provider]
  const own = ownKey && { key: { value: ownKey, settingName: PROVIDERS[provider].keySetting } }
  // The shared key and address are the operator's account at one provider, so no other provider gets them.
  if (provider !== 'openai-compatible' && provider !== parseProviderName(model ?? ''))
    return { ...own }
  const shared = apiKey && { key: { value: apiKey, settingName: 'HANSARD_AI_API_KEY' } }
  return { ...shared, ...own, baseUrl }
}
