import { cleanText, findCutBetweenCharacters } from './clean-text.ts'

export const UNKNOWN_SPEAKER = 'Unknown speaker'
const MAX_NAME_CHARS = 200
/** Only this many characters of a raw name are cleaned. The rest is ignored. */
const MAX_RAW_CHARS = 2_000

/** Suffixes that platforms add to names: one note, or several as in "(External, Unfamiliar)". */
const SUFFIX =
  /\s*\((?:guest|unverified|external|unfamiliar)(?:[\s,]+(?:guest|unverified|external|unfamiliar))*\)$/i

/** What platforms show instead of a name that is not known yet. */
const PLACEHOLDER_NAMES: readonly RegExp[] = [
  /^unknown(?: (?:speaker|user|participant))?$/i,
  /^spaces\/\S*$/i,
  /^(?:\S*\/)?devices\/\S*$/i,
  /^google participant \(/i,
]

/** How platforms label the bot's own captions. */
const SELF_LABEL = /^you$|\(you\)$/i

/** Cleans a participant's name for storing. Empty if the platform does not know the name. */
export function cleanParticipantName(raw: string): string {
  let name = cleanText(raw.slice(0, MAX_RAW_CHARS))
  while (SUFFIX.test(name)) name = name.replace(SUFFIX, '')
  if (PLACEHOLDER_NAMES.some((pattern) => pattern.test(name))) return ''
  const cut = name.slice(0, findCutBetweenCharacters(name, Math.min(name.length, MAX_NAME_CHARS)))
  return cut.trim().toWellFormed()
}

/** Returns a function that is true for the names under which the bot itself appears. */
export function createOwnBotNameCheck(selfNames: readonly string[]): (name: string) => boolean {
  const own = new Set(
    selfNames.map((name) => cleanParticipantName(name).toLowerCase()).filter(Boolean),
  )
  return (name) => SELF_LABEL.test(name) || own.has(name.toLowerCase())
}

/** Chooses between two names of one speaker: any name over none, and a full name over its first part. */
export function preferSeenNameUnlessShorter(known: string, seen: string): string {
  if (seen === '' || seen === known) return known
  return known.toLowerCase().startsWith(`${seen.toLowerCase()} `) ? known : seen
}

/** True if two names can belong to the same speaker. */
export function canBeSameSpeaker(a: string, b: string): boolean {
  return (
    a === '' ||
    b === '' ||
    a === b ||
    preferSeenNameUnlessShorter(a, b) === preferSeenNameUnlessShorter(b, a)
  )
}
