import { isLabel } from './labels.ts'

/** A text of the form `Name: text`. */
export type PrefixedText = { speaker: string; text: string }

/** A name in front of a text is not longer than names are stored. */
const MAX_PREFIX_CHARS = 200
const MAX_NAME_CHARS = 80
const MAX_NAME_WORDS = 6
/** What stands in sentences and not in names. */
const SENTENCE_SYNTAX = /[?!;"“”„«»]|\.\s|:\/\//u

/** Splits `Name: text` at the first colon that a space or the end follows; null when there is none. */
export function splitSpeakerPrefix(text: string): PrefixedText | null {
  const trimmed = text.trimStart()
  const at = trimmed.slice(0, MAX_PREFIX_CHARS + 2).search(/:(?:\s|$)/u)
  // The slice can end with a colon that something follows.
  if (at < 1 || at > MAX_PREFIX_CHARS) return null
  return { speaker: trimmed.slice(0, at).trimEnd(), text: trimmed.slice(at + 1).trimStart() }
}

/** Whether the part before a colon looks like a name, and not like a label or the begin of a sentence. */
export function looksLikeName(name: string): boolean {
  if (name.length > MAX_NAME_CHARS || !/\p{L}/u.test(name) || isLabel(name)) return false
  if (name.trim().split(/\s+/u).length > MAX_NAME_WORDS) return false
  // “Dr. Ada Lovelace” has a full stop after a short word, and no sentence has.
  return !SENTENCE_SYNTAX.test(name.replaceAll(/(?<=^|\s)\p{L}{1,4}\.(?=\s)/gu, ''))
}

/** Removes what stands in front of the name of a speaker: the dash of a list, or the mark of a new speaker in captions. */
export function removeDash(text: string): string {
  const [, rest] = /^(?:[-–—•]|>>)\s+(\S[^]*)$/u.exec(text) ?? []
  const name = rest === undefined ? undefined : splitSpeakerPrefix(rest)?.speaker
  return rest !== undefined && name !== undefined && looksLikeName(name) ? rest : text
}

export type PrefixReader = {
  read(text: string): PrefixedText
  /** Whether the file names a speaker only when another one begins to speak. */
  isOnlyAtChanges: boolean
}

/** A name that so many texts have in front of them is no accident, also if most texts have none. */
const MIN_REPEATS = 2

/**
 * Says how the texts of a file name their speakers. Null when they do not: most have no name in front of them, and no two
 * names repeat. If all have, a long name counts as well.
 */
export function createPrefixReader(texts: readonly string[]): PrefixReader | null {
  const prefixes = texts.map(splitSpeakerPrefix)
  const areAllPrefixed = prefixes.length > 0 && prefixes.every((prefix) => prefix !== null)
  const counts = new Map<string, number>()
  let named = 0
  for (const prefix of prefixes) {
    if (prefix === null || !looksLikeName(prefix.speaker)) continue
    counts.set(prefix.speaker, (counts.get(prefix.speaker) ?? 0) + 1)
    named += 1
  }
  const isRepeated = (name: string) => (counts.get(name) ?? 0) >= MIN_REPEATS
  const isOnlyAtChanges = named * 2 <= texts.length
  if (isOnlyAtChanges && [...counts.keys()].filter(isRepeated).length < 2) return null
  const isSpeaker = isOnlyAtChanges
    ? isRepeated
    : (name: string) => areAllPrefixed || looksLikeName(name)
  return {
    isOnlyAtChanges,
    read(text) {
      const prefix = splitSpeakerPrefix(text)
      return prefix !== null && isSpeaker(prefix.speaker) ? prefix : { speaker: '', text }
    },
  }
}
