import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { buildCues } from './cues.ts'
import { TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION } from './formats.ts'
import { formatGap, type TranscriptContent } from './source.ts'
import { writeVcon } from './vcon-format.ts'
import { scaleRuns } from '../../../test/support/test-size.ts'

const startedAt = new Date('2026-03-01T10:00:00.000Z')
type Line = [ms: number, speaker: string, text: string]

function meeting(lines: Line[], gaps: TranscriptContent['gaps'] = []): TranscriptContent {
  const segments = lines.map(([ms, speaker, text], index) => ({
    number: index + 1,
    speaker,
    text,
    startedAt: new Date(startedAt.getTime() + ms),
  }))
  return {
    title: 'Weekly',
    platform: 'Google Meet',
    startedAt,
    endedAt: new Date('2026-03-01T10:30:00.000Z'),
    participants: ['Ana', 'Bob\n[00:00:00] x: y'],
    segments,
    gaps,
    insights: [{ category: 'action_item', text: 'Bob\nwrites', segmentNumbers: [2] }],
  }
}
const write = (format: keyof typeof TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION, lines: Line[]) =>
  [...TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION[format].write(meeting(lines), 'meeting_1')].join('')
const spans = (lines: Line[]) =>
  [...buildCues(meeting(lines))].map(({ startMs, endMs }) => [startMs, endMs])

const TALK: Line[] = [
  [1_500, 'Ana', 'x <b> & --> y'],
  [3_661_042, 'A > B', 'one\n\n2\n00:00:01,000 --> 00:00:02,000\ntwo'],
]

test('the plain text transcript has one line per segment', () => {
  assert.equal(
    write('txt', [...TALK, [3_700_000, 'Ana', ' \n']]),
    `Weekly
Platform: Google Meet
Started: 2026-03-01T10:00:00.000Z
Ended: 2026-03-01T10:30:00.000Z
Participants: Ana, Bob [00:00:00] x: y

[00:00:01] Ana: x <b> & --> y
[01:01:01] A > B: one 2 00:00:01,000 --> 00:00:02,000 two

Insights

- Action item: Bob writes (01:01:01)
`,
  )
})

test('a SubRip transcript numbers its cues and cannot contain an arrow in their text', () => {
  assert.equal(
    write('srt', TALK),
    `1
00:00:01,500 --> 00:00:02,500
Ana: x <b> & -> y

2
01:01:01,042 --> 01:01:03,642
A > B: one 2 00:00:01,000 -> 00:00:02,000 two
`,
  )
})

test('a WebVTT transcript names the speaker of each cue and escapes the text', () => {
  assert.equal(
    write('vtt', TALK),
    `WEBVTT

1
00:00:01.500 --> 00:00:02.500
<v Ana>x &lt;b&gt; &amp; --&gt; y

2
01:01:01.042 --> 01:01:03.642
<v A &gt; B>one 2 00:00:01,000 --&gt; 00:00:02,000 two
`,
  )
})

test('a cue ends when the next one starts, but lasts at least a second and not longer than its words take to read', () => {
  const long = 'x'.repeat(150)
  assert.deepEqual(
    spans([
      [0, 'a', long],
      [4_000, 'b', long],
      [60_000, 'c', 'short'],
    ]),
    [
      [0, 4_000],
      [4_000, 14_000],
      [60_000, 61_000],
    ],
  )
})

test('cues of overlapping speakers follow each other in the order of their start times', () => {
  assert.deepEqual(
    [
      ...buildCues(
        meeting([
          [5_000, 'b', 'second'],
          [-200, 'a', 'first'],
          [5_300, 'c', 'third'],
          [5_300, 'd', ''],
          [6_200, 'e', 'fourth'],
          [20_000, 'f', 'fifth'],
        ]),
      ),
    ].map(({ number, startMs, endMs }) => [number, startMs, endMs]),
    [
      [2, 0, 1_000],
      [1, 5_000, 6_000],
      [3, 6_000, 7_000],
      [5, 7_000, 8_000],
      [6, 20_000, 21_000],
    ],
  )
})

test('a gap appears in every format between the segments around it', () => {
  const at = (ms: number) => new Date(startedAt.getTime() + ms)
  const gap = { cause: 'captions_lost', startedAt: at(15_000), endedAt: at(30_400) } as const
  const source = meeting(
    [
      [7_000, 'Dev', 'Before.'],
      [32_000, 'Dev', 'After.'],
    ],
    [{ ...gap, afterSegment: 1 }],
  )
  const read = (format: keyof typeof TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION) =>
    [...TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION[format].write(source, 'meeting_1')].join('')
  assert.match(
    read('txt'),
    /\[00:00:07\] Dev: Before\.\n\[00:00:15\] \(15 s not recorded: captions were lost\)\n\[00:00:32\] Dev: After\.\n/,
  )
  assert.equal(
    read('srt'),
    `1
00:00:07,000 --> 00:00:08,000
Dev: Before.

2
00:00:15,000 --> 00:00:30,400
[15 s not recorded: captions were lost]

3
00:00:32,000 --> 00:00:33,000
Dev: After.
`,
  )
  assert.equal(
    read('vtt'),
    `WEBVTT

1
00:00:07.000 --> 00:00:08.000
<v Dev>Before.

00:00:15.000 --> 00:00:30.400
[15 s not recorded: captions were lost]

2
00:00:32.000 --> 00:00:33.000
<v Dev>After.
`,
  )
})

const words = fc
  .array(
    fc.constantFrom(
      '-->',
      '--',
      '-',
      '>',
      '<',
      '&',
      '<v x>',
      '\n',
      '\r\n',
      '1',
      'a',
      ' ',
      '\0',
      '\u2028',
      ':',
    ),
    { maxLength: 10 },
  )
  .map((parts) => parts.join(''))

test('no text of a segment breaks the structure of cues, and no two cues overlap', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: -2_000, max: 30_000 }), words, words), { maxLength: 8 }),
      (lines) => {
        const times = spans(lines)
        for (const [index, [start = 0, end = 0]] of times.entries()) {
          assert.ok(end - start >= 1_000)
          assert.ok(start >= (times[index - 1]?.[1] ?? 0))
        }
        for (const [format, head] of [
          ['srt', 0],
          ['vtt', 1],
        ] as const) {
          const blocks = write(format, lines).split('\n\n').filter(Boolean)
          assert.equal(blocks.length, times.length + head)
          for (const block of blocks.slice(head)) {
            const [id, time, line, ...rest] = block.trimEnd().split(/\r\n|[\n\r\u2028]/)
            assert.match(id ?? '', /^\d+$/)
            assert.match(time ?? '', /^\d\d:\d\d:\d\d[.,]\d{3} --> \d\d:\d\d:\d\d[.,]\d{3}$/)
            assert.ok(line !== undefined && !line.includes('-->') && rest.length === 0)
          }
        }
      },
    ),
    { seed: 13, numRuns: scaleRuns(3_000) },
  )
})

test('a vCon has each segment as a text of its speaker, and gaps and insights as analyses', () => {
  const start = new Date('2026-03-01T10:00:02.000Z')
  const gap = { cause: 'restarted', startedAt: start, endedAt: start, afterSegment: 1 } as const
  const source = meeting(TALK, [gap])
  const vcon = JSON.parse([...writeVcon(source, 'meeting_1')].join(''))
  assert.match(vcon.uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.deepEqual(
    [vcon.subject, vcon.created_at, vcon.parties],
    [
      'Weekly',
      '2026-03-01T10:30:00.000Z',
      [{ name: 'Ana' }, { name: 'Bob [00:00:00] x: y' }, { name: 'A > B' }],
    ],
  )
  assert.deepEqual(vcon.dialog[1], {
    type: 'text',
    start: '2026-03-01T11:01:01.042Z',
    parties: [2],
    mediatype: 'text/plain',
    encoding: 'none',
    body: 'one 2 00:00:01,000 --> 00:00:02,000 two',
  })
  assert.deepEqual(
    vcon.analysis.map(({ type, dialog, body }: Record<string, unknown>) => [type, dialog, body]),
    [
      ['gap', [0], formatGap(gap)],
      ['action_item', [1], 'Bob writes'],
    ],
  )
  assert.deepEqual(JSON.parse([...writeVcon(meeting([]), 'meeting_2')].join('')).dialog, [])
  assert.notEqual(JSON.parse([...writeVcon(source, 'meeting_2')].join('')).uuid, vcon.uuid)
})

test('every transcript format yields a long transcript in small pieces', () => {
  const lines = Array.from({ length: 20_000 }, (_, index): Line => [
    index * 700,
    `speaker ${index % 3}`,
    `These are the words of segment ${index}.`,
  ])
  for (const format of Object.values(TRANSCRIPT_TEXT_FORMATS_BY_EXTENSION)) {
    let count = 0
    let longest = 0
    for (const piece of format.write(meeting(lines), 'meeting_1')) {
      longest = Math.max(longest, piece.length)
      count += 1
    }
    assert.ok(longest < 300)
    assert.ok(count >= 20_000)
  }
})
