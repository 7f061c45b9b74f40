import { z } from 'zod'
import { BOT_SETTINGS } from './bot-settings.ts'
import {
  base64Key32 as masterKey,
  httpOrigin,
  integerInRange,
  isTimeZone,
  networkList,
  nonEmptyText,
  onOffFlag,
} from './setting-schemas.ts'
import { TASK_SETTINGS } from './task-settings.ts'

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type Setting = {
  env: string
  /** Parses the text of the environment variable. */
  schema: z.ZodType<unknown, string>
  /** Written as in the environment. Without a default the setting may be absent. */
  default?: string
  /** `hansard config` hides the value and the log redacts the field. */
  isSecret?: true
  about: string
}

/** Every setting of the service. Tests compare docs/configuration.md and .env.example with this table. */
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

export type SettingName = keyof typeof SETTINGS

/** Fields of `Config` whose values must never be printed or logged. */
export const SECRET_SETTINGS: readonly string[] = Object.entries<Setting>(SETTINGS)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name)
