import { InvalidArgumentError, Option, type Command } from 'commander'

/** The option of every command that calls a running service. */
export const SERVICE_OPTION = [
  '--service <url>',
  'address of the service (default: HANSARD_URL, or http://127.0.0.1:8080)',
] as const

export function addServiceOptions(command: Command): Command {
  return command.option(...SERVICE_OPTION).option('--json', 'print JSON')
}

/** When bots recognize speech, with the values of the API. */
export const SPEECH_MODES = ['off', 'fallback', 'always'] as const
export type SpeechModeOption = (typeof SPEECH_MODES)[number]

export function createSpeechOption(): Option {
  return new Option(
    '--speech <mode>',
    'recognize speech where captions are missing, always or never',
  )
    .choices(SPEECH_MODES)
    .default(undefined, 'fallback')
}

/** The largest page of a list that the service returns. */
export const MAX_LIST_LIMIT = 100

export function parseListLimit(text: string): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIST_LIMIT) return limit
  throw new InvalidArgumentError(`Give a number from 1 to ${MAX_LIST_LIMIT}.`)
}
