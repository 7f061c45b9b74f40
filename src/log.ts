import { createRequire } from 'node:module'
import { pino, destination, stdSerializers } from 'pino'
import type { default as Pretty } from 'pino-pretty'

export type Log = pino.Logger

export const LOG_LEVELS = ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** Fields whose values never reach a log, wherever an object carries them. */
const SECRET_FIELDS = [
  'apiKey',
  'signingSecret',
  'password',
  'currentPassword',
  'newPassword',
  'cookie',
  'authorization',
  'masterKey',
  'databaseUrl',
  'clientSecret',
  'teamsClientSecret',
  'storageState',
  'aiApiKey',
  'anthropicApiKey',
  'openaiApiKey',
  'googleApiKey',
]
const SECRET_PATHS = [
  ...SECRET_FIELDS.flatMap((field) => [field, `*.${field}`]),
  'headers["x-api-key"]',
  '*.headers["x-api-key"]',
  'headers["x-csrf-token"]',
  '*.headers.authorization',
  '*.headers.cookie',
]

/** Logs go to standard error: lines of JSON, or text for a person when that is a terminal. */
export function createLog(level: LogLevel): Log {
  const isTerminal = process.stderr.isTTY
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, censor: '[hidden]' },
      serializers: { err: serializeError },
    },
    isTerminal ? createPrettyStream() : destination({ dest: 2, sync: true }),
  )
}

/** Loaded only for a terminal: it is as large as everything else that a short command needs. */
function createPrettyStream() {
  const pretty = createRequire(import.meta.url)('pino-pretty') as typeof Pretty
  return pretty({ destination: 2, sync: true, ignore: 'pid,hostname', translateTime: 'HH:MM:ss' })
}

/** Errors of the database driver quote values (`Key (email)=(…)`) and carry their connection with its secrets. */
const UNLOGGED_ERROR_FIELDS = new Set(['detail', 'where', 'client'])

function serializeError(error: Error): Record<string, unknown> {
  const fields = Object.entries(stdSerializers.err(error))
  return Object.fromEntries(fields.filter(([name]) => !UNLOGGED_ERROR_FIELDS.has(name)))
}
