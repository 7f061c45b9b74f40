import { isQuestion, splitSentences } from '../../../coach/text/sentences.ts'
import { normalizeSpeakerName } from '../../../coach/speech/utterance.ts'
import type { RecapSegment, RecapSource } from '../../recap.ts'
import { findLanguageRules } from '../languages/all-languages.ts'
import type { LanguageRules } from '../languages/language-rules.ts'
import { foldText, toPlainLine } from './fold-text.ts'
import { detectMeetingLanguage } from './meeting-language.ts'
import { createPeopleFinder, type NameMention, type PeopleFinder } from './people.ts'

/** A sentence of a segment. `text`, `folded` and `masked` have the same length. */
export type SpokenSentence = {
  /** Position in `segments` of the prepared meeting. */
  segmentIndex: number
  text: string
  folded: string
  /** The folded text in which names of people are replaced by `@`. */
  masked: string
  mentions: readonly NameMention[]
  isQuestion: boolean
}

export type PreparedSegment = {
  number: number
  /** Empty when the speaker is not known. */
  speaker: string
  text: string
  startMs: number
  endMs: number
  sentences: SpokenSentence[]
}

export type PreparedMeeting = {
  /** Language tag such as `en`; null when the language is not known. */
  language: string | null
  /** Null when there are no rules for the language. */
  rules: LanguageRules | null
  segments: PreparedSegment[]
  people: PeopleFinder
  coverage: { segmentsRead: number; segmentsTotal: number }
}

/** Limits that bound the work for one meeting, no matter what it contains. */
const MAX_SEGMENTS = 20_000
const MAX_CHARS = 3_000_000
const MAX_SEGMENT_CHARS = 4_000
const MAX_SENTENCES_PER_SEGMENT = 40

/** Cuts the segments of a meeting into sentences. */
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

/** By the rules of Unicode, which know the punctuation marks of all scripts. */
function splitSentencesOfAnyLanguage(text: string): string[] {
  return [...sentenceSegmenter.segment(text)]
    .map(({ segment }) => segment.trim())
    .filter((sentence) => sentence !== '')
}

/** All segments, or evenly spaced ones when there are too many to read. */
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
