import { areLanguageTagsCompatible } from '../language-tag.ts'

/** RTMS_TRANSCRIPT_LANGUAGE of Zoom's data types: the tag of each number, which is its index. */
const TAGS = [
  'ar',
  'bn',
  'yue',
  'ca',
  'zh-Hans',
  'zh-Hant',
  'cs',
  'da',
  'nl',
  'en',
  'et',
  'fi',
  'fr-CA',
  'fr-FR',
  'de',
  'he',
  'hi',
  'hu',
  'id',
  'it',
  'ja',
  'ko',
  'ms',
  'fa',
  'pl',
  'pt',
  'ro',
  'ru',
  'es',
  'sv',
  'tl',
  'ta',
  'te',
  'th',
  'tr',
  'uk',
  'vi',
] as const

/** Other tags of languages that Zoom writes. Regions that Zoom does not know are left out when tags are compared. */
const ALIASES: Readonly<Record<string, string>> = {
  fil: 'tl',
  zh: 'zh-Hans',
  'zh-CN': 'zh-Hans',
  'zh-SG': 'zh-Hans',
  'zh-TW': 'zh-Hant',
  'zh-HK': 'yue',
  iw: 'he',
}

/** Zoom's number of a language; null if Zoom does not transcribe it. */
export function findTranscriptLanguage(tag: string): number | null {
  const wanted = ALIASES[tag] ?? tag
  const exact = TAGS.findIndex((known) => known === wanted)
  if (exact >= 0) return exact
  // European French is the usual one, so it is preferred for `fr` and `fr-CH`.
  const [language = ''] = wanted.split('-')
  const near = TAGS.findLastIndex((known) => known === language || known.startsWith(`${language}-`))
  return near >= 0 ? near : null
}

/** True if a transcript in this language of Zoom is one that was asked for. */
export function isTranscriptLanguage(number: number, tag: string): boolean {
  const wanted = findTranscriptLanguage(tag)
  if (wanted === number || TAGS[number] === undefined) return true
  return wanted !== null && areLanguageTagsCompatible(TAGS[wanted] ?? '', TAGS[number])
}

export function nameOfTranscriptLanguage(number: number): string {
  return TAGS[number] ?? `number ${number}`
}
