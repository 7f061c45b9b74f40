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

/** Whether the part before a colon looks like a name, and not like the begin of a sentence. */
export function looksLikeName(name: string): boolean {
  if (name.length > MAX_NAME_CHARS || !/\p{L}/u.test(name)) return false
  if (name.trim().split(/\s+/u).length > MAX_NAME_WORDS) return false
  // “Dr. Ada Lovelace” has a full stop after a short word, and no sentence has.
  return !SENTENCE_SYNTAX.test(name.replaceAll(/(?<=^|\s)\p{L}{1,4}\.(?=\s)/gu, ''))
}

/**
 * Says how the texts of a file name their speakers. Null when they do not: most have no name in front of them. If all
 * have, a long name counts as well.
 */
export function createPrefixReader(
  texts: readonly string[],
): ((text: string) => PrefixedText) | null {
  const prefixes = texts.map(splitSpeakerPrefix)
  const areAllPrefixed = prefixes.length > 0 && prefixes.every((prefix) => prefix !== null)
  const names = prefixes.filter((prefix) => prefix !== null && looksLikeName(prefix.speaker))
  if (names.length === 0 || names.length * 2 <= texts.length) return null
  return (text) => {
    const prefix = splitSpeakerPrefix(text)
    const isNamed = prefix !== null && (areAllPrefixed || looksLikeName(prefix.speaker))
    return isNamed ? prefix : { speaker: '', text }
  }
}
