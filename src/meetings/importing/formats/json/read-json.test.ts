import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ImportFormat } from '../../format-names.ts'
import { readTranscriptFile } from '../../read-transcript-file.ts'
import { UnreadableTranscript } from '../found-transcript.ts'

function read(file: unknown) {
  const content = JSON.stringify(file)
  return readTranscriptFile({ content, fileName: null, format: null, timeZone: 'UTC' })
}

type Word = { text: string; start: number; end: number; speaker: number }

/** Two sentences of one speaker, one of another, and a pause without a full stop. Times are in milliseconds. */
const WORDS: readonly Word[] = [
  { text: 'Good', start: 1_500, end: 1_800, speaker: 0 },
  { text: 'morning.', start: 1_800, end: 2_300, speaker: 0 },
  { text: 'Shall', start: 2_400, end: 2_700, speaker: 0 },
  { text: 'we?', start: 2_700, end: 3_000, speaker: 0 },
  { text: 'Hello,', start: 4_000, end: 4_400, speaker: 1 },
  { text: 'Dr.', start: 4_400, end: 4_700, speaker: 1 },
  { text: 'Ada', start: 4_700, end: 5_000, speaker: 1 },
  { text: 'yes', start: 7_000, end: 7_300, speaker: 1 },
]
const linesOf = (first: string, second: string) => [
  `1500 ${first}: Good morning.`,
  `2400 ${first}: Shall we?`,
  `4000 ${second}: Hello, Dr. Ada`,
  `7000 ${second}: yes`,
]

/** The same as sentences, which is how most products write them. */
const SENTENCES = [
  { text: 'Good morning.', start: 1.5, end: 2.3, speaker: 0 },
  { text: 'Hello, Ada.', start: 4, end: 5, speaker: 1 },
]
const SENTENCE_LINES = ['1500 Speaker 1: Good morning.', '4000 Speaker 2: Hello, Ada.']
const START = Date.UTC(2026, 10, 15, 8, 30)
const instant = (seconds: number) => new Date(START + seconds * 1000).toISOString()

const awsItems = (isLabelled: boolean) =>
  WORDS.flatMap(({ text, start, end, speaker }) => {
    const [, word = '', mark] = /^(\w+)(\W?)$/.exec(text) ?? []
    const label = isLabelled ? { speaker_label: `spk_${speaker}` } : {}
    const times = { start_time: String(start / 1000), end_time: String(end / 1000) }
    const item = { type: 'pronunciation', alternatives: [{ content: word }], ...times, ...label }
    const punctuation = { type: 'punctuation', alternatives: [{ content: mark }], ...label }
    return mark ? [item, punctuation] : [item]
  })

const FILES: ReadonlyArray<{ name: string; format: ImportFormat; file: unknown; lines: string[] }> =
  [
    {
      name: 'Whisper',
      format: 'whisper-json',
      file: {
        text: ' Good morning. Hello, Ada.',
        segments: SENTENCES.map(({ text, start, end }, id) => ({
          id,
          seek: 0,
          start,
          end,
          text: ` ${text}`,
          tokens: [1, 2],
          words: [{ word: ` ${text}`, start, end, probability: 0.9 }],
        })),
        language: 'en',
      },
      lines: SENTENCE_LINES.map((line) => line.replace(/Speaker \d/, 'Unknown speaker')),
    },
    {
      name: 'WhisperX',
      format: 'whisper-json',
      file: {
        segments: SENTENCES.map(({ speaker, ...one }) => ({
          ...one,
          speaker: `SPEAKER_0${speaker}`,
        })),
        word_segments: [],
      },
      lines: SENTENCE_LINES,
    },
    {
      name: 'whisper.cpp',
      format: 'whisper-json',
      file: {
        result: { language: 'en' },
        transcription: [
          {
            timestamps: { from: '00:00:01,500', to: '00:00:02,300' },
            offsets: { from: 1500, to: 2300 },
            text: ' Good morning.',
          },
        ],
      },
      lines: ['1500 Unknown speaker: Good morning.'],
    },
    {
      name: 'Whisper in chunks',
      format: 'whisper-json',
      file: { text: '', chunks: [{ timestamp: [1.5, null], text: ' Good morning.' }] },
      lines: ['1500 Unknown speaker: Good morning.'],
    },
    {
      name: 'Deepgram with words',
      format: 'deepgram-json',
      file: {
        metadata: { duration: 8, channels: 1 },
        results: {
          channels: [
            {
              alternatives: [
                {
                  transcript: 'good morning',
                  words: WORDS.map(({ text, start, end, speaker }) => ({
                    word: text.toLowerCase().replace(/\W$/, ''),
                    punctuated_word: text,
                    start: start / 1000,
                    end: end / 1000,
                    speaker,
                  })),
                },
              ],
            },
          ],
        },
      },
      lines: linesOf('Speaker 1', 'Speaker 2'),
    },
    {
      name: 'Deepgram with utterances',
      format: 'deepgram-json',
      file: {
        results: {
          channels: [{ alternatives: [{ transcript: 'x', words: [] }] }],
          utterances: SENTENCES.map(({ text, ...one }) => ({
            ...one,
            transcript: text,
            channel: 0,
          })),
        },
      },
      lines: SENTENCE_LINES,
    },
    {
      name: 'AWS Transcribe',
      format: 'aws-transcribe-json',
      file: {
        jobName: 'weekly',
        results: { transcripts: [{ transcript: 'x' }], items: awsItems(true) },
      },
      lines: linesOf('Speaker 1', 'Speaker 2'),
    },
    {
      name: 'AWS Transcribe with the speakers in a list of their own',
      format: 'aws-transcribe-json',
      file: {
        results: {
          items: awsItems(false),
          speaker_labels: {
            segments: [{ items: awsItems(true).filter((item) => 'start_time' in item) }],
          },
        },
      },
      lines: linesOf('Speaker 1', 'Speaker 2'),
    },
    {
      name: 'AssemblyAI with utterances',
      format: 'assemblyai-json',
      file: {
        audio_duration: 8,
        words: WORDS,
        utterances: SENTENCES.map(({ text, start, end, speaker }) => ({
          text,
          start: start * 1000,
          end: end * 1000,
          speaker: 'AB'[speaker],
        })),
      },
      lines: ['1500 Speaker A: Good morning.', '4000 Speaker B: Hello, Ada.'],
    },
    {
      name: 'AssemblyAI without speakers',
      format: 'assemblyai-json',
      file: {
        audio_duration: 8,
        utterances: null,
        words: WORDS.map((word) => ({ ...word, speaker: null })),
      },
      lines: linesOf('Unknown speaker', 'Unknown speaker'),
    },
    {
      name: 'a list of words in milliseconds',
      format: 'json',
      file: WORDS.map((word) => ({ ...word, confidence: 0.9, speaker: 'AB'[word.speaker] })),
      lines: linesOf('Speaker A', 'Speaker B'),
    },
    {
      name: 'a list of words in seconds',
      format: 'json',
      file: {
        words: WORDS.map((word) => ({ ...word, start: word.start / 1000, end: word.end / 1000 })),
      },
      lines: linesOf('Speaker 1', 'Speaker 2'),
    },
    {
      name: 'a list with the names of Fireflies and other times',
      format: 'json',
      file: SENTENCES.map(({ text, start }) => ({ speaker_name: 'Ada', text, start })),
      lines: ['1500 Ada: Good morning.', '4000 Ada: Hello, Ada.'],
    },
    {
      name: 'a list with the labels of speakers',
      format: 'json',
      file: {
        speakers: { spk_0: 'Ada', spk_1: 'Ben' },
        segments: SENTENCES.map(({ speaker, ...one }) => ({
          ...one,
          speakerLabel: `spk_${speaker}`,
        })),
      },
      lines: SENTENCE_LINES,
    },
    {
      name: 'sentences without times',
      format: 'fathom-json',
      file: { transcript: [{ speaker: { display_name: 'Ada' }, text: 'Good morning.' }] },
      lines: ['0 Ada: Good morning.'],
    },
    {
      name: 'words of Hyprnote',
      format: 'json',
      file: {
        transcripts: [
          {
            words: WORDS.map(({ text, start, end, speaker }) => ({
              text: ` ${text}`,
              start_ms: start,
              end_ms: end,
              speaker: { type: 'unassigned', value: { index: speaker } },
            })),
          },
        ],
      },
      lines: linesOf('Speaker 1', 'Speaker 2'),
    },
    {
      name: 'words with spaces between them',
      format: 'json',
      file: {
        words: WORDS.flatMap(({ text, start, end, speaker }) => [
          {
            text,
            type: 'word',
            start: start / 1000,
            end: end / 1000,
            speaker_id: `speaker_${speaker}`,
          },
          { text: ' ', type: 'spacing', start: end / 1000, end: end / 1000, speaker_id: null },
        ]),
      },
      lines: linesOf('Speaker 1', 'Speaker 2'),
    },
    {
      name: 'words of a script without spaces',
      format: 'json',
      file: ['今日', 'は', '晴れ', 'です', '。', 'はい'].map((text, i) => ({
        text,
        start: i / 2,
        end: i / 2 + 0.4,
      })),
      lines: ['0 Unknown speaker: 今日は晴れです。', '2500 Unknown speaker: はい'],
    },
    {
      name: 'a podcast',
      format: 'podcast-json',
      file: {
        version: '1.0.0',
        segments: WORDS.map(({ text, start, end, speaker }) => ({
          speaker: ['Ada', 'Ben'][speaker],
          startTime: start / 1000,
          endTime: end / 1000,
          body: text,
        })),
      },
      lines: linesOf('Ada', 'Ben'),
    },
    {
      name: 'Vexa',
      format: 'vexa-json',
      file: {
        platform: 'google_meet',
        native_meeting_id: 'abc-defg-hij',
        start_time: instant(0),
        data: { name: 'Weekly' },
        segments: SENTENCES.map(({ text, start, end, speaker }) => ({
          start: start + 100,
          end: end + 100,
          text,
          language: 'en',
          speaker: ['Ada', 'Ben Ito'][speaker],
          absolute_start_time: instant(start).slice(0, -1),
          absolute_end_time: instant(end).slice(0, -1),
        })),
      },
      lines: ['1500 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
    },
    {
      name: 'Fathom',
      format: 'fathom-json',
      file: {
        title: 'Weekly',
        recording_start_time: instant(0),
        calendar_invitees: [{ name: 'Cleo', email: 'cleo@example.org' }],
        transcript: [
          { speaker: { display_name: 'Ada' }, text: 'Good morning.', timestamp: '00:00:01' },
          { speaker: { display_name: 'Ben Ito' }, text: 'Hello, Ada.', timestamp: '00:00:04' },
        ],
      },
      lines: ['1000 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
    },
    {
      name: 'Fathom without speakers',
      format: 'fathom-json',
      file: { transcript: [{ speaker: null, text: 'Good morning.', timestamp: '00:00:01' }] },
      lines: ['1000 Unknown speaker: Good morning.'],
    },
    {
      name: 'Granola',
      format: 'granola-json',
      file: {
        object: 'note',
        title: 'Weekly',
        attendees: [{ name: 'Ben Ito', email: 'ben@example.org' }],
        transcript: SENTENCES.map(({ text, start, end, speaker }) => ({
          speaker: { source: ['microphone', 'speaker'][speaker] },
          text,
          start_time: instant(start),
          end_time: instant(end),
        })),
      },
      // If the start of the meeting is missing, the first text is the start.
      lines: ['0 Me: Good morning.', '2500 Them: Hello, Ada.'],
    },
    {
      name: 'texts that Granola stores',
      format: 'granola-json',
      file: SENTENCES.map(({ text, start, end, speaker }) => ({
        document_id: 'd',
        source: ['microphone', 'system'][speaker],
        text,
        start_timestamp: instant(start),
        end_timestamp: instant(end),
        is_final: true,
      })),
      lines: ['0 Me: Good morning.', '2500 Them: Hello, Ada.'],
    },
  ]

for (const { name, format, file, lines } of FILES) {
  test(`JSON of other products is read: ${name}`, () => {
    const transcript = read(file)
    assert.equal(transcript.format, format)
    assert.deepEqual(
      transcript.segments.map(({ startMs, speaker, text }) => `${startMs} ${speaker}: ${text}`),
      lines,
    )
  })
}

test('JSON of other products gives title, start and participants', () => {
  const factsOf = (name: string) => {
    const { title, startedAt, participants } = read(FILES.find((one) => one.name === name)?.file)
    return [title, startedAt?.toISOString(), participants.join()]
  }
  assert.deepEqual(factsOf('Vexa'), ['Weekly', instant(0), 'Ada,Ben Ito'])
  assert.deepEqual(factsOf('Fathom'), ['Weekly', instant(0), 'Ada,Ben Ito,Cleo'])
  assert.deepEqual(factsOf('Granola'), ['Weekly', instant(1.5), 'Me,Them,Ben Ito'])
})

test('the error for other JSON names its product and those that can be read', () => {
  const problemOf = (file: unknown) => {
    try {
      read(file)
    } catch (error) {
      if (error instanceof UnreadableTranscript) return error.message
      throw error
    }
    return 'none'
  }
  assert.match(
    problemOf({ a: 1 }),
    /^Line 1: This JSON cannot be read.*Fireflies.*Deepgram.*Whisper/,
  )
  const others: ReadonlyArray<[product: string, file: object]> = [
    ['Azure Speech', { recognizedPhrases: [] }],
    ['Google Speech-to-Text', { results: [{ alternatives: [{ transcript: 'Hi' }] }] }],
    ['IBM Watson', { results: [{ alternatives: [{ timestamps: [['hi', 0, 1]] }] }] }],
    ['Speechmatics', { results: [{ alternatives: [{ content: 'Hi' }], start_time: 0 }] }],
  ]
  for (const [product, file] of others) {
    assert.match(problemOf(file), new RegExp(`JSON of ${product} cannot be read`))
  }
})
