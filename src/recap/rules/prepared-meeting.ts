import { detectMostSpokenLanguage } from '../../language/detect-language.ts'
import { readSentence, splitSentences, type SpokenSentence } from '../../language/sentences.ts'
import type { RecapSegment, RecapSource } from '../recap.ts'
import { ENGLISH } from '../../language/rules/english.ts'
import { FRENCH } from '../../language/rules/french.ts'
import { GERMAN } from '../../language/rules/german.ts'
import type { LanguageRules } from '../../language/rules/language-rules.ts'
import { PORTUGUESE } from '../../language/rules/portuguese.ts'
import { SPANISH } from '../../language/rules/spanish.ts'
import {
  createPeopleFinder,
  normalizeSpeakerName,
  type PeopleFinder,
} from '../../language/people.ts'
import { toPlainLine } from '../../language/words.ts'

/** `segmentIndex` is the position in `segments` of the prepared meeting. */
export type SegmentSentence = SpokenSentence & { segmentIndex: number }

export type PreparedSegment = {
  number: number
  /** Empty if the speaker is unknown. */
  speaker: string
  text: string
  startMs: number
  endMs: number
  sentences: SegmentSentence[]
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

const LANGUAGES: ReadonlyMap<string, LanguageRules> = new Map([
  ['de', GERMAN],
  ['en', ENGLISH],
  ['es', SPANISH],
  ['fr', FRENCH],
  ['pt', PORTUGUESE],
])

const SAMPLES = 5
const SAMPLE_CHARS = 400

/** Splits a meeting's segments into sentences. */
export function prepareMeeting(source: RecapSource): PreparedMeeting {
  const read = sampleSegments(source.segments)
  const people = createPeopleFinder([
    ...source.participants,
    ...new Set(read.map(({ speaker }) => normalizeSpeakerName(speaker))),
  ])
  const language = detectMostSpokenLanguage(takeSamples(read), source.languageHint)
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
    .map((sentence) => ({ ...readSentence(sentence, people), segmentIndex }))
  return { number, speaker: normalizeSpeakerName(speaker), text: line, startMs, endMs, sentences }
}

/** Returns null for a language without rules, which gets only a summary and topics. */
function findLanguageRules(language: string | null): LanguageRules | null {
  return LANGUAGES.get(language ?? '') ?? null
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
