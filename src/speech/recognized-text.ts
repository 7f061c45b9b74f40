/** An answer may be just a number: `420.` */
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
/** No one speaks more words or characters per second, but a model that repeats itself writes more. */
const MOST_WORDS_PER_SECOND = 8
const MOST_CHARACTERS_PER_SECOND = 45
/** Short utterances may have a few more words than their length allows, because their ends are cut. */
const SPARE_WORDS = 3
const SPARE_CHARACTERS = 25
/** A word or group of words that is repeated this often in a row is not speech. */
const MOST_REPETITIONS = 5
const LONGEST_REPEATED_GROUP = 6
/** Notes of models about sound that is not speech, such as `[Music]`, `(applause)` or `♪`. */
const NOTES = /\[[^\]]*\]|\([^)]*\)|[♪♫🎵🎶]+/gu

/** The text of an utterance, cleaned for people; null if a model made it up from noise, music or silence. */
export function cleanRecognizedText(text: string, durationMs: number): string | null {
  const cleaned = text.normalize('NFC').replaceAll(NOTES, ' ').replaceAll(/\s+/g, ' ').trim()
  if (!LETTER_OR_DIGIT.test(cleaned) || isTooLongForSound(cleaned, durationMs)) return null
  return hasEndlessRepetition(cleaned.split(' ')) ? null : cleaned
}

/** True if no one can say this text in that time. */
export function isTooLongForSound(text: string, durationMs: number): boolean {
  const seconds = durationMs / 1_000
  return (
    text.length > seconds * MOST_CHARACTERS_PER_SECOND + SPARE_CHARACTERS ||
    text.split(/\s+/).length > seconds * MOST_WORDS_PER_SECOND + SPARE_WORDS
  )
}

/** True if a group of words follows itself many times. Models write that for music and noise. */
function hasEndlessRepetition(words: readonly string[]): boolean {
  const plain = words.map((word) => word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
  for (let size = 1; size <= LONGEST_REPEATED_GROUP; size += 1) {
    let equal = 0
    for (let index = size; index < plain.length; index += 1) {
      equal = plain[index] === plain[index - size] ? equal + 1 : 0
      if (equal >= size * (MOST_REPETITIONS - 1)) return true
    }
  }
  return false
}
