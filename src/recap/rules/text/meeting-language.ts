import { detectLanguage } from '../../../coach/text/language-detector.ts'
import { guessLanguageByStopWords } from '../languages/stop-words.ts'
import { foldText } from './fold-text.ts'
import type { RecapSegment } from '../../recap.ts'

const SAMPLES = 5
const SAMPLE_CHARS = 400
/** Shorter texts are detected wrongly too often. */
const MIN_DETECTED_CHARS = 200
const WORD = /[\p{L}'-]+/gu

/**
 * The language that most samples of the meeting are in. The hint decides when too little was said; null when nothing
 * decides.
 */
export function detectMeetingLanguage(
  segments: readonly RecapSegment[],
  hint: string | null,
): string | null {
  const samples = takeSamples(segments)
  const all = samples.join(' ')
  const texts = samples.every((text) => text.length < MIN_DETECTED_CHARS) ? [all] : samples
  const votes = texts
    .filter((text) => text.length >= MIN_DETECTED_CHARS)
    .map(detectLanguage)
    .filter((language) => language !== null)
  const [winner] = [...Map.groupBy(votes, (language) => language)].toSorted(
    ([, a], [, b]) => b.length - a.length,
  )
  if (winner !== undefined) return winner[0]
  const words = [...foldText(all).matchAll(WORD)].map(([word]) => word)
  return readLanguageTag(hint) ?? guessLanguageByStopWords(words) ?? detectByScript(all)
}

/** Texts from evenly spaced parts of the meeting. */
function takeSamples(segments: readonly RecapSegment[]): string[] {
  return Array.from({ length: SAMPLES }, (_, part) => {
    let sample = ''
    const end = Math.floor(((part + 1) * segments.length) / SAMPLES)
    for (let i = Math.floor((part * segments.length) / SAMPLES); i < end; i += 1) {
      sample += `${segments[i]?.text.slice(0, SAMPLE_CHARS) ?? ''} `
      if (sample.length >= SAMPLE_CHARS) break
    }
    return sample
  })
}

/** Other scripts than Latin are used by few languages, so that short texts are enough. */
function detectByScript(text: string): string | null {
  return /\p{Script=Latin}/u.test(text) || !/\p{L}/u.test(text) ? null : detectLanguage(text)
}

function readLanguageTag(tag: string | null): string | null {
  const [, language] = /^([a-z]{2,3})(?:[-_]|$)/i.exec(tag ?? '') ?? []
  return language?.toLowerCase() ?? null
}
