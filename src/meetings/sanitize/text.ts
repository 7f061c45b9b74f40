/** Characters that show nothing: controls, direction marks, zero-width ones. ZWJ and ZWNJ are part of words and emoji. */
const INVISIBLE =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u{ad}\u{61c}\u{180e}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}]/gu

/** A joiner that joins nothing. */
const STRAY_JOINER = /(?<![^\s])[\u200c\u200d]+|[\u200c\u200d]+(?![^\s])/gu

/** Most captions of most languages are like that already, and there are thousands a second. */
const CLEAN = /^[!-~]+(?: [!-~]+)*$/

/** Text as it is stored: NFC, one space between words, nothing invisible. */
export function cleanText(raw: string): string {
  if (CLEAN.test(raw)) return raw
  return raw
    .replace(/\s+/gu, ' ')
    .replace(INVISIBLE, '')
    .replace(STRAY_JOINER, '')
    .normalize('NFC')
    .replace(/ {2,}/g, ' ')
    .trim()
}

/** Whether anything was said: punctuation alone is not speech. */
export function hasSpeech(text: string): boolean {
  return /[\p{L}\p{N}\p{S}]/u.test(text)
}

/**
 * The largest position up to `at` that divides neither a character nor what is shown as one. Marks without end
 * are divided, characters never: half of one cannot be stored.
 */
export function safeCut(text: string, at: number): number {
  for (let cut = at; cut > Math.max(0, at - 64); cut -= 1) {
    const next = text.codePointAt(cut)
    if (next === undefined) return cut
    const isInside =
      isSecondHalf(next) ||
      text.charCodeAt(cut - 1) === 0x200d ||
      /\p{M}|\p{Emoji_Modifier}|\p{Join_Control}/u.test(String.fromCodePoint(next))
    if (!isInside) return cut
  }
  return isSecondHalf(text.charCodeAt(at)) ? at - 1 : at
}

function isSecondHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
