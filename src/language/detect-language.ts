import type * as Franc from 'franc'
import { lazyRequire } from '../lib/lazy-require.ts'
import { foldText, STOP_WORDS } from './words.ts'

/** Loaded with the first vote, because the language tables of franc are large. */
const loadFranc = lazyRequire('franc') as () => typeof Franc

/** Length of the text sample for one language detection. Shorter texts are misdetected too often. */
const SAMPLE_CHARS = 300
const MAX_SEGMENT_CHARS = 300
/** A vote costs as much as hundreds of segments, so the text skipped after each vote doubles, up to a maximum. */
const FIRST_PAUSE_CHARS = 1_000
const MAX_PAUSE_CHARS = 16_000
const MAX_VOTES = 3
/** Shorter texts are detected only together. */
const MIN_DETECTED_CHARS = 200

/** Common languages in Latin script. Fewer candidates make a vote cheaper and more reliable. */
const CANDIDATES =
  'eng deu nld fra spa por ita ron cat swe dan nob fin pol ces slk slv hrv hun lit tur azj vie ind tgl swh'.split(
    ' ',
  )

/** Languages that are often taken for each other in a short text. */
const SIMILAR_LANGUAGES = ['da nb nn no', 'cs sk', 'hr bs sr', 'id ms'].map((group) =>
  group.split(' '),
)
/** Further languages, in other scripts, that are told apart from each other. */
const COMPARED_IN_OTHER_SCRIPTS = 'ru uk bg el he ar fa ur hi zh ja ko th'.split(' ')

/** Detects whether a meeting is held in English. */
export function createEnglishDetector() {
  let sample = ''
  let charsToSkip = 0
  let nextPause = FIRST_PAUSE_CHARS
  let votes: boolean[] = []
  let isEnglish = true

  function vote(): void {
    const language = detectLanguage(sample)
    sample = ''
    charsToSkip = nextPause
    nextPause = Math.min(2 * nextPause, MAX_PAUSE_CHARS)
    if (language === null) return
    votes = [...votes, language === 'en'].slice(-MAX_VOTES)
    const yes = votes.filter(Boolean).length
    if (2 * yes !== votes.length) isEnglish = 2 * yes > votes.length
  }
  return {
    addText(text: string): void {
      if (charsToSkip > 0) charsToSkip -= text.length
      else {
        sample += `${text.slice(0, MAX_SEGMENT_CHARS)} `
        if (sample.length >= SAMPLE_CHARS) vote()
      }
    },
    /** True at first. Later it is true if most of the meeting's latest text samples were English. */
    isEnglish: () => isEnglish,
  }
}

export type EnglishDetector = ReturnType<typeof createEnglishDetector>

/** The language of a text of a few hundred characters, as a tag such as `de`; null if it cannot be detected. */
function detectLanguage(sample: string): string | null {
  const letters = countMatches(sample, /\p{L}/gu)
  if (4 * letters < sample.length) return null
  const isLatin = 2 * countMatches(sample, /\p{Script=Latin}/gu) >= letters
  const found = loadFranc().franc(sample, isLatin ? { only: CANDIDATES } : {})
  return found === 'und' ? null : new Intl.Locale(found).language
}

/**
 * The language that most samples of a conversation are in. If too little was said, the hint decides, then the stop
 * words or the script; null if none of them does.
 */
export function detectMostSpokenLanguage(
  samples: readonly string[],
  hint: string | null,
): string | null {
  const all = samples.join(' ')
  const texts = samples.every((text) => text.length < MIN_DETECTED_CHARS) ? [all] : samples
  const votes = texts
    .filter((text) => text.length >= MIN_DETECTED_CHARS)
    .map(detectLanguage)
    .filter((language) => language !== null)
  const [winner] = [...Map.groupBy(votes, (language) => language)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  return winner?.[0] ?? readLanguageTag(hint) ?? guessByStopWords(all) ?? guessByScript(all)
}

/**
 * The language of a text if it is clearly another one than expected. Null if it is not, if the text is too short, or if
 * the expected language cannot be told apart from others.
 */
export function findOtherLanguage(text: string, expected: string): string | null {
  const compared = new Set([
    ...CANDIDATES.map((code) => new Intl.Locale(code).language),
    ...COMPARED_IN_OTHER_SCRIPTS,
    ...SIMILAR_LANGUAGES.flat(),
  ])
  if (!compared.has(expected)) return null
  const found = detectMostSpokenLanguage([text], null)
  if (found === null || found === expected || !compared.has(found)) return null
  const areSimilar = SIMILAR_LANGUAGES.some(
    (group) => group.includes(found) && group.includes(expected),
  )
  return areSimilar ? null : found
}

function readLanguageTag(tag: string | null): string | null {
  return /^([a-z]{2,3})(?:[-_]|$)/i.exec(tag ?? '')?.[1]?.toLowerCase() ?? null
}

/** The language whose stop words are most frequent in a short text, or null if that is unclear. */
function guessByStopWords(text: string): string | null {
  const words = foldText(text).match(/[\p{L}'-]+/gu) ?? []
  const [best, second] = [...STOP_WORDS]
    .map(([language, set]) => ({ language, count: words.filter((word) => set.has(word)).length }))
    .toSorted((a, b) => b.count - a.count)
  if (best === undefined || second === undefined) return null
  const isClear = best.count >= 2 && best.count > second.count && 4 * best.count >= words.length
  return isClear ? best.language : null
}

/** Few languages use a script other than Latin, so a short text is enough. */
function guessByScript(text: string): string | null {
  return /\p{Script=Latin}/u.test(text) || !/\p{L}/u.test(text) ? null : detectLanguage(text)
}

function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
