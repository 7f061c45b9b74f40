import type * as Franc from 'franc'
import { lazyRequire } from '../../lib/lazy-require.ts'

/** Wanted with the first vote: its tables of all languages are long. */
const loadFranc = lazyRequire('franc') as () => typeof Franc

/** What is spoken, as far as the rules care. */
export interface LanguageDetector {
  addText(text: string): void
  /** True until most of the latest votes say otherwise. */
  isEnglish(): boolean
}

/** Shorter texts are guessed wrongly. */
const SAMPLE_CHARS = 300
const MAX_SEGMENT_CHARS = 300
/** A vote takes as long as hundreds of segments, so each is followed by a pause that doubles up to a limit. */
const FIRST_PAUSE_CHARS = 1_000
const MAX_PAUSE_CHARS = 16_000
const MAX_VOTES = 3

/** Languages in Latin letters that are spoken in meetings. Fewer candidates: a cheaper and surer vote. */
const CANDIDATES =
  'eng deu nld fra spa por ita ron cat swe dan nob fin pol ces slk slv hrv hun lit tur azj vie ind tgl swh'.split(
    ' ',
  )

export function createLanguageDetector(): LanguageDetector {
  let sample = ''
  let pauseLeft = 0
  let nextPause = FIRST_PAUSE_CHARS
  let votes: boolean[] = []
  let isEnglish = true

  function vote(): void {
    const ballot = isInEnglish(sample)
    sample = ''
    pauseLeft = nextPause
    nextPause = Math.min(2 * nextPause, MAX_PAUSE_CHARS)
    if (ballot === null) return
    votes = [...votes, ballot].slice(-MAX_VOTES)
    const yes = votes.filter(Boolean).length
    if (2 * yes !== votes.length) isEnglish = 2 * yes > votes.length
  }
  return {
    addText(text) {
      if (pauseLeft > 0) pauseLeft -= text.length
      else {
        sample += `${text.slice(0, MAX_SEGMENT_CHARS)} `
        if (sample.length >= SAMPLE_CHARS) vote()
      }
    },
    isEnglish: () => isEnglish,
  }
}

/** Null when the text gives no clue. */
function isInEnglish(sample: string): boolean | null {
  const letters = sample.match(/\p{L}/gu)?.length ?? 0
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (4 * letters < sample.length) return null
  if (2 * latin < letters) return false
  const found = loadFranc().franc(sample, { only: CANDIDATES })
  return found === 'und' ? null : found === 'eng'
}
