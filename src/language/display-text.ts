export const MAX_INSIGHT_TITLE_CHARS = 80
export const MAX_INSIGHT_TEXT_CHARS = 400
const MAX_QUOTE_CHARS = 240
const MAX_NAME_CHARS = 40

const BREAKS = /[\s\p{Cc}]+/gu
/** Direction marks and other invisible characters, except the zero-width joiners that scripts and emoji need. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cf}\p{Cs}\p{Co}]/gu
/** A cut before one of these characters would split a sequence that is shown as one character. */
const CONTINUES = /^(?:\p{M}|\p{Emoji_Modifier}|\p{Join_Control}|\p{Cs})/u

/** Returns the text on one line, without invisible characters and with at most `maxChars` characters. */
export function shortenToOneLine(text: string, maxChars: number): string {
  // Only part of a very long text is cleaned, so that a speaker cannot cause much work.
  const seen = text
    .slice(0, 4 * maxChars)
    .replace(BREAKS, ' ')
    .replace(INVISIBLE, '')
    .replace(/ {2,}/g, ' ')
    .trim()
  return seen.length <= maxChars ? seen : `${seen.slice(0, cutAt(seen, maxChars - 1)).trimEnd()}…`
}

export function quoteText(text: string): string {
  return `“${shortenToOneLine(text, MAX_QUOTE_CHARS)}”`
}

/** The speaker's name for use in a sentence. */
export function formatSpeakerName(speaker: string): string {
  return speaker === '' ? 'Someone' : shortenToOneLine(speaker, MAX_NAME_CHARS)
}

/** A cut position up to `max`: after a word if one ends nearby, otherwise after a character. */
function cutAt(text: string, max: number): number {
  const space = text.lastIndexOf(' ', max)
  if (space > max - 24 && space > 0) return space
  let cut = max
  while (cut > max - 24 && cut > 0 && CONTINUES.test(text.slice(cut, cut + 2))) cut -= 1
  // Within a very long sequence of combining marks, the cut only avoids splitting a surrogate pair.
  return text.slice(0, cut).isWellFormed() ? cut : cut - 1
}
