type Range = readonly [from: number, to: number]

/** Scripts without spaces between words in which a character counts as half a spoken word. */
const HALF_WORDS: readonly Range[] = [
  [0x3040, 0x30ff],
  [0x31f0, 0x31ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  // High surrogates of rare Han characters. The low surrogates count as nothing.
  [0xd840, 0xd88d],
  [0xf900, 0xfaff],
  [0xff66, 0xff9d],
]
/** Scripts without spaces between words in which a character counts as a quarter of a spoken word. */
const QUARTER_WORDS: readonly Range[] = [
  [0x0e01, 0x0eff],
  [0x1000, 0x109f],
  [0x1780, 0x17ff],
]

/** Punctuation, symbols, emoji and private use characters, which do not start a word. */
const UNSPOKEN: readonly Range[] = [
  [0x80, 0xa9],
  [0xab, 0xb4],
  [0xb6, 0xb9],
  [0xbb, 0xbf],
  [0x2000, 0x2bff],
  [0x2e00, 0x303f],
  [0xd800, 0xf8ff],
  [0xfe00, 0xfe6f],
  [0xfeff, 0xff0f],
  [0xff1a, 0xff20],
  [0xfff0, 0xffff],
]

/** Estimates the number of spoken words in one pass. Exact enough for shares and rates. */
export function countWords(text: string): number {
  let words = 0
  let unspaced = 0
  let isWithin = false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    const share = code < 0x0e01 ? 0 : shareOf(code)
    unspaced += share
    if (share > 0 || isSpace(code)) isWithin = false
    else if (!isWithin && isSpoken(code)) {
      words += 1
      isWithin = true
    }
  }
  return words + Math.ceil(unspaced)
}

function shareOf(code: number): number {
  if (isIn(HALF_WORDS, code)) return 0.5
  return isIn(QUARTER_WORDS, code) ? 0.25 : 0
}

function isSpace(code: number): boolean {
  return code <= 0x20 || code === 0xa0 || code === 0x3000 || (code >= 0x2000 && code <= 0x200a)
}

function isSpoken(code: number): boolean {
  if (code >= 0x80) return !isIn(UNSPOKEN, code)
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

function isIn(ranges: readonly Range[], code: number): boolean {
  for (const [from, to] of ranges) if (code >= from && code <= to) return true
  return false
}
