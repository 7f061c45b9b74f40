import { resolve } from 'node:path'
import type { z } from 'zod'
import type { ModelSettings } from '../ai/providers.ts'
import { PermanentError } from '../lib/operator-error.ts'
import { isLoopbackHost } from '../lib/net/ip-addresses.ts'
import { findNearestName } from '../lib/text/nearest-name.ts'
import { findSpeechSettingProblems } from './bot-settings.ts'
import { findMailSettingProblems } from './mail-settings.ts'
import { SETTINGS, type SettingDefinition, type SettingName } from './settings.ts'
import { findSignInSettingProblems } from './sign-in-settings.ts'

const ENV_PREFIX = 'HANSARD_'

/** Client programs read these variables. On a developer's machine they share the environment with the service. */
const CLIENT_VARIABLES = ['HANSARD_API_KEY', 'HANSARD_SIGNING_SECRET', 'HANSARD_URL']

type SettingRows = typeof SETTINGS
type SettingValue<N extends SettingName> =
  | z.output<SettingRows[N]['schema']>
  | (SettingRows[N] extends { default: string } ? never : undefined)

export type Config = { readonly [N in SettingName]: SettingValue<N> } & {
  /** The source of each value, for `hansard config`. */
  readonly sources: Readonly<Record<SettingName, 'environment' | 'file' | 'default' | 'not set'>>
}

export type ConfigInput = {
  env: Readonly<Record<string, string | undefined>>
  /** The values of the optional `.env` file. The environment overrides them. */
  file?: Readonly<Record<string, string>>
  /** The folder that relative paths start from. */
  root: string
  /** The data folder if no setting names one. Replaces the default in the table of settings. */
  defaultData?: string | undefined
}

/** Parses the settings without side effects. Returns a frozen object, or throws one ConfigError with every problem. */
export function parseConfig({ env, file = {}, root, defaultData }: ConfigInput): Config {
  const problems = [
    ...unknownNameProblems(env, 'the environment'),
    ...unknownNameProblems(file, 'the file'),
  ]
  const values: Record<string, unknown> = {}
  const sources: Record<string, string> = {}

  for (const [name, setting] of Object.entries<SettingDefinition>(SETTINGS)) {
    const [raw, source] = pickValue(setting, env, file)
    sources[name] = source
    const parsed = raw === undefined ? undefined : setting.schema.safeParse(raw)
    if (parsed && !parsed.success) problems.push(describeInvalidValue(setting, raw, parsed.error))
    values[name] = parsed?.data
  }
  if ((values['adminEmail'] === undefined) !== (values['adminPasswordFile'] === undefined)) {
    problems.push('HANSARD_ADMIN_EMAIL and HANSARD_ADMIN_PASSWORD_FILE go together')
  }
  problems.push(
    ...roleProblems(values),
    ...teamsProblems(values),
    ...galeneProblems(values),
    ...livekitProblems(values),
    ...zoomProblems(values),
    ...retentionProblems(values),
    ...findSignInSettingProblems(values),
    ...findSpeechSettingProblems(values),
    ...findMailSettingProblems(values),
  )
  if (problems.length > 0) throw new ConfigError(problems)

  const data = sources['data'] === 'default' ? defaultData : undefined
  values['data'] = resolve(root, data ?? String(values['data']))
  return Object.freeze({ ...values, sources: Object.freeze(sources) }) as unknown as Config
}

/** An event must outlive its last delivery attempt, so that people can still read and replay it. */
function retentionProblems({ eventDays, callbackGiveUpHours: hours }: Record<string, unknown>) {
  if (typeof eventDays !== 'number' || typeof hours !== 'number' || eventDays * 24 >= hours)
    return []
  return ['HANSARD_EVENT_DAYS is shorter than HANSARD_CALLBACK_GIVE_UP_HOURS']
}

/** With an https public URL, a proxy terminates TLS. If it is not trusted, all clients have the proxy's IP address. */
export function isTrustProxySettingMissing({ publicUrl, trustProxy }: Config): boolean {
  return publicUrl?.startsWith('https:') === true && trustProxy === undefined
}

/** If others can reach the service, its members must not reach internal addresses through it. */
export function callbackPolicyOf({ callbackPolicy, host }: Config) {
  return callbackPolicy ?? (isLoopbackHost(host) ? 'private-ok' : 'public-only')
}

/** True if only people on this machine use the service. They can read internal pages without it. */
export function showsPrivateAnswers({ host, publicUrl }: Config): boolean {
  return isLoopbackHost(host) && publicUrl === undefined
}

/** Only a node that does nothing but attend meetings can work without the master key. */
export function needsMasterKey({ roles }: Config): boolean {
  return roles.includes('api') || roles.includes('tasks')
}

/** True if documents need space in the data folder, because they are not in an external database. */
export function needsDiskSpace({ documents, databaseUrl }: Config): boolean {
  return documents === 'folder' || databaseUrl === undefined
}

/** Only one process can use the embedded database, so that process has to do everything. */
function roleProblems({ roles, databaseUrl }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(roles) || roles.length === 3 || databaseUrl !== undefined) return []
  return [
    'HANSARD_ROLES names some of the roles, which needs an external PostgreSQL: set DATABASE_URL',
  ]
}

function teamsProblems(values: Readonly<Record<string, unknown>>): string[] {
  const isGiven = (name: SettingName) => values[name] !== undefined
  const secrets = [isGiven('teamsClientSecret'), isGiven('teamsClientSecretFile')]
  if (secrets.every(Boolean))
    return ['HANSARD_TEAMS_CLIENT_SECRET and HANSARD_TEAMS_CLIENT_SECRET_FILE exclude each other']
  const given = [isGiven('teamsTenant'), isGiven('teamsClientId'), secrets.some(Boolean)]
  if (given.every(Boolean) || !given.some(Boolean)) return []
  return ['HANSARD_TEAMS_TENANT, HANSARD_TEAMS_CLIENT_ID and the client secret go together']
}

function galeneProblems({ galenePassword, galenePasswordFile }: Readonly<Record<string, unknown>>) {
  if (galenePassword === undefined || galenePasswordFile === undefined) return []
  return ['HANSARD_GALENE_PASSWORD and HANSARD_GALENE_PASSWORD_FILE exclude each other']
}

function livekitProblems(values: Readonly<Record<string, unknown>>): string[] {
  const { livekitApiKey, livekitApiSecret, livekitApiSecretFile } = values
  const secrets = [livekitApiSecret, livekitApiSecretFile].filter((given) => given !== undefined)
  if (secrets.length > 1)
    return ['HANSARD_LIVEKIT_API_SECRET and HANSARD_LIVEKIT_API_SECRET_FILE exclude each other']
  return (livekitApiKey !== undefined) === (secrets.length === 1)
    ? []
    : ['HANSARD_LIVEKIT_API_KEY and its secret go together']
}

/** A node with the role `api` receives the webhooks, and one with the role `bots` connects to the streams. */
function zoomProblems(values: Readonly<Record<string, unknown>>): string[] {
  const isGiven = (name: SettingName) => values[name] !== undefined
  const roles = Array.isArray(values['roles']) ? values['roles'] : []
  const secrets = [
    {
      env: 'HANSARD_ZOOM_CLIENT_SECRET',
      role: 'bots',
      given: [isGiven('zoomClientSecret'), isGiven('zoomClientSecretFile')],
    },
    {
      env: 'HANSARD_ZOOM_WEBHOOK_SECRET',
      role: 'api',
      given: [isGiven('zoomWebhookSecret'), isGiven('zoomWebhookSecretFile')],
    },
  ]
  return secrets.flatMap(({ env, role, given }) => {
    if (given.every(Boolean)) return [`${env} and ${env}_FILE exclude each other`]
    if (given.some(Boolean) && !isGiven('zoomClientId'))
      return [`${env} needs HANSARD_ZOOM_CLIENT_ID`]
    return isGiven('zoomClientId') && !given.some(Boolean) && roles.includes(role)
      ? [`HANSARD_ZOOM_CLIENT_ID needs ${env}`]
      : []
  })
}

export class ConfigError extends PermanentError {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    const lines = problems.map((problem) => `  - ${problem}`).join('\n')
    super(
      `The configuration has ${problems.length} problem(s):\n${lines}`,
      'See docs/configuration.md',
    )
    this.problems = problems
  }
}

function pickValue(
  setting: SettingDefinition,
  env: ConfigInput['env'],
  file: Readonly<Record<string, string>>,
) {
  // An empty value means "not set", because shells and compose files clear a variable that way.
  if (env[setting.env]) return [env[setting.env], 'environment'] as const
  if (file[setting.env]) return [file[setting.env], 'file'] as const
  if (setting.default !== undefined) return [setting.default, 'default'] as const
  return [undefined, 'not set'] as const
}

function unknownNameProblems(values: ConfigInput['env'], where: string): string[] {
  const known: string[] = Object.values(SETTINGS).map((setting) => setting.env)
  const allowed = new Set([...known, ...CLIENT_VARIABLES])
  return Object.keys(values)
    .filter((name) => name.startsWith(ENV_PREFIX) && !allowed.has(name))
    .map((name) => {
      // Names are compared without the prefix HANSARD_, which would make all of them look similar.
      const short = findNearestName(withoutPrefix(name), known.map(withoutPrefix))
      const meant = known.find((one) => withoutPrefix(one) === short)
      const hint = meant === undefined ? '' : `; did you mean ${meant}?`
      return `${name} (in ${where}) is not a setting${hint}`
    })
}

function withoutPrefix(name: string): string {
  return name.startsWith(ENV_PREFIX) ? name.slice(ENV_PREFIX.length) : name
}

function describeInvalidValue(
  setting: SettingDefinition,
  raw: string | undefined,
  error: z.ZodError,
): string {
  // Hides the user name and password that a URL may contain.
  const shown = JSON.stringify(raw?.replace(/\/\/[^/]*@/, '//(hidden)@'))
  const given = setting.isSecret ? '' : ` (given: ${shown})`
  return `${setting.env} ${error.issues.map((issue) => issue.message).join('; ')}${given}`
}

/** The settings that authenticate the language models of the operator. */
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

/** The settings of language models that prompt authors choose. */
export function toPromptModelSettings(config: Config): ModelSettings {
  return { ...toModelSettings(config), allowed: config.aiModels }
}

/** The model that makes recaps. Null if they are made by rules only. */
export function findRecapModelName({ aiRecapModel, aiModel }: Config): string | null {
  return toLanguageModelName(aiRecapModel === undefined ? aiModel : aiRecapModel)
}

/** The model that answers questions. Null if they are answered with passages only. */
export function findAskModelName({ aiAskModel, aiModel }: Config): string | null {
  return toLanguageModelName(aiAskModel === undefined ? aiModel : aiAskModel)
}

function toLanguageModelName(name: string | null | undefined): string | null {
  return name === undefined || name === null || name.startsWith('builtin/') ? null : name
}
