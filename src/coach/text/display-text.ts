export const MAX_INSIGHT_TITLE_CHARS = 80
export const MAX_INSIGHT_TEXT_CHARS = 400
const MAX_QUOTE_CHARS = 240
const MAX_NAME_CHARS = 40

const BREAKS = /[\s\p{Cc}]+/gu
/** Direction marks and all else that is not seen; the joiners stay, as scripts and emoji need them. */
const INVISIBLE = /(?![\u200c\u200d])[\p{Cf}\p{Cs}\p{Co}]/gu
/** A cut before one of these would divide what is shown as one character. */
const CONTINUES = /^(?:\p{M}|\p{Emoji_Modifier}|\p{Join_Control}|\p{Cs})/u

/** Text on one line, without anything unseen, at most `max` characters long. */
export function toOneLine(text: string, max: number): string {
  // What is thrown away may be long; how much of it is looked at is not for the speaker to decide.
  const seen = text
    .slice(0, 4 * max)
    .replace(BREAKS, ' ')
    .replace(INVISIBLE, '')
    .replace(/ {2,}/g, ' ')
    .trim()
  return seen.length <= max ? seen : `${seen.slice(0, cutAt(seen, max - 1)).trimEnd()}…`
}

export function quoteText(text: string): string {
  return `“${toOneLine(text, MAX_QUOTE_CHARS)}”`
}

/** A speaker in a sentence. */
export function displayName(speaker: string): string {
  return speaker === '' ? 'Somebody' : toOneLine(speaker, MAX_NAME_CHARS)
}

/** A copy that does not keep the long text alive from which it was cut. */
export function copyString(text: string): string {
  return Buffer.from(text, 'utf16le').toString('utf16le')
}

/** The end of a word if there is one near, else of a character. */
function cutAt(text: string, max: number): number {
  const space = text.lastIndexOf(' ', max)
  if (space > max - 24 && space > 0) return space
  let cut = max
  while (cut > max - 24 && cut > 0 && CONTINUES.test(text.slice(cut, cut + 2))) cut -= 1
  // So many marks that no end of what is shown as one was near: at least no character is divided.
  return text.slice(0, cut).isWellFormed() ? cut : cut - 1
}
