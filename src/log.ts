import { pino, destination, stdSerializers } from 'pino'
import { SECRET_SETTING_NAMES, type LogLevel } from './config/settings.ts'
import { formatJsonLogEntryForTerminal } from './lib/text/readable-log-line.ts'
import { readTraceLogFields } from './lib/tracer.ts'

export type Log = pino.Logger

/** Names of fields with values that the log hides, in addition to the secret settings. */
const SECRET_FIELDS = [
  'apiKey',
  'signingSecret',
  'password',
  'currentPassword',
  'newPassword',
  'cookie',
  'authorization',
  'clientSecret',
  'storageState',
]
const SECRET_PATHS = [
  ...[...SECRET_SETTING_NAMES, ...SECRET_FIELDS].flatMap((field) => [field, `*.${field}`]),
  'headers["x-api-key"]',
  '*.headers["x-api-key"]',
  'headers["x-csrf-token"]',
  '*.headers.authorization',
  '*.headers.cookie',
]

/** Logs to standard error: JSON lines, or readable text if standard error is a terminal. */
export function createLog(level: LogLevel): Log {
  const isTerminal = process.stderr.isTTY
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: SECRET_PATHS, censor: '[hidden]' },
      serializers: { err: serializeError },
      mixin: readTraceLogFields,
    },
    isTerminal ? createReadableStream() : destination({ dest: 2, sync: true }),
  )
}

function createReadableStream() {
  return { write: (line: string) => void process.stderr.write(formatJsonLogEntryForTerminal(line)) }
}

/**
 * Fields of database errors that are not logged, because they quote row values (`Key (email)=(…)`) or reference the
 * connection with its password.
 */
const UNLOGGED_ERROR_FIELDS = new Set(['detail', 'where', 'client'])

function serializeError(error: Error): Record<string, unknown> {
  const fields = Object.entries(stdSerializers.err(error))
  return Object.fromEntries(fields.filter(([name]) => !UNLOGGED_ERROR_FIELDS.has(name)))
}
