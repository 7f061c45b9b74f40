import { cleanText, findCutBetweenCharacters } from './text.ts'

export const UNKNOWN_SPEAKER = 'Unknown speaker'
const MAX_NAME_CHARS = 200
/** At most this many characters of a raw name are cleaned; the rest is ignored. */
const MAX_RAW_CHARS = 2_000

/** Suffixes that platforms add to a participant's name: one note, or several as in "(External, Unfamiliar)". */
const SUFFIX =
  /\s*\((?:guest|unverified|external|unfamiliar)(?:[\s,]+(?:guest|unverified|external|unfamiliar))*\)$/i

/** Texts that platforms show in place of a name that is not known yet. */
const PLACEHOLDER_NAMES: readonly RegExp[] = [
  /^unknown(?: (?:speaker|user|participant))?$/i,
  /^spaces\/\S*$/i,
  /^(?:\S*\/)?devices\/\S*$/i,
  /^google participant \(/i,
]

/** How platforms label the bot's own captions. */
const SELF_LABEL = /^you$|\(you\)$/i

/** The participant name as it is stored; empty when the platform does not know the name. */
export function cleanParticipantName(raw: string): string {
  let name = cleanText(raw.slice(0, MAX_RAW_CHARS))
  while (SUFFIX.test(name)) name = name.replace(SUFFIX, '')
  if (PLACEHOLDER_NAMES.some((pattern) => pattern.test(name))) return ''
  const cut = name.slice(0, findCutBetweenCharacters(name, Math.min(name.length, MAX_NAME_CHARS)))
  return cut.trim().toWellFormed()
}

/** Returns a check that is true for names under which the bot itself appears. */
export function createOwnBotNameCheck(selfNames: readonly string[]): (name: string) => boolean {
  const own = new Set(
    selfNames.map((name) => cleanParticipantName(name).toLowerCase()).filter(Boolean),
  )
  return (name) => SELF_LABEL.test(name) || own.has(name.toLowerCase())
}

/** Chooses between two names of the same speaker: a name is preferred to none, and a full name to its first part. */
export function preferSeenNameUnlessShorter(known: string, seen: string): string {
  if (seen === '' || seen === known) return known
  return known.toLowerCase().startsWith(`${seen.toLowerCase()} `) ? known : seen
}

/** Whether two names can belong to the same speaker. */
export function canBeSameSpeaker(a: string, b: string): boolean {
  return (
    a === '' ||
    b === '' ||
    a === b ||
    preferSeenNameUnlessShorter(a, b) === preferSeenNameUnlessShorter(b, a)
  )
}
