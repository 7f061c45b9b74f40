import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ImportFormat } from './format-names.ts'
import { readTranscriptFile } from './read-transcript-file.ts'

const LINES = ['1500 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.']

/** Files in unusual forms. No line may be lost, and no text may become a speaker. */
const FILES: ReadonlyArray<{
  name: string
  format: ImportFormat
  content: string
  lines?: string[]
}> = [
  {
    name: 'texts above the first time and below the end',
    format: 'google-meet-text',
    content:
      'Ada: Good morning.\n00:05:00\ngo on\nBen Ito: Hello, Ada.\nTranscription ended after 00:05:07\nAda: Still here.\nSent by a machine\n',
    lines: [
      '0 Ada: Good morning.',
      '300000 Ada: go on',
      '300334 Ben Ito: Hello, Ada.',
      '301068 Ada: Still here. Sent by a machine',
    ],
  },
  {
    name: 'a time above each text',
    format: 'text',
    content: '0:00\nhello everyone\n0:03\nwelcome back\n0:07\nbye\n',
    lines: [
      '0 Unknown speaker: hello everyone',
      '3000 Unknown speaker: welcome back',
      '7000 Unknown speaker: bye',
    ],
  },
  {
    name: 'a time above each text, with empty lines',
    format: 'text',
    content: '0:00\n\nhello everyone\n\n0:03\n\nwelcome back\n\n0:07\n\nbye\n',
    lines: [
      '0 Unknown speaker: hello everyone',
      '3000 Unknown speaker: welcome back',
      '7000 Unknown speaker: bye',
    ],
  },
  {
    name: 'a time above each text with a name',
    format: 'text',
    content: '00:01\nAda: Good morning.\n00:04\nBen Ito: Hello, Ada.\n',
    lines: ['1000 Ada: Good morning.', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    name: 'times of day at the ends of texts',
    format: 'text',
    content:
      'Ada: When do we meet?\nBen Ito: shall we say Tuesday (10:30)\nAda: rather Friday, 14:00\n',
    lines: [
      '0 Ada: When do we meet?',
      '1067 Ben Ito: shall we say Tuesday (10:30)',
      '2934 Ada: rather Friday, 14:00',
    ],
  },
  {
    name: 'texts that begin with times of day',
    format: 'text',
    content: 'Ada: Is it late?\n10:30 works for me\nBen Ito: Or\n9:15 is too early\nAda: Yes.\n',
    lines: [
      '0 Ada: Is it late? 10:30 works for me',
      '2000 Ben Ito: Or 9:15 is too early',
      '3334 Ada: Yes.',
    ],
  },
  {
    name: 'times of day in front of the texts',
    format: 'text',
    content: '[10:31:05] Ada: Good morning.\n[10:31:08] Ben Ito: Hello, Ada.\n',
    lines: ['0 Ada: Good morning.', '3000 Ben Ito: Hello, Ada.'],
  },
  {
    name: 'sentences with colons and no names',
    format: 'text',
    content: '[00:01] We have a plan\n[00:04] So the point is: we go\n[00:08] Good\n',
    lines: [
      '1000 Unknown speaker: We have a plan',
      '4000 Unknown speaker: So the point is: we go',
      '8000 Unknown speaker: Good',
    ],
  },
  {
    name: 'wrapped text of somebody who speaks once',
    format: 'text',
    content:
      'Ada: This is a long text\nthat is wrapped\nat the end\nof the line\n\nCleo: I agree.\nI do\nas well\n\nAda: Good.\nBye\n',
    lines: [
      '0 Ada: This is a long text that is wrapped at the end of the line',
      '3867 Cleo: I agree. I do as well',
      '5267 Ada: Good. Bye',
    ],
  },
  {
    name: 'a name and a time on two lines, and texts with colons',
    format: 'fireflies-text',
    content: 'Ada\n00:00:01\nOne thing: we start\n\nBen Ito\n00:00:04\nAnother thing: we end\n',
    lines: ['1000 Ada: One thing: we start', '4000 Ben Ito: Another thing: we end'],
  },
  {
    name: 'text above the first turn, and paragraphs that go on with a turn',
    format: 'otter-text',
    content:
      'Weekly\n\nRecorded in Paris\n\nAda  0:01\nGood morning.\n\nWe meet on\nFriday, 14:00\n\nBen Ito  0:09\nHello, Ada.\n',
    lines: [
      '0 Unknown speaker: Recorded in Paris',
      '1000 Ada: Good morning.',
      '1867 Ada: We meet on Friday, 14:00',
      '9000 Ben Ito: Hello, Ada.',
    ],
  },
  {
    name: 'SubRip without empty lines',
    format: 'srt',
    content:
      '1\n00:00:01,500 --> 00:00:03,000\nAda: Good morning.\n2\n00:00:04,000 --> 00:00:05,000\nBen Ito: Hello, Ada.\n',
  },
  {
    name: 'WebVTT without empty lines',
    format: 'teams-vtt',
    content:
      'WEBVTT\n2f1c9d3e-0a55-4b7e-9d5f-1c2b3a4d5e6f/12-0\n00:00:01.500 --> 00:00:03.120\n<v Ada>Good morning.</v>\n2f1c9d3e-0a55-4b7e-9d5f-1c2b3a4d5e6f/13-0\n00:00:04.000 --> 00:00:05.200\n<v Ben Ito>Hello,\nAda.</v>\nNOTE nobody said this\n',
    lines: ['1500 Ada: Good morning.', '4000 Ben Ito: Hello, Ada. NOTE nobody said this'],
  },
  {
    name: 'a paragraph of a cue that begins with a time of day',
    format: 'srt',
    content:
      '1\n00:00:01,500 --> 00:00:03,000\nAda: Fine.\n\n10:30 is fine\n\n2\n00:00:04,000 --> 00:00:05,000\nBen Ito: Hello, Ada.\n',
    lines: ['1500 Ada: Fine. 10:30 is fine', '4000 Ben Ito: Hello, Ada.'],
  },
  {
    name: 'sentences of speakers without names',
    format: 'fireflies-json',
    content:
      '[{"sentence":"Hi","startTime":1,"speaker_id":0},{"sentence":"Ho","startTime":2,"speaker_id":1}]',
    lines: ['1000 Speaker 1: Hi', '2000 Speaker 2: Ho'],
  },
  {
    name: 'two speakers in one cue',
    format: 'srt',
    content:
      '1\n00:00:01,000 --> 00:00:04,000\n- Ada: Shall we?\n- Ben: Yes.\n\n2\n00:00:05,000 --> 00:00:06,000\nBen: Now:\nat once\n',
    lines: ['1000 Ada: Shall we?', '1600 Ben: Yes.', '5000 Ben: Now: at once'],
  },
  {
    name: 'cues that name a speaker only when another begins',
    format: 'zoom-vtt',
    content: `WEBVTT\n\n${[
      'Ada: One',
      'two',
      'three',
      'Ben: Four',
      'five',
      'Ada: Six',
      'a plan: seven',
      'Ben: Eight',
      'nine',
      'ten',
    ]
      .map((text, i) => `00:${10 + i}.000 --> 00:${11 + i}.000\n${text}\n`)
      .join('\n')}`,
    lines: [
      '10000 Ada: One',
      '11000 Ada: two',
      '12000 Ada: three',
      '13000 Ben: Four',
      '14000 Ben: five',
      '15000 Ada: Six',
      '16000 Ada: a plan: seven',
      '17000 Ben: Eight',
      '18000 Ben: nine',
      '19000 Ben: ten',
    ],
  },
]

for (const { name, format, content, lines = LINES } of FILES) {
  test(`every line is read: ${name}`, () => {
    const read = readTranscriptFile({ content, fileName: null, format: null, timeZone: 'UTC' })
    assert.equal(read.format, format)
    assert.deepEqual(
      read.segments.map(({ startMs, speaker, text }) => `${startMs} ${speaker}: ${text}`),
      lines,
    )
  })
}
