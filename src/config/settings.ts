import { z } from 'zod'
import { EmailAddress } from '../lib/text/validation.ts'
import { BOT_SETTINGS, PLATFORM_WEBHOOK_SETTINGS, SPEECH_SETTINGS } from './bot-settings.ts'
import { MAIL_SETTINGS } from './mail-settings.ts'
import {
  base64Key32,
  chatNoticeTextOrOff,
  httpOrigin,
  integerInRange,
  isTimeZone,
  networkList,
  nodeRoleList,
  nonEmptyText,
  languageTag,
  onOffFlag,
} from './setting-schemas.ts'
import { SIGN_IN_SETTINGS } from './sign-in-settings.ts'
import { TASK_SETTINGS } from './task-settings.ts'
import { TELEMETRY_SETTINGS } from './telemetry-settings.ts'

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

export type SettingDefinition = {
  env: string
  /** Parses the text of the environment variable. */
  schema: z.ZodType<unknown, string>
  /** Default value, as written in the environment variable. A setting without a default may be absent. */
  default?: string
  /** `hansard config` hides the value, and the log redacts the field. */
  isSecret?: true
  about: string
}

/** Every setting of the service. Tests compare docs/configuration.md and .env.example with this table. */
export const SETTINGS = {
  host: {
    env: 'HANSARD_HOST',
    schema: nonEmptyText,
    default: '127.0.0.1',
    about:
      'Address to listen on; use `0.0.0.0` for all interfaces, behind a proxy that terminates TLS',
  },
  port: {
    env: 'HANSARD_PORT',
    schema: integerInRange(0, 65535),
    default: '8080',
    about: 'Port to listen on; 0 for any free port',
  },
  publicUrl: {
    env: 'HANSARD_PUBLIC_URL',
    schema: httpOrigin,
    about:
      'Address under which people open the service; with https, cookies are sent over TLS only',
  },
  trustProxy: {
    env: 'HANSARD_TRUST_PROXY',
    schema: networkList,
    about:
      'Addresses or networks of proxies whose X-Forwarded-For header is trusted, separated by commas',
  },
  roles: {
    env: 'HANSARD_ROLES',
    schema: nodeRoleList,
    default: 'api,bots,tasks',
    about:
      'What this node does, separated by commas: `api` answers requests and serves the console, `bots` attends meetings, `tasks` does the rest; see [nodes.md](nodes.md#roles-of-nodes)',
  },
  data: {
    env: 'HANSARD_DATA',
    schema: nonEmptyText,
    default: 'data',
    about:
      'Data folder, which contains everything Hansard stores; relative to the clone. An installed package uses `~/.local/share/hansard`',
  },
  documents: {
    env: 'HANSARD_DOCUMENTS',
    schema: z.enum(['folder', 'database']),
    default: 'folder',
    about:
      '`folder`: documents and prompts are files in the data folder, which all nodes share; `database`: they are in PostgreSQL, and nodes share no folder. `hansard documents move` moves them',
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    schema: z.string().regex(/^postgres(ql)?:\/\/./, 'must start with postgres://'),
    isSecret: true,
    about:
      'Address of an external PostgreSQL (15 or newer); if not set, Hansard runs one inside the data folder',
  },
  databasePool: {
    env: 'HANSARD_DATABASE_POOL',
    schema: integerInRange(2, 200),
    default: '10',
    about: 'Maximum number of database connections of this node',
  },
  postgresBin: {
    env: 'HANSARD_POSTGRES_BIN',
    schema: nonEmptyText,
    about:
      'Folder with the PostgreSQL programs `initdb` and `postgres`, to use instead of the packaged ones',
  },
  masterKey: {
    env: 'HANSARD_MASTER_KEY',
    schema: base64Key32,
    isSecret: true,
    about:
      'Key that encrypts signing secrets and bot accounts, 32 bytes in base64; if not set, it is created in a file in the data folder',
  },
  adminEmail: {
    env: 'HANSARD_ADMIN_EMAIL',
    schema: EmailAddress,
    about: 'Email address of the first user, who is created at start when there are no users',
  },
  adminPasswordFile: {
    env: 'HANSARD_ADMIN_PASSWORD_FILE',
    schema: nonEmptyText,
    about: 'File that contains the password of that first user',
  },
  ...SIGN_IN_SETTINGS,
  ...BOT_SETTINGS,
  ...PLATFORM_WEBHOOK_SETTINGS,
  ...SPEECH_SETTINGS,
  ...MAIL_SETTINGS,
  callbackPolicy: {
    env: 'HANSARD_CALLBACK_POLICY',
    schema: z.enum(['private-ok', 'public-only']),
    about:
      '`private-ok`: callbacks and calendars may be at private addresses and on this machine; `public-only`: they may not; if not set, `private-ok` when HANSARD_HOST is a loopback address, otherwise `public-only`',
  },
  callbackAllow: {
    env: 'HANSARD_CALLBACK_ALLOW',
    schema: networkList,
    about:
      'Networks in which callbacks and calendars are allowed despite the policy, separated by commas',
  },
  callbackDeny: {
    env: 'HANSARD_CALLBACK_DENY',
    schema: networkList,
    about: 'Networks to which callbacks are never sent, separated by commas',
  },
  callbackTimeout: {
    env: 'HANSARD_CALLBACK_TIMEOUT',
    schema: integerInRange(1, 30),
    default: '10',
    about: 'Seconds a receiver has to respond to a callback',
  },
  callbackGiveUpHours: {
    env: 'HANSARD_CALLBACK_GIVE_UP_HOURS',
    schema: integerInRange(1, 72),
    default: '24',
    about: 'Hours for which Hansard retries a callback before it gives up',
  },
  callbackCaFile: {
    env: 'HANSARD_CALLBACK_CA_FILE',
    schema: nonEmptyText,
    about: 'File with additional certificate authorities (PEM) to trust for callbacks',
  },
  eventDays: {
    env: 'HANSARD_EVENT_DAYS',
    schema: integerInRange(1, 3650),
    default: '30',
    about:
      'Days to keep the events of an ended meeting and their deliveries; not less than `HANSARD_CALLBACK_GIVE_UP_HOURS`',
  },
  evidenceDays: {
    env: 'HANSARD_EVIDENCE_DAYS',
    schema: integerInRange(1, 3650),
    default: '7',
    about: 'Days to keep screenshots and page details of failed bots',
  },
  meetingDays: {
    env: 'HANSARD_MEETING_DAYS',
    schema: integerInRange(1, 36_500),
    about:
      'Days after which an ended meeting is deleted together with its document; if not set, meetings are never deleted',
  },
  maxBots: {
    env: 'HANSARD_MAX_BOTS',
    schema: integerInRange(0, 10_000),
    about:
      'Maximum number of bots with a browser on this node; if not set, it depends on memory and cores of the machine or container',
  },
  queueLimit: {
    env: 'HANSARD_QUEUE_LIMIT',
    schema: integerInRange(0, 100_000),
    default: '50',
    about: 'Maximum number of meetings that wait for a free bot; further starts are refused',
  },
  queueTimeout: {
    env: 'HANSARD_QUEUE_TIMEOUT',
    schema: integerInRange(1, 86_400),
    default: '600',
    about: 'Seconds a meeting waits for a free bot before it ends with an error',
  },
  calendarPollSeconds: {
    env: 'HANSARD_CALENDAR_POLL_SECONDS',
    schema: integerInRange(60, 86_400),
    default: '300',
    about:
      'Seconds after which a calendar is read again, plus up to a fifth; one that cannot be read waits longer with each failure, up to 6 hours',
  },
  rateLimit: {
    env: 'HANSARD_RATE_LIMIT',
    schema: onOffFlag,
    default: 'on',
    about:
      'Whether the requests of each API key and signed-in user, the pages of share links and the requests to sign in are limited',
  },
  rateLimitRequests: {
    env: 'HANSARD_RATE_LIMIT_REQUESTS',
    schema: integerInRange(1, 1_000_000_000),
    default: '6000',
    about: 'Requests per minute for each API key',
  },
  rateLimitStarts: {
    env: 'HANSARD_RATE_LIMIT_STARTS',
    schema: integerInRange(1, 1_000_000_000),
    default: '240',
    about: 'Meeting starts and imports per minute for each API key',
  },
  streamsPerCaller: {
    env: 'HANSARD_STREAMS_PER_CALLER',
    schema: integerInRange(1, 1_000_000),
    default: '50',
    about: 'Event streams that one API key or one signed-in user may have open on a node',
  },
  streamsPerAddress: {
    env: 'HANSARD_STREAMS_PER_ADDRESS',
    schema: integerInRange(1, 1_000_000),
    default: '200',
    about: 'Event streams that may be open from one IP address on a node',
  },
  streamsPerNode: {
    env: 'HANSARD_STREAMS_PER_NODE',
    schema: integerInRange(1, 1_000_000),
    default: '1000',
    about: 'Event streams that may be open on a node',
  },
  botName: {
    env: 'HANSARD_BOT_NAME',
    schema: nonEmptyText,
    default: 'Hansard notes',
    about: 'Name of the bot in meetings, unless the start request sets another one',
  },
  chatNotice: {
    env: 'HANSARD_CHAT_NOTICE',
    schema: chatNoticeTextOrOff,
    about:
      'Text that the bot posts in the meeting chat when it is admitted, with `{name}` for its name; `off`: nothing; if not set, a text that says who the bot is, what it does and how to stop it',
  },
  recap: {
    env: 'HANSARD_RECAP',
    schema: onOffFlag,
    default: 'on',
    about:
      '`on`: every ended meeting gets a recap; `off`: only on request (`POST /api/v1/meetings/{meetingId}/recap`)',
  },
  recapLanguage: {
    env: 'HANSARD_RECAP_LANGUAGE',
    schema: languageTag,
    about:
      'Language in which a language model writes recaps, as a tag such as `de` or `pt-BR`, unless the project or the start of the meeting names another; if not set, the language of the meeting',
  },
  defaultAccess: {
    env: 'HANSARD_DEFAULT_ACCESS',
    schema: z.enum(['team', 'private']),
    default: 'team',
    about:
      'Who may use a project that a user creates: `team`: every user; `private`: only that user, until they add others',
  },
  sharing: {
    env: 'HANSARD_SHARING',
    schema: onOffFlag,
    default: 'on',
    about:
      '`on`: owners of a project can share a meeting or document by a read-only link; `off`: no link can be made, and existing links do not open',
  },
  timeZone: {
    env: 'HANSARD_TIME_ZONE',
    schema: z.string().refine(isTimeZone, 'must be an IANA time zone, such as Europe/Paris'),
    default: 'UTC',
    about: 'Time zone of the dates in file names and of due dates in recaps',
  },
  leaveLobbyTimeout: {
    env: 'HANSARD_LEAVE_LOBBY_TIMEOUT',
    schema: integerInRange(1, 86_400),
    default: '900',
    about: 'Seconds the bot waits in the lobby to be admitted',
  },
  leaveHostTimeout: {
    env: 'HANSARD_LEAVE_HOST_TIMEOUT',
    schema: integerInRange(1, 86_400),
    default: '900',
    about: 'Seconds the bot waits for a meeting to start',
  },
  leaveNobodyJoined: {
    env: 'HANSARD_LEAVE_NOBODY_JOINED',
    schema: integerInRange(1, 86_400),
    default: '1200',
    about: 'Seconds the bot stays if no one else joins',
  },
  leaveEveryoneLeft: {
    env: 'HANSARD_LEAVE_EVERYONE_LEFT',
    schema: integerInRange(1, 86_400),
    default: '60',
    about: 'Seconds the bot stays after everyone else has left',
  },
  leaveSilence: {
    env: 'HANSARD_LEAVE_SILENCE',
    schema: integerInRange(1, 86_400),
    about: 'Seconds of silence after which the bot leaves; if not set, it stays',
  },
  leaveMaxDuration: {
    env: 'HANSARD_LEAVE_MAX_DURATION',
    schema: integerInRange(1, 604_800),
    default: '14400',
    about: 'Seconds after which the bot leaves in any case',
  },
  ...TASK_SETTINGS,
  ...TELEMETRY_SETTINGS,
  minFreeDiskMb: {
    env: 'HANSARD_MIN_FREE_DISK_MB',
    schema: integerInRange(0, 1_000_000_000),
    default: '512',
    about:
      'Minimum free disk space in MB; below it no meeting can start and the service reports that it is not ready',
  },
  logLevel: {
    env: 'HANSARD_LOG_LEVEL',
    schema: z.enum(LOG_LEVELS),
    default: 'info',
    about: 'Lowest level of messages to log',
  },
} as const satisfies Record<string, SettingDefinition>

export type SettingName = keyof typeof SETTINGS

/** Fields of `Config` with values that must never be printed or logged. */
export const SECRET_SETTING_NAMES: readonly string[] = Object.entries<SettingDefinition>(SETTINGS)
  .filter(([, { isSecret }]) => isSecret)
  .map(([name]) => name)
