/** Tags of WebVTT, and the few of HTML that SubRip files have. Other text between < and > was said, and stays. */
const TAG = /<\/?(?:c|i|b|u|s|em|strong|ruby|rt|lang|font)(?:[.\s][^<>]*)?>|<\/v>|<\d[\d:.]*>/giu
/** What Aegisub and players add to SubRip, such as `{\an8}` and `{\c&HFFF000&}`. */
const OVERRIDE = /\{\\[^{}\n]{0,200}\}/gu
const VOICE_START = /<v(?:\.[^\s<>]*)?[ \t\n]+([^<>]{0,400})>/giu
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '',
  rlm: '',
}

export type SpokenText = { speaker: string; text: string }

export function hasVoice(text: string): boolean {
  return text.search(VOICE_START) !== -1
}

/** The texts of a cue by speaker: `<v Ada>Hello</v> <v Ben>Hi`. What no voice covers has no speaker. */
export function splitVoices(given: string): SpokenText[] {
  // Also those in a name, which would end it.
  const text = removeCueTags(given)
  const starts = [...text.matchAll(VOICE_START)]
  const before = text.slice(0, starts[0]?.index ?? text.length)
  const spoken = starts.map((match, i) => ({
    speaker: decodeEntities(match[1] ?? ''),
    text: plainCueText(text.slice(match.index + match[0].length, starts[i + 1]?.index)),
  }))
  return [{ speaker: '', text: plainCueText(before) }, ...spoken].filter((part) => part.text !== '')
}

/** The text of a cue without tags and escapes. */
export function plainCueText(text: string): string {
  return decodeEntities(removeCueTags(text))
}

/** SubRip has tags, but no escapes. */
export function removeCueTags(text: string): string {
  return text.replaceAll(TAG, '').replaceAll(OVERRIDE, '').trim()
}

export function decodeEntities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,6}));/gi,
    (entity, decimal, hex, name) => {
      if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? entity
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code <= 0x10ffff ? String.fromCodePoint(code) : entity
    },
  )
}
