import { resolve } from 'node:path'
import { z } from 'zod'
import { BOT_SETTINGS } from './bot-settings.ts'
import { OperatorError } from '../errors.ts'
import { findNearestName } from '../lib/text/nearest-name.ts'
import {
  onOffFlag,
  httpOrigin,
  isTimeZone,
  base64Key32 as masterKey,
  networkList,
  nonEmptyText,
  integerInRange,
} from './setting-schemas.ts'
import { LOG_LEVELS } from '../log.ts'
import { TASK_SETTINGS } from './task-settings.ts'

const ENV_PREFIX = 'HANSARD_'

type Setting = {
  env: string
  /** Reads the text of the environment. */
  schema: z.ZodType<unknown, string>
  /** As it would be written; absent means "not set". */
  default?: string
  /** Never printed, never logged. */
  isSecret?: true
  about: string
}

/** Every setting of the service: the only place that names one. docs/configuration.md and .env.example follow it. */
export const SETTINGS = {
  host: {
    env: 'HANSARD_HOST',
    schema: nonEmptyText,
    default: '127.0.0.1',
    about: 'Address to listen on; `0.0.0.0` for every interface, behind a proxy that speaks TLS',
  },
  port: {
    env: 'HANSARD_PORT',
    schema: integerInRange(0, 65535),
    default: '8080',
    about: 'Port to listen on; 0 takes any free one',
  },
  publicUrl: {
    env: 'HANSARD_PUBLIC_URL',
    schema: httpOrigin,
    about: 'Address at which people reach the service; with https, cookies are sent over TLS only',
  },
  trustProxy: {
    env: 'HANSARD_TRUST_PROXY',
    schema: networkList,
    about:
      'Addresses or networks of proxies whose X-Forwarded-For is believed, separated by commas',
  },
  data: {
    env: 'HANSARD_DATA',
    schema: nonEmptyText,
    default: 'data',
    about: 'Folder for everything that is kept, relative to the installation',
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    schema: z.string().regex(/^postgres(ql)?:\/\/./, 'must start with postgres://'),
    isSecret: true,
    about: 'An outside PostgreSQL (15 or newer); without it one is started inside the data folder',
  },
  databasePool: {
    env: 'HANSARD_DATABASE_POOL',
    schema: integerInRange(2, 200),
    default: '10',
    about: 'Most connections this node opens to the database',
  },
  postgresBin: {
    env: 'HANSARD_POSTGRES_BIN',
    schema: nonEmptyText,
    about: 'Folder with `initdb` and `postgres` to use instead of the packaged ones',
  },
  masterKey: {
    env: 'HANSARD_MASTER_KEY',
    schema: masterKey,
    isSecret: true,
    about:
      'Key that encrypts signing secrets and bot accounts, 32 bytes in base64; without it a file in the data folder',
  },
  adminEmail: {
    env: 'HANSARD_ADMIN_EMAIL',
    schema: z.email(),
    about: 'E-mail of a first user to be made at start when there is none',
  },
  adminPasswordFile: {
    env: 'HANSARD_ADMIN_PASSWORD_FILE',
    schema: nonEmptyText,
    about: 'File that holds the password of that first user',
  },
  ...BOT_SETTINGS,
  callbackPolicy: {
    env: 'HANSARD_CALLBACK_POLICY',
    schema: z.enum(['private-ok', 'public-only']),
    default: 'private-ok',
    about: 'Whether callbacks may go to private addresses and to this machine',
  },
  callbackAllow: {
    env: 'HANSARD_CALLBACK_ALLOW',
    schema: networkList,
    about: 'Networks to which callbacks may go in spite of the policy, separated by commas',
  },
  callbackDeny: {
    env: 'HANSARD_CALLBACK_DENY',
    schema: networkList,
    about: 'Networks to which callbacks never go, separated by commas',
  },
  callbackTimeout: {
    env: 'HANSARD_CALLBACK_TIMEOUT',
    schema: integerInRange(1, 30),
    default: '10',
    about: 'Seconds within which a receiver has to answer',
  },
  callbackGiveUpHours: {
    env: 'HANSARD_CALLBACK_GIVE_UP_HOURS',
    schema: integerInRange(1, 72),
    default: '24',
    about: 'Hours for which an event is tried when its receiver does not work',
  },
  callbackCaFile: {
    env: 'HANSARD_CALLBACK_CA_FILE',
    schema: nonEmptyText,
    about: 'File with further certificate authorities (PEM) that receivers may use',
  },
  eventDays: {
    env: 'HANSARD_EVENT_DAYS',
    schema: integerInRange(1, 3650),
    default: '30',
    about:
      'Days for which the events of a meeting that is over, and their deliveries, are kept; not less than `HANSARD_CALLBACK_GIVE_UP_HOURS`',
  },
  evidenceDays: {
    env: 'HANSARD_EVIDENCE_DAYS',
    schema: integerInRange(1, 3650),
    default: '7',
    about: 'Days for which screenshots and surveys of failed visits are kept',
  },
  meetingDays: {
    env: 'HANSARD_MEETING_DAYS',
    schema: integerInRange(1, 36_500),
    about:
      'Days after its end at which a meeting is removed, with its document; not set: meetings are kept',
  },
  maxBots: {
    env: 'HANSARD_MAX_BOTS',
    schema: integerInRange(0, 10_000),
    about: 'Bots with a browser this node can hold; not set: by its memory and cores',
  },
  queueLimit: {
    env: 'HANSARD_QUEUE_LIMIT',
    schema: integerInRange(0, 100_000),
    default: '50',
    about: 'Meetings that may wait for a free bot; a start beyond that is refused',
  },
  queueTimeout: {
    env: 'HANSARD_QUEUE_TIMEOUT',
    schema: integerInRange(1, 86_400),
    default: '600',
    about: 'Seconds a meeting waits for a free bot before it ends with an error',
  },
  rateLimit: {
    env: 'HANSARD_RATE_LIMIT',
    schema: onOffFlag,
    default: 'on',
    about: 'Whether requests are limited for each API key',
  },
  rateLimitRequests: {
    env: 'HANSARD_RATE_LIMIT_REQUESTS',
    schema: integerInRange(1, 1_000_000_000),
    default: '6000',
    about: 'Requests a minute for each API key',
  },
  rateLimitStarts: {
    env: 'HANSARD_RATE_LIMIT_STARTS',
    schema: integerInRange(1, 1_000_000_000),
    default: '240',
    about: 'Meeting starts a minute for each API key',
  },
  botName: {
    env: 'HANSARD_BOT_NAME',
    schema: nonEmptyText,
    default: 'Hansard notes',
    about: 'Name under which the bot appears in a meeting, unless the start names another',
  },
  timeZone: {
    env: 'HANSARD_TIME_ZONE',
    schema: z.string().refine(isTimeZone, 'must be an IANA time zone, such as Europe/Paris'),
    default: 'UTC',
    about: 'Zone of the dates in file names',
  },
  leaveLobbyTimeout: {
    env: 'HANSARD_LEAVE_LOBBY_TIMEOUT',
    schema: integerInRange(1, 86_400),
    default: '900',
    about: 'Seconds the bot waits to be let in',
  },
  leaveHostTimeout: {
    env: 'HANSARD_LEAVE_HOST_TIMEOUT',
    schema: integerInRange(1, 86_400),
    default: '900',
    about: 'Seconds the bot waits for a meeting that has not started',
  },
  leaveNobodyJoined: {
    env: 'HANSARD_LEAVE_NOBODY_JOINED',
    schema: integerInRange(1, 86_400),
    default: '1200',
    about: 'Seconds the bot stays when nobody else joins',
  },
  leaveEveryoneLeft: {
    env: 'HANSARD_LEAVE_EVERYONE_LEFT',
    schema: integerInRange(1, 86_400),
    default: '60',
    about: 'Seconds the bot stays after everybody left',
  },
  leaveSilence: {
    env: 'HANSARD_LEAVE_SILENCE',
    schema: integerInRange(1, 86_400),
    about: 'Seconds of silence after which the bot leaves; not set: it stays',
  },
  leaveMaxDuration: {
    env: 'HANSARD_LEAVE_MAX_DURATION',
    schema: integerInRange(1, 604_800),
    default: '14400',
    about: 'Seconds after which the bot leaves in any case',
  },
  ...TASK_SETTINGS,
  minFreeDiskMb: {
    env: 'HANSARD_MIN_FREE_DISK_MB',
    schema: integerInRange(0, 1_000_000_000),
    default: '512',
    about:
      'Below this much free disk no meeting is begun, and the service reports itself not ready',
  },
  logLevel: {
    env: 'HANSARD_LOG_LEVEL',
    schema: z.enum(LOG_LEVELS),
    default: 'info',
    about: 'How much is logged',
  },
} as const satisfies Record<string, Setting>

/** Names that the service's clients keep in their environment; on a developer's machine that is the same one. */
const CLIENT_VARIABLES = ['HANSARD_API_KEY', 'HANSARD_SIGNING_SECRET', 'HANSARD_URL']

export type SettingName = keyof typeof SETTINGS

type SettingRows = typeof SETTINGS
type SettingValue<N extends SettingName> =
  | z.output<SettingRows[N]['schema']>
  | (SettingRows[N] extends { default: string } ? never : undefined)

export type Config = { readonly [N in SettingName]: SettingValue<N> } & {
  /** Where each value came from, for `hansard config`. */
  readonly sources: Readonly<Record<SettingName, 'environment' | 'file' | 'default' | 'not set'>>
}

export type ConfigInput = {
  env: Readonly<Record<string, string | undefined>>
  /** The values of the optional file; the environment wins over them. */
  file?: Readonly<Record<string, string>>
  /** Relative paths are meant from here. */
  root: string
}

/** Pure. Reports every problem at once, or answers a frozen object. */
export function parseConfig({ env, file = {}, root }: ConfigInput): Config {
  const problems = [
    ...unknownNameProblems(env, 'the environment'),
    ...unknownNameProblems(file, 'the file'),
  ]
  const values: Record<string, unknown> = {}
  const sources: Record<string, string> = {}

  for (const [name, setting] of Object.entries<Setting>(SETTINGS)) {
    const [raw, source] = pickValue(setting, env, file)
    sources[name] = source
    const parsed = raw === undefined ? undefined : setting.schema.safeParse(raw)
    if (parsed && !parsed.success) problems.push(describeInvalidValue(setting, raw, parsed.error))
    values[name] = parsed?.data
  }
  if ((values['adminEmail'] === undefined) !== (values['adminPasswordFile'] === undefined)) {
    problems.push('HANSARD_ADMIN_EMAIL and HANSARD_ADMIN_PASSWORD_FILE go together')
  }
  problems.push(...teamsProblems(values), ...retentionProblems(values))
  if (problems.length > 0) throw new ConfigError(problems)

  values['data'] = resolve(root, String(values['data']))
  return Object.freeze({ ...values, sources: Object.freeze(sources) }) as unknown as Config
}

/** What is given up at last can still be seen and replayed. */
function retentionProblems({ eventDays, callbackGiveUpHours: hours }: Record<string, unknown>) {
  if (typeof eventDays !== 'number' || typeof hours !== 'number' || eventDays * 24 >= hours)
    return []
  return ['HANSARD_EVENT_DAYS is shorter than HANSARD_CALLBACK_GIVE_UP_HOURS']
}

/** TLS ends at a proxy: when none is trusted, whoever calls has the proxy's address, and all look like one. */
export function hasUntrustedProxy({ publicUrl, trustProxy }: Config): boolean {
  return publicUrl?.startsWith('https:') === true && trustProxy === undefined
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

export class ConfigError extends OperatorError {
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
  setting: Setting,
  env: ConfigInput['env'],
  file: Readonly<Record<string, string>>,
) {
  // An empty value means "not set": that is how shells and compose files clear a variable.
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
      // What all names share says nothing about which was meant.
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
  setting: Setting,
  raw: string | undefined,
  error: z.ZodError,
): string {
  // An address may hold a password where none belongs.
  const shown = JSON.stringify(raw?.replace(/\/\/[^/]*@/, '//(hidden)@'))
  const given = setting.isSecret ? '' : ` (given: ${shown})`
  return `${setting.env} ${error.issues.map((issue) => issue.message).join('; ')}${given}`
}
