import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ImportFormat } from './format-names.ts'
import { readTranscriptFile, type ImportedTranscript } from './read-transcript-file.ts'

function read(content: string, fileName: string | null = null, timeZone = 'UTC') {
  return readTranscriptFile({ content, fileName, format: null, timeZone })
}

function listLines({ segments }: ImportedTranscript): string[] {
  return segments.map(({ startMs, speaker, text }) => `${startMs} ${speaker}: ${text}`)
}

const LINES = ['1500 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.']

/** The same two texts as every product writes them. Some formats have times with less precision. */
const FILES: ReadonlyArray<{ format: ImportFormat; content: string; lines?: string[] }> = [
  {
    format: 'vtt',
    content:
      'WEBVTT - Weekly\nKind: captions\n\nNOTE\nnobody says this\n\n1\n00:01.500 --> 00:03.000 align:start\n<v Ada>Good <b>morning</b>.\n\n00:00:04.000 --> 00:00:05.000\n<v.loud Ben Ito>Hello,\nAda.\n',
  },
  {
    format: 'teams-vtt',
    content:
      'WEBVTT\n\n2f1c9d3e-0a55-4b7e-9d5f-1c2b3a4d5e6f/12-0\n00:00:01.500 --> 00:00:03.120\n<v Ada>Good morning.</v>\n\n2f1c9d3e-0a55-4b7e-9d5f-1c2b3a4d5e6f/13-0\n00:00:04.000 --> 00:00:05.200\n<v Ben Ito>Hello,\nAda.</v>\n',
  },
  {
    format: 'zoom-vtt',
    content:
      'WEBVTT\r\n\r\n1\r\n00:00:01.500 --> 00:00:03.000\r\nAda: Good morning.\r\n\r\n2\r\n00:00:04.000 --> 00:00:05.000\r\nBen Ito: Hello, Ada.\r\n',
  },
  {
    format: 'srt',
    content:
      '1\n00:00:01,500 --> 00:00:03,000\nAda: Good morning.\n\n2\n00:00:04,000 --> 00:00:05,000\nBen Ito: <i>Hello, Ada.</i>\n',
  },
  {
    format: 'hansard-json',
    content: JSON.stringify({
      title: 'Weekly',
      startedAt: '2026-11-15T08:30:00.000Z',
      endedAt: '2026-11-15T09:00:00.000Z',
      participants: ['Ada', 'Cleo'],
      segments: [
        {
          speaker: 'Ada',
          text: 'Good morning.',
          timestamp: '2026-11-15T08:30:01.500Z',
          segmentNumber: 1,
        },
        {
          speaker: 'Ben Ito',
          text: 'Hello, Ada.',
          timestamp: '2026-11-15T08:30:04.000Z',
          segmentNumber: 2,
        },
      ],
    }),
  },
  {
    format: 'hansard-text',
    content:
      'Weekly\nPlatform: Google Meet\nStarted: 2026-11-15T08:30:00.000Z\n\n[00:00:01] Ada: Good morning.\n[00:00:02] (5 s not recorded: captions were lost)\n[00:00:04] Ben Ito: Hello, Ada.\n\nInsights\n\n- Decision: none\n',
    lines: ['1000 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    format: 'hansard-markdown',
    content:
      '---\ntitle: "Weekly"\nstartedAt: "2026-11-15T08:30:00.000Z"\n---\n\n# Weekly\n\n## Recap\n\nA summary.\n\n**Ada** 00:00:01 Good morning.\n\n*5 s not recorded: captions were lost*\n\n**Ben Ito** 00:00:04 Hello, Ada.\n\n## Insights\n\n- **Decision** none\n',
    lines: ['1000 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    format: 'google-meet-text',
    content:
      'Nov 15, 2026\nWeekly - Transcript\nAttendees\nAda, Ben Ito, Cleo\nTranscript\n00:00:00\n \nAda: Good morning.\nBen Ito: Hello, Ada.\n00:05:00\n \nAda: Bye.\n\nTranscription ended after 00:05:07\n\nThis editable transcript was computer generated and might contain errors.\n',
    lines: ['0 Ada: Good morning.', '867 Ben Ito: Hello, Ada.', '300000 Ada: Bye.'],
  },
  {
    // Markdown, without a time above the first texts.
    format: 'google-meet-text',
    content:
      '**\n\n## Weekly - 2026/11/15 08:30 CET - Transcript\n\n# Attendees\n\nAda, Ben Ito, Cleo\n\n# Transcript\n\nAda: Good morning.\n\nBen Ito: Hello, Ada.\n\n### 00:05:00\n\nAda: Bye.\n\n### Meeting ended after 00:05:07 👋\n\nThis editable transcript was computer generated and might contain errors.\n\n  \n**',
    lines: ['0 Ada: Good morning.', '867 Ben Ito: Hello, Ada.', '300000 Ada: Bye.'],
  },
  {
    // Without any times.
    format: 'google-meet-text',
    content:
      'abc-defg-hij (2026-11-15 08:30 GMT+1) - Transcript\nAttendees\nAda, Ben Ito, Cleo\nTranscript\nThis editable transcript was computer generated and might contain errors.\nAda: Good morning.\nBen Ito:  Hello, Ada.\nMeeting ended after 00:05:07 👋\n',
    lines: ['0 Ada: Good morning.', '867 Ben Ito: Hello, Ada.'],
  },
  {
    format: 'otter-text',
    content:
      'Ada  0:01  \nGood morning.\n\nBen Ito  0:04  \nHello, Ada.\n\nTranscribed by https://otter.ai\n',
    lines: ['1000 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    format: 'fireflies-text',
    content: 'Weekly\n\nAda - 00:01\nGood morning.\n\nBen Ito - 00:04\nHello, Ada.\n',
    lines: ['1000 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    format: 'fireflies-text',
    content: 'Ada\n00:01\nGood morning.\n\nBen Ito\n00:04\nHello, Ada.\n',
    lines: ['1000 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    format: 'fireflies-json',
    content: JSON.stringify([
      {
        sentence: 'Good morning.',
        startTime: '00:01.500',
        endTime: '00:03',
        speaker_name: 'Ada',
        speaker_id: 0,
      },
      {
        sentence: 'Hello, Ada.',
        startTime: '00:04',
        endTime: '00:05',
        speaker_name: 'Ben Ito',
        speaker_id: 1,
      },
    ]),
  },
  {
    format: 'fireflies-json',
    content: JSON.stringify({
      data: {
        transcript: {
          title: 'Weekly',
          date: 1_794_731_400_000,
          duration: 30,
          sentences: [
            { index: 0, speaker_name: 'Ada', text: 'Good morning.', start_time: 1.5, end_time: 3 },
            { index: 1, speaker_name: 'Ben Ito', text: 'Hello, Ada.', start_time: 4, end_time: 5 },
          ],
        },
      },
    }),
  },
  {
    format: 'text',
    content: '[00:00:01.500] Ada: Good morning.\n[00:00:04] Ben Ito: Hello,\nAda.\n',
  },
  {
    format: 'text',
    content: 'Ada (00:01): Good morning.\nBen Ito (00:04): Hello, Ada.\n',
    lines: ['1000 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    format: 'text',
    content: 'Ada: Good morning.\nBen Ito: Hello, Ada.\n',
    lines: ['0 Ada: Good morning.', '867 Ben Ito: Hello, Ada.'],
  },
]

for (const [i, { format, content, lines = LINES }] of FILES.entries()) {
  test(`a file is recognised as ${format} and read (${i + 1})`, () => {
    const transcript = read(content)
    assert.equal(transcript.format, format)
    assert.deepEqual(listLines(transcript), lines)
  })
}

test('byte order marks and line ends of Windows and old Macs change nothing', () => {
  for (const { format, content, lines = LINES } of FILES) {
    if (format.endsWith('json')) continue
    for (const lineEnd of ['\r\n', '\r']) {
      const transcript = read(`\ufeff${content.replaceAll(/\r?\n/g, lineEnd)}`)
      assert.deepEqual(listLines(transcript), lines, `${format} with ${JSON.stringify(lineEnd)}`)
    }
  }
})

test('title, start, end and participants come from the file', () => {
  const json = read(FILES.find(({ format }) => format === 'hansard-json')?.content ?? '')
  assert.equal(json.title, 'Weekly')
  assert.deepEqual(json.startedAt, new Date('2026-11-15T08:30:00Z'))
  assert.equal(json.durationMs, 1_800_000)
  assert.deepEqual(json.participants, ['Ada', 'Ben Ito', 'Cleo'])
  assert.deepEqual(json.warnings, [])

  const meet = read(
    FILES.find(({ format }) => format === 'google-meet-text')?.content ?? '',
    null,
    'Asia/Tokyo',
  )
  assert.equal(meet.title, 'Weekly')
  assert.equal(meet.durationMs, 307_000)
  assert.deepEqual(meet.participants, ['Ada', 'Ben Ito', 'Cleo'])
  // Noon in Tokyo.
  assert.deepEqual(meet.startedAt, new Date('2026-11-15T03:00:00Z'))
  assert.match(meet.warnings[0]?.message ?? '', /only the date, 2026-11-15/)

  assert.deepEqual(
    read('Ada: Hi').warnings.map(({ path }) => path),
    ['content'],
  )
})

test('the file name gives title and start time where the file has none', () => {
  const vtt = FILES[0]?.content ?? ''
  const names: Array<[name: string, title: string | null, start: string | null]> = [
    ['GMT20261115-083000_Recording.transcript.vtt', null, '2026-11-15T08:30:00.000Z'],
    [
      'Weekly sync - 2026_11_15 08_30 PST - Transcript.txt',
      'Weekly sync',
      '2026-11-15T16:30:00.000Z',
    ],
    ['Call (2026-11-15 08:30 GMT+1) - Transcript.txt', 'Call', '2026-11-15T07:30:00.000Z'],
    ['Call - 2026_11_15 08_30 GMT-03:30 - Transcript', 'Call', '2026-11-15T12:00:00.000Z'],
    ['Sync - 2026_11_15 08_30 CDT - Notes by Gemini', 'Sync', '2026-11-15T13:30:00.000Z'],
    ['Weekly sync - 2026-11-15 08-30 - Transcript.txt', 'Weekly sync', '2026-11-15T07:30:00.000Z'],
    ['2026-11-15 0830 - Weekly sync.md', 'Weekly sync', '2026-11-15T07:30:00.000Z'],
    ['C:\\files\\weekly_sync.vtt', 'weekly sync', null],
    ['GMT20269915-083000_Recording.vtt', null, null],
  ]
  for (const [name, title, start] of names) {
    const transcript = read(vtt, name, 'Europe/Berlin')
    assert.equal(transcript.title, title, name)
    assert.equal(transcript.startedAt?.toISOString() ?? null, start, name)
  }
})

test('the heading of a transcript gives title and start, and an ambiguous time zone is reported', () => {
  const content = (zone: string) =>
    `Call - 2026/11/15 08:30 ${zone} - Transcript\nAttendees\nAda\nTranscript\nAda: Hi\n`
  const clear = read(content('GMT-4'))
  assert.equal(clear.title, 'Call')
  assert.deepEqual(clear.startedAt, new Date('2026-11-15T12:30:00Z'))
  const unclear = read(content('IST'), null, 'Europe/Dublin')
  assert.deepEqual(unclear.startedAt, new Date('2026-11-15T08:30:00Z'))
  assert.match(unclear.warnings[0]?.message ?? '', /^IST is not one time zone: Europe\/Dublin/)
})

test('a gap of a Hansard transcript is kept with its cause', () => {
  const { gaps } = read(
    JSON.stringify({
      startedAt: '2026-11-15T08:30:00.000Z',
      segments: [
        { speaker: 'Ada', text: 'One.', timestamp: '2026-11-15T08:30:01.000Z' },
        { speaker: 'Ada', text: 'Two.', timestamp: '2026-11-15T08:31:00.000Z' },
      ],
      gaps: [
        {
          cause: 'captions_lost',
          startedAt: '2026-11-15T08:30:05.000Z',
          endedAt: '2026-11-15T08:30:50.000Z',
          afterSegmentNumber: 1,
        },
        { cause: 'of a later version', startedAt: '2026-11-15T08:30:05.000Z', endedAt: null },
      ],
    }),
  )
  assert.deepEqual(gaps, [
    { cause: 'captions_lost', startMs: 5_000, endMs: 50_000, afterSegment: 1 },
  ])
})

test('a long text becomes several segments that share its time', () => {
  const sentence = 'This sentence is said again and again until the text is long. '
  const { segments } = read(
    `WEBVTT\n\n00:00:10.000 --> 00:01:50.000\n<v Ada>${sentence.repeat(40)}\n\n00:01:50.000 --> 00:01:51.000\n<v Ben>Yes.\n`,
  )
  const ada = segments.filter(({ speaker }) => speaker === 'Ada')
  assert.ok(ada.length >= 4)
  assert.ok(ada.every(({ text }) => text.length <= 800 && text.endsWith('.')))
  assert.equal(ada.map(({ text }) => text).join(' '), sentence.repeat(40).trim())
  assert.equal(ada[0]?.startMs, 10_000)
  assert.ok(ada.every(({ startMs }, i) => i === 0 || startMs > (ada[i - 1]?.startMs ?? 0)))
  assert.ok((ada.at(-1)?.startMs ?? 0) < 110_000)
})

test('text without speakers becomes one segment for each paragraph', () => {
  const { format, segments } = read('We met at noon.\nIt rained.\n\nThen we left: nobody stayed.\n')
  assert.equal(format, 'text')
  assert.deepEqual(
    segments.map(({ speaker, text }) => [speaker, text]),
    [
      ['Unknown speaker', 'We met at noon. It rained.'],
      ['Unknown speaker', 'Then we left: nobody stayed.'],
    ],
  )
})

test('cues of overlapping speakers are sorted, and subtitles without names have no speakers', () => {
  const overlapping = read(
    'WEBVTT\n\n00:00:10.000 --> 00:00:12.000\n<v Ada>Second\n\n00:00:05.000 --> 00:00:06.000\n<v Ben>First\n',
  )
  assert.deepEqual(listLines(overlapping), ['5000 Ben: First', '10000 Ada: Second'])
  const film = read(
    'WEBVTT\n\n00:01.000 --> 00:02.000\nIt was late.\n\n00:03.000 --> 00:04.000\nHe said: go.\n',
  )
  assert.equal(film.format, 'vtt')
  assert.deepEqual(
    film.segments.map(({ speaker }) => speaker),
    ['Unknown speaker', 'Unknown speaker'],
  )
  assert.deepEqual(film.participants, [])
})

test('the caller can name the format', () => {
  const content = 'Ada  0:01\nGood morning.'
  assert.equal(
    readTranscriptFile({ content, fileName: null, format: 'text', timeZone: 'UTC' }).format,
    'text',
  )
})
