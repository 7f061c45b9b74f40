import { normalizeSpeakerName } from '../../../coach/conversation.ts'
import { detectLanguage } from '../../../coach/text/language-detector.ts'
import { isQuestion, splitSentences } from '../../../coach/text/words-and-sentences.ts'
import type { RecapSegment, RecapSource } from '../../recap.ts'
import { ENGLISH } from '../languages/english.ts'
import { FRENCH } from '../languages/french.ts'
import { GERMAN } from '../languages/german.ts'
import { type LanguageRules, guessLanguageByStopWords } from '../languages/language-rules.ts'
import { PORTUGUESE } from '../languages/portuguese.ts'
import { SPANISH } from '../languages/spanish.ts'
import { createPeopleFinder, type NameMention, type PeopleFinder } from './people.ts'
import { foldText, toPlainLine } from './words.ts'

/** A sentence of a segment. `text`, `folded` and `masked` have the same length. */
export type SpokenSentence = {
  /** The position in `segments` of the prepared meeting. */
  segmentIndex: number
  text: string
  folded: string
  /** The folded text, with people's names replaced by `@`. */
  masked: string
  mentions: readonly NameMention[]
  isQuestion: boolean
}

export type PreparedSegment = {
  number: number
  /** Empty if the speaker is unknown. */
  speaker: string
  text: string
  startMs: number
  endMs: number
  sentences: SpokenSentence[]
}

export type PreparedMeeting = {
  /** Language tag such as `en`; null if unknown. */
  language: string | null
  /** Null if there are no rules for the language. */
  rules: LanguageRules | null
  segments: PreparedSegment[]
  people: PeopleFinder
  coverage: { segmentsRead: number; segmentsTotal: number }
}

/** Limits the work for a meeting, whatever it contains. */
const MAX_SEGMENTS = 20_000
const MAX_CHARS = 3_000_000
const MAX_SEGMENT_CHARS = 4_000
const MAX_SENTENCES_PER_SEGMENT = 40

const LANGUAGES: Readonly<Record<string, LanguageRules>> = {
  de: GERMAN,
  en: ENGLISH,
  es: SPANISH,
  fr: FRENCH,
  pt: PORTUGUESE,
}

const SAMPLES = 5
const SAMPLE_CHARS = 400
/** Shorter texts are too often detected wrongly. */
const MIN_DETECTED_CHARS = 200
const WORD = /[\p{L}'-]+/gu

/** Splits a meeting's segments into sentences. */
export function prepareMeeting(source: RecapSource): PreparedMeeting {
  const read = sampleSegments(source.segments)
  const people = createPeopleFinder([
    ...source.participants,
    ...new Set(read.map(({ speaker }) => normalizeSpeakerName(speaker))),
  ])
  const language = detectMeetingLanguage(read, source.languageHint)
  const rules = findLanguageRules(language)
  const split = rules === null ? splitSentencesOfAnyLanguage : splitSentences
  const segments = read.map((segment, index) => prepareSegment(segment, index, people, split))
  return {
    language,
    rules,
    segments,
    people,
    coverage: { segmentsRead: segments.length, segmentsTotal: source.segments.length },
  }
}

const sentenceSegmenter = new Intl.Segmenter('en', { granularity: 'sentence' })

/** Uses the rules of Unicode, which know the punctuation of all scripts. */
function splitSentencesOfAnyLanguage(text: string): string[] {
  return [...sentenceSegmenter.segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '')
}

/** All segments, or evenly spaced ones if there are too many to read. */
function sampleSegments(segments: readonly RecapSegment[]): readonly RecapSegment[] {
  const chars = segments.reduce(
    (sum, { text }) => sum + Math.min(text.length, MAX_SEGMENT_CHARS),
    0,
  )
  const step = Math.max(1, Math.ceil(segments.length / MAX_SEGMENTS), Math.ceil(chars / MAX_CHARS))
  return step === 1 ? segments : segments.filter((_, index) => index % step === 0)
}

function prepareSegment(
  { number, speaker, text, startMs, endMs }: RecapSegment,
  segmentIndex: number,
  people: PeopleFinder,
  split: (text: string) => string[],
): PreparedSegment {
  const line = toPlainLine(text.slice(0, MAX_SEGMENT_CHARS))
  const sentences = split(line)
    .slice(0, MAX_SENTENCES_PER_SEGMENT)
    .map((sentence) => {
      const folded = foldText(sentence)
      const { masked, mentions } = people.maskNames(sentence, folded)
      return {
        segmentIndex,
        text: sentence,
        folded,
        masked,
        mentions,
        isQuestion: isQuestion(sentence),
      }
    })
  return {
    number,
    speaker: normalizeSpeakerName(speaker),
    text: line,
    startMs,
    endMs,
    sentences,
  }
}

/** Returns null for a language without rules, which gets only a summary and topics. */
function findLanguageRules(language: string | null): LanguageRules | null {
  return language !== null && Object.hasOwn(LANGUAGES, language)
    ? (LANGUAGES[language] ?? null)
    : null
}

/**
 * The language of most samples of the meeting. If too little was said, the hint decides, then the stop words or the
 * script; null if none of them does.
 */
function detectMeetingLanguage(
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

/** Few languages use a script other than Latin, so short texts are enough. */
function detectByScript(text: string): string | null {
  return /\p{Script=Latin}/u.test(text) || !/\p{L}/u.test(text) ? null : detectLanguage(text)
}

function readLanguageTag(tag: string | null): string | null {
  const [, language] = /^([a-z]{2,3})(?:[-_]|$)/i.exec(tag ?? '') ?? []
  return language?.toLowerCase() ?? null
}
