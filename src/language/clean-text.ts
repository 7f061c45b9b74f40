/**
 * Invisible characters: controls, direction marks, zero-width characters. Not ZWJ and ZWNJ, which are part of words and
 * emoji.
 */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}]/gu

/** A zero-width joiner at the start or end of a word, where it has nothing to join. */
const STRAY_JOINER = /(?<![^\s])[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+(?![^\s])/gu

/** Fast path: ASCII text with single spaces needs no cleaning. Most captions match. */
const ALREADY_CLEAN = /^[!-~]+(?: [!-~]+)*$/

const MAX_QUOTE_CHARS = 240
const MAX_NAME_CHARS = 40
/** A text is cut after a word if one ends within so many characters before the limit. */
const MAX_CHARS_AFTER_CUT = 24

const BREAKS = /[\s\p{Cc}]+/gu
/** All invisible characters that a text to show can do without. */
const INVISIBLE_TO_READERS = /(?![\u200c\u200d])[\p{Cf}\p{Cs}\p{Co}]/gu

/** Normalizes text for storing: NFC, single spaces, no invisible characters. */
export function cleanText(raw: string): string {
  if (ALREADY_CLEAN.test(raw)) return raw
  return raw
    .replace(/\s+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(STRAY_JOINER, '')
    .normalize('NFC')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** True if the text has a letter, number or symbol. Punctuation alone is not speech. */
export function hasMoreThanPunctuation(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text)
}

/**
 * Finds the largest cut position up to `at` that splits neither a character nor a sequence shown as one character. A
 * sequence of more than 64 combining marks is split, but never a surrogate pair, because half of it cannot be stored.
 */
export function findCutBetweenCharacters(text: string, at: number): number {
  for (let cut = at; cut > Math.max(0, at - 64); cut -= 1) {
    const next = text.codePointAt(cut)
    if (next === undefined) return cut
    const isInside =
      isLowSurrogate(next) ||
      text.charCodeAt(cut - 1) === 0x200d ||
      /\p{M}|\p{Emoji_Modifier}|\p{Join_Control}/u.test(String.fromCodePoint(next))
    if (!isInside) return cut
  }
  return isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** Returns the text on one line, without invisible characters and with at most `maxChars` characters. */
export function shortenToOneLine(text: string, maxChars: number): string {
  // Only part of a very long text is cleaned, so that a speaker cannot cause much work.
  const seen = text
    .slice(0, 4 * maxChars)
    .replace(BREAKS, ' ')
    .replace(INVISIBLE_TO_READERS, '')
    .replace(/ {2,}/g, ' ')
    .trim()
  if (seen.length <= maxChars) return seen
  const [max, space] = [maxChars - 1, seen.lastIndexOf(' ', maxChars - 1)]
  const isNear = space > 0 && space > max - MAX_CHARS_AFTER_CUT
  return `${seen.slice(0, isNear ? space : findCutBetweenCharacters(seen, max)).trimEnd()}…`
}

export function quoteText(text: string): string {
  return `“${shortenToOneLine(text, MAX_QUOTE_CHARS)}”`
}

/** The speaker's name for use in a sentence. */
export function formatSpeakerName(speaker: string): string {
  return speaker === '' ? 'Someone' : shortenToOneLine(speaker, MAX_NAME_CHARS)
}
