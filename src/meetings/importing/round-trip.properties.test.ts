import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Meeting } from '../meeting.ts'
import { buildCues } from '../transcript/cues.ts'
import { TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION } from '../transcript/formats.ts'
import type { TranscriptContent } from '../transcript/source.ts'
import type { ImportFormat } from './format-names.ts'
import { readTranscriptFile, type ImportedTranscript } from './read-transcript-file.ts'

const RUNS = { seed: 20_261_115, numRuns: 300 }
const startedAt = new Date('2026-11-15T08:30:00.000Z')

const WORDS = [
  'yes',
  'No,',
  'budget',
  '3.5',
  '*stars*',
  '_under_',
  '#7',
  '&amp;',
  '[x]',
  '->',
  '“so”',
  'Ωmega',
  '東京',
  '🙂',
  '`code`',
  '1.',
  '-',
] as const
const toTexts = (word: fc.Arbitrary<string>) =>
  fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '))
/** SubRip has tags but no escapes, so a text that looks like a tag cannot be read back. */
const textWithoutTags = toTexts(fc.constantFrom(...WORDS))
const text = toTexts(fc.constantFrom('<b>', '</v>', ...WORDS))
/** SubRip and plain text have no syntax for names, so names with a colon and a space cannot be read back. */
const speaker = fc.constantFrom(
  'Ada',
  'Ben Ito',
  'Dr. Çelik, Zoë',
  'A > B',
  '*Star*',
  'O’Neil [guest room]',
  'Team & Co',
  '山田 太郎',
)
const talkOf = (texts: fc.Arbitrary<string>) =>
  fc.array(fc.record({ speaker, text: texts, pauseMs: fc.integer({ min: 0, max: 90_000 }) }), {
    minLength: 1,
    maxLength: 25,
  })

type Talk = Array<{ speaker: string; text: string; pauseMs: number }>

function toContent(lines: Talk): TranscriptContent {
  let at = startedAt.getTime()
  const segments = lines.map(({ pauseMs, ...line }, i) => {
    at += pauseMs
    return { number: i + 1, ...line, startedAt: new Date(at) }
  })
  const gap = {
    cause: 'captions_lost' as const,
    startedAt: new Date(at + 1),
    endedAt: new Date(at + 5_000),
  }
  return {
    title: 'Weekly',
    platform: 'google_meet' satisfies Meeting['platform'],
    startedAt,
    endedAt: new Date(at + 60_000),
    participants: [...new Set(lines.map((line) => line.speaker))],
    segments,
    gaps: [{ ...gap, afterSegment: lines.length }],
    insights: [{ category: 'decision', text: 'Ada: yes', segmentNumbers: [1] }],
  }
}

function checkRoundTrip(
  format: ImportFormat,
  write: (content: TranscriptContent) => string,
  check: (content: TranscriptContent, read: ImportedTranscript) => void,
): void {
  fc.assert(
    fc.property(talkOf(format === 'srt' ? textWithoutTags : text), (lines) => {
      const content = toContent(lines)
      const file = { content: write(content), fileName: null, format: null, timeZone: 'UTC' }
      const read = readTranscriptFile(file)
      assert.equal(read.format, format)
      assert.deepEqual(
        read.segments.map((segment) => [segment.speaker, segment.text]),
        content.segments.map((segment) => [segment.speaker, segment.text]),
      )
      check(content, read)
    }),
    RUNS,
  )
}

const writeText =
  (extension: keyof typeof TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION) => (content: TranscriptContent) =>
    [...TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION[extension].write(content, 'meeting_1')].join('')
const offsetsOf = ({ segments }: TranscriptContent) =>
  segments.map((segment) => segment.startedAt.getTime() - startedAt.getTime())
const startsOf = ({ segments }: ImportedTranscript) => segments.map(({ startMs }) => startMs)
const toSeconds = (ms: number) => Math.floor(ms / 1000) * 1000

/** Overlapping texts are shown one after the other, so a text starts when its cue does, not when its segment does. */
const cueStartsOf = (content: TranscriptContent) =>
  [...buildCues(content)].flatMap(({ number, startMs }) => (number === null ? [] : [startMs]))

test('a transcript exported as WebVTT reads back with speakers, texts and times', () => {
  checkRoundTrip('vtt', writeText('vtt'), (content, read) => {
    assert.deepEqual(startsOf(read), cueStartsOf(content))
  })
})

test('a transcript exported as SubRip reads back with speakers, texts and times', () => {
  checkRoundTrip('srt', writeText('srt'), (content, read) => {
    assert.deepEqual(startsOf(read), cueStartsOf(content))
  })
})

test('a transcript exported as text reads back with speakers, texts and times in seconds', () => {
  checkRoundTrip('hansard-text', writeText('txt'), (content, read) => {
    assert.deepEqual(startsOf(read), offsetsOf(content).map(toSeconds))
    assert.deepEqual(read.startedAt, startedAt)
  })
})

test('a transcript exported as markdown reads back with speakers, texts and the times of turns in seconds', () => {
  checkRoundTrip('hansard-markdown', writeText('md'), (content, read) => {
    const offsets = offsetsOf(content)
    for (const [i, { speaker: name }] of content.segments.entries()) {
      const isTurn = content.segments[i - 1]?.speaker !== name
      if (isTurn) assert.equal(read.segments[i]?.startMs, toSeconds(offsets[i] ?? 0))
    }
  })
})

test('a transcript exported as JSON reads back with everything', () => {
  checkRoundTrip('hansard-json', writeJson, (content, read) => {
    assert.deepEqual(startsOf(read), offsetsOf(content))
    assert.deepEqual(read.startedAt, startedAt)
    assert.deepEqual(read.participants, content.participants)
    assert.equal(read.gaps.length, 1)
    assert.equal(read.gaps[0]?.afterSegment, content.segments.length)
  })
})

/** The fields of the API's response that an import uses. test/meetings/import.test.ts imports a real response. */
function writeJson({ title, segments, gaps, ...content }: TranscriptContent): string {
  return JSON.stringify({
    title,
    startedAt: content.startedAt,
    endedAt: content.endedAt,
    participants: content.participants,
    segments: segments.map(({ number, startedAt: timestamp, ...segment }) => ({
      ...segment,
      timestamp,
      segmentNumber: number,
    })),
    gaps: gaps.map(({ afterSegment, ...gap }) => ({ ...gap, afterSegmentNumber: afterSegment })),
  })
}
