import { cleanText, safeCut } from './text.ts'

export const UNKNOWN_SPEAKER = 'Unknown speaker'
const MAX_NAME_CHARS = 200
/** Enough for any name with marks around it; the rest of an enormous one is not even looked at. */
const MAX_RAW_CHARS = 2_000

/** What platforms add to a name. */
const SUFFIX = /\s*\((?:guest|unverified|external)\)$/i

/** What stands where a name should be as long as the platform does not know it. */
const PLACEHOLDER_NAMES: readonly RegExp[] = [
  /^unknown(?: (?:speaker|user|participant))?$/i,
  /^spaces\/\S*$/i,
  /^(?:\S*\/)?devices\/\S*$/i,
  /^google participant \(/i,
]

/** How a platform calls the bot itself. */
const SELF_LABEL = /^you$|\(you\)$/i

/** The name as it is stored; empty when there is none. */
export function cleanName(raw: string): string {
  let name = cleanText(raw.slice(0, MAX_RAW_CHARS))
  while (SUFFIX.test(name)) name = name.replace(SUFFIX, '')
  if (PLACEHOLDER_NAMES.some((pattern) => pattern.test(name))) return ''
  const cut = name.slice(0, safeCut(name, Math.min(name.length, MAX_NAME_CHARS)))
  return cut.trim().toWellFormed()
}

export function createSelfCheck(selfNames: readonly string[]): (name: string) => boolean {
  const own = new Set(selfNames.map((name) => cleanName(name).toLowerCase()).filter(Boolean))
  return (name) => SELF_LABEL.test(name) || own.has(name.toLowerCase())
}

/** The better of two names for the same caption: none loses to any, a shortened one to the full one. */
export function preferFullerName(known: string, seen: string): string {
  return seen === '' || known.toLowerCase().startsWith(`${seen.toLowerCase()} `) ? known : seen
}

/** Whether two names can belong to the same speaker. */
export function canBeSameSpeaker(a: string, b: string): boolean {
  return a === '' || b === '' || preferFullerName(a, b) === preferFullerName(b, a)
}
