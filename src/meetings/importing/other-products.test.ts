import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ImportFormat } from './format-names.ts'
import { readTranscriptFile } from './read-transcript-file.ts'

/** Files in the forms of other products, with the lines that they become. */
const FILES: ReadonlyArray<{
  name: string
  format: ImportFormat
  content: string
  lines: string[]
}> = [
  {
    name: 'rolling captions of YouTube',
    format: 'vtt',
    content: `WEBVTT
Kind: captions
Language: en

00:00:00.160 --> 00:00:02.310 align:start position:0%
\u0020
good<00:00:00.480><c> morning</c><00:00:00.800><c> all</c>

00:00:02.310 --> 00:00:02.320 align:start position:0%
good morning all
\u0020

00:00:02.320 --> 00:00:04.550 align:start position:0%
good morning all
the<00:00:02.600><c> budget</c><00:00:03.000><c> is</c><00:00:03.300><c> late</c>

00:00:04.550 --> 00:00:04.560 align:start position:0%
the budget is late
\u0020

00:00:04.560 --> 00:00:06.000 align:start position:0%
the budget is late
so<00:00:04.900><c> we</c><00:00:05.200><c> wait</c>
`,
    lines: [
      '160 Unknown speaker: good morning all',
      '2320 Unknown speaker: the budget is late',
      '4560 Unknown speaker: so we wait',
    ],
  },
  {
    name: 'rolling captions of three lines',
    format: 'srt',
    content: ['a b', 'a b\nc d', 'a b\nc d\ne f', 'c d\ne f\ng h', 'e f\ng h\ni j']
      .map((text, i) => `${i + 1}\n00:00:0${i},000 --> 00:00:0${i + 1},000\n${text}\n`)
      .join('\n'),
    lines: ['a b', 'c d', 'e f', 'g h', 'i j'].map(
      (text, i) => `${i * 1000} Unknown speaker: ${text}`,
    ),
  },
  {
    name: 'people who say the same several times',
    format: 'srt',
    content: ['Yes.', 'Yes.', 'Yes.', 'Yes.', 'No.']
      .map((text, i) => `${i + 1}\n00:00:0${i},000 --> 00:00:0${i + 1},000\n${text}\n`)
      .join('\n'),
    lines: ['Yes.', 'Yes.', 'Yes.', 'Yes.', 'No.'].map(
      (text, i) => `${i * 1000} Unknown speaker: ${text}`,
    ),
  },
]

for (const { name, format, content, lines } of FILES) {
  test(`a file of another product is read: ${name}`, () => {
    const read = readTranscriptFile({ content, fileName: null, format: null, timeZone: 'UTC' })
    assert.equal(read.format, format)
    assert.deepEqual(
      read.segments.map(({ startMs, speaker, text }) => `${startMs} ${speaker}: ${text}`),
      lines,
    )
  })
}
