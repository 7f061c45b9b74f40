import type * as Franc from 'franc'
import { lazyRequire } from '../../lib/lazy-require.ts'

/** Loaded with the first vote, because the language tables of franc are large. */
const loadFranc = lazyRequire('franc') as () => typeof Franc

/** Detects whether a meeting is held in English. */
export interface EnglishDetector {
  addText(text: string): void
  /** True at first. Later it is true if most of the meeting's latest text samples were English. */
  isEnglish(): boolean
}

/** Length of the text sample for one language detection. Shorter texts are misdetected too often. */
const SAMPLE_CHARS = 300
const MAX_SEGMENT_CHARS = 300
/** A vote costs as much as hundreds of segments, so the text skipped after each vote doubles, up to a maximum. */
const FIRST_PAUSE_CHARS = 1_000
const MAX_PAUSE_CHARS = 16_000
const MAX_VOTES = 3

/** Common languages in Latin script. Fewer candidates make a vote cheaper and more reliable. */
const CANDIDATES =
  'eng deu nld fra spa por ita ron cat swe dan nob fin pol ces slk slv hrv hun lit tur azj vie ind tgl swh'.split(
    ' ',
  )

export function createEnglishDetector(): EnglishDetector {
  let sample = ''
  let charsToSkip = 0
  let nextPause = FIRST_PAUSE_CHARS
  let votes: boolean[] = []
  let isEnglish = true

  function vote(): void {
    const result = isEnglishText(sample)
    sample = ''
    charsToSkip = nextPause
    nextPause = Math.min(2 * nextPause, MAX_PAUSE_CHARS)
    if (result === null) return
    votes = [...votes, result].slice(-MAX_VOTES)
    const yes = votes.filter(Boolean).length
    if (2 * yes !== votes.length) isEnglish = 2 * yes > votes.length
  }
  return {
    addText(text) {
      if (charsToSkip > 0) charsToSkip -= text.length
      else {
        sample += `${text.slice(0, MAX_SEGMENT_CHARS)} `
        if (sample.length >= SAMPLE_CHARS) vote()
      }
    },
    isEnglish: () => isEnglish,
  }
}

/** Null if the language of the text cannot be detected. */
function isEnglishText(sample: string): boolean | null {
  if (!hasMostlyLetters(sample)) return null
  if (!isMostlyLatin(sample)) return false
  const found = loadFranc().franc(sample, { only: CANDIDATES })
  return found === 'und' ? null : found === 'eng'
}

/** The language of a text of a few hundred characters, as a tag such as `de`; null if it cannot be detected. */
export function detectLanguage(sample: string): string | null {
  if (!hasMostlyLetters(sample)) return null
  const found = loadFranc().franc(sample, isMostlyLatin(sample) ? { only: CANDIDATES } : {})
  return found === 'und' ? null : new Intl.Locale(found).language
}

function hasMostlyLetters(sample: string): boolean {
  return 4 * countLetters(sample) >= sample.length
}

function isMostlyLatin(sample: string): boolean {
  return 2 * (sample.match(/\p{Script=Latin}/gu)?.length ?? 0) >= countLetters(sample)
}

function countLetters(sample: string): number {
  return sample.match(/\p{L}/gu)?.length ?? 0
}
