import { stripVTControlCharacters, styleText } from 'node:util'

type Color = Parameters<typeof styleText>[0]

/** The names and colours of pino's numeric levels. */
const LEVELS: Readonly<Record<number, { name: string; color: Color }>> = {
  10: { name: 'TRACE', color: 'gray' },
  20: { name: 'DEBUG', color: 'blue' },
  30: { name: 'INFO', color: 'green' },
  40: { name: 'WARN', color: 'yellow' },
  50: { name: 'ERROR', color: 'red' },
  60: { name: 'FATAL', color: 'red' },
}
const INDENT = '    '

type LogEntry = { level: number; time: string; msg?: string; err?: { stack?: string } }

/** Formats a JSON log line for a terminal: one line, then each field and the stack of an error. */
export function formatJsonLogEntryForTerminal(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as LogEntry
  const { stack, ...errorFields } = err ?? {}
  const { name, color } = LEVELS[level] ?? { name: String(level), color: 'white' }
  const details = Object.keys(errorFields).length > 0 ? { ...fields, err: errorFields } : fields
  const lines = [
    `[${time.slice(11, 19)}] ${styleText(color, name, { stream: process.stderr })}: ${clean(msg)}`,
    ...Object.entries(details).map(
      ([key, value]) => `${INDENT}${clean(`${key}: ${JSON.stringify(value)}`)}`,
    ),
    ...(stack === undefined ? [] : stack.split('\n').map((line) => `${INDENT}${clean(line)}`)),
  ]
  return `${lines.join('\n')}\n`
}

/** A logged text, such as a participant's name, must not move the terminal's cursor or change its colours. */
function clean(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ')
}
