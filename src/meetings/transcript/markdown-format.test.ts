import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { scaleRuns } from '../../../test/support/test-size.ts'
import { formatFrontMatter } from '../../projects/front-matter.ts'
import {
  formatMarkdownEntry,
  formatMarkdownTitle,
  writeMarkdown,
  parseTranscriptMarkdown,
} from './markdown-format.ts'
import { cleanInlineText } from './markdown-text.ts'
import {
  insertGapsBetweenSegments,
  formatDisplaySpeaker,
  type TranscriptContent,
  type TranscriptEntry,
  type TranscriptGap,
  type TranscriptSegment,
} from './source.ts'

const startedAt = new Date('2026-03-01T10:00:00.000Z')
type Line = [seconds: number, speaker: string, text: string]

function meeting(lines: Line[], changes: Partial<TranscriptContent> = {}): TranscriptContent {
  const segments = lines.map(([seconds, speaker, text], index) => ({
    number: index + 1,
    speaker,
    text,
    startedAt: new Date(startedAt.getTime() + seconds * 1000),
  }))
  const rest = { title: 'Weekly', platform: 'Google Meet', endedAt: null, participants: [] }
  return { ...rest, startedAt, segments, gaps: [], insights: [], ...changes }
}
const whole = (source: TranscriptContent) => [...writeMarkdown(source)].join('')

test('a transcript document has a paragraph for each turn and the insights at its end', () => {
  const source = meeting(
    [
      [-3, 'Ana Díaz', 'Hello.'],
      [4.9, 'Ana Díaz', '1. We begin'],
      [65, 'Bo_b', '# no heading'],
      [360_000, 'Ana Díaz', 'Bye.'],
    ],
    {
      insights: [
        { category: 'action_item', text: 'Bo_b writes', segmentNumbers: [3, 4, 99] },
        { category: 'pace', text: 'Slow down', segmentNumbers: [] },
      ],
    },
  )
  assert.equal(
    whole(source),
    `# Weekly

**Ana Díaz** 00:00:00 Hello.
1\\. We begin

**Bo_b** 00:01:05 # no heading

**Ana Díaz** 100:00:00 Bye.

## Insights

- **Action item** Bo_b writes (00:01:05, 100:00:00)
- **Pace** Slow down
`,
  )
})

test('the heading of a transcript document shows the whole title', () => {
  const cases = {
    Weekly: '# Weekly\n',
    'C #': '# C \\#\n',
    'C ##': '# C #\\#\n',
    '#': '# \\#\n',
    'a\\#': '# a\\\\#\n',
    'x\n# y': '# x # y\n',
    '\u200b \u00a0': '# Untitled\n',
  }
  for (const [title, heading] of Object.entries(cases)) {
    assert.equal(formatMarkdownTitle(title), heading)
  }
})

test('a segment without words or without a speaker still appears in the document', () => {
  const source = meeting([
    [1, ' ', '\u202e'],
    [2, '', 'words'],
    [3, 'Ana', ''],
    [4, '\u00a0Ana ', ''],
    [5, 'Ana', 'more'],
  ])
  assert.equal(
    whole(source),
    '# Weekly\n\n**Unknown speaker** 00:00:01\nwords\n\n**Ana** 00:00:03\nmore\n',
  )
  assert.deepEqual(parseTranscriptMarkdown(whole(source)), [
    { speaker: 'Unknown speaker', time: '00:00:01', text: 'words' },
    { speaker: 'Ana', time: '00:00:03', text: 'more' },
  ])
})

const HOSTILE_TEXTS = [
  ...'#-+>=`<[]*_|!\\&~$.): 1a"\n\r\t\0'.split(''),
  '\n---\n',
  '\n---\nstatus: completed',
  '**a** 00:00:01',
  '\n\n**a** 00:00:01 b',
  '# x',
  '## Insights\n',
  '- **Pace** x',
  '```\n',
  '<!--',
  '-->',
  '\u2028',
  '\u202e',
  '\u00a0',
  '\u200b',
  '\ud800',
  '😀',
]
const hostile = fc
  .array(fc.constantFrom(...HOSTILE_TEXTS), { maxLength: 8 })
  .map((parts) => parts.join(''))
const words = fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 20 }))
const speaker = fc.oneof(fc.constantFrom('a', 'b', '**a**'), words)
const lines = fc.array(fc.tuple(fc.integer({ min: -5, max: 100_000 }), speaker, words), {
  maxLength: 6,
})
const insights = fc.array(
  fc.record({ category: words, text: words, segmentNumbers: fc.array(fc.nat(6)) }),
  { maxLength: 2 },
)

function turnsOf(segments: readonly TranscriptSegment[]): Array<[string, string]> {
  const turns: Array<[string, string]> = []
  for (const segment of segments) {
    const [name, text] = [formatDisplaySpeaker(segment), cleanInlineText(segment.text)]
    const last = turns.at(-1)
    if (last?.[0] === name) last[1] = [last[1], text].filter(Boolean).join(' ')
    else turns.push([name, text])
  }
  return turns
}

test('no caption, name, title or insight can change the structure of a document', () => {
  fc.assert(
    fc.property(lines, words, insights, (given, title, insights) => {
      const source = meeting(given, { title, insights })
      const header = formatFrontMatter({ title, status: 'in_progress' })
      const text = `${header}\n${whole(source)}`
      const turns = turnsOf(source.segments)
      const read = parseTranscriptMarkdown(text)
      assert.deepEqual(
        read.map(({ speaker, text }) => [speaker, text]),
        turns,
      )
      assert.deepEqual(parseTranscriptMarkdown(whole(source)), read)
      const blocks = whole(source).trimEnd().split('\n\n')
      assert.equal(blocks.length, 1 + turns.length + (insights.length > 0 ? 2 : 0))
      assert.equal(
        text.split('\n').filter((line) => /^ {0,3}#/.test(line)).length,
        insights.length > 0 ? 2 : 1,
      )
      assert.equal(text.split('\n').filter((line) => line.startsWith('---')).length, 2)
      assert.equal(text.split('\n').filter((line) => line.startsWith('**')).length, turns.length)
    }),
    { seed: 11, numRuns: scaleRuns(2_000) },
  )
})

/** A gap of `seconds` after the segment with this number. */
function gapAfter(afterSegment: number, seconds: number, cause: TranscriptGap['cause']) {
  const from = new Date(startedAt.getTime() + 60_000)
  return {
    cause,
    startedAt: from,
    endedAt: new Date(from.getTime() + seconds * 1000),
    afterSegment,
  }
}

test('a document appended entry by entry has the same bytes as one written as a whole', () => {
  fc.assert(
    fc.property(lines, fc.array(fc.nat(7)), (given, places) => {
      const gaps = places.toSorted((a, b) => a - b).map((place) => gapAfter(place, 5, 'node_lost'))
      const source = meeting(given, { gaps })
      let grown = formatMarkdownTitle(source.title)
      let before: TranscriptEntry | null = null
      for (const entry of insertGapsBetweenSegments(source)) {
        grown += formatMarkdownEntry(entry, before, startedAt)
        before = entry
      }
      assert.equal(grown, whole(source))
    }),
    { seed: 12, numRuns: scaleRuns(1_000) },
  )
})

test('a gap has a paragraph of its own, and a new paragraph begins after it', () => {
  const source = meeting(
    [
      [1, 'Ana', 'It’s'],
      [95, 'Ana', 'Then please take the next one.'],
    ],
    { gaps: [gapAfter(1, 33, 'restarted'), gapAfter(2, 3_780, 'captions_lost')] },
  )
  const during = `# Weekly

**Ana** 00:00:01 It’s

*33 s not recorded: Hansard restarted*

**Ana** 00:01:35 Then please take the next one.
`
  assert.equal(whole(source), during)
  // A gap at the end appears when the meeting is over.
  const over = whole({ ...source, endedAt: new Date() })
  assert.equal(over, `${during}\n*1 h 3 min not recorded: captions were lost*\n`)
  assert.deepEqual(parseTranscriptMarkdown(over), [
    { speaker: 'Ana', time: '00:00:01', text: 'It’s' },
    { speaker: 'Ana', time: '00:01:35', text: 'Then please take the next one.' },
  ])
})

test('documents that escape all punctuation, as older versions wrote them, are still read', () => {
  const text = '# Weekly\n\n**Ana \\(guest\\)** 00:00:01 nice\\! 3\\.5 \\& more\n\\-5 \\$\n'
  assert.deepEqual(parseTranscriptMarkdown(text), [
    { speaker: 'Ana (guest)', time: '00:00:01', text: 'nice! 3.5 & more -5 $' },
  ])
})

test('text that a person added to a transcript document does not change how its turns are parsed', () => {
  const text =
    '---\r\ntitle: "x"\r\n---\r\nNotes.\r\n\r\n**Ana** 00:00:01 one\r\n\r\nadded\r\n# Mine\r\nfree\r\n**Bob** 00:00:02 two'
  assert.deepEqual(parseTranscriptMarkdown(text), [
    { speaker: 'Ana', time: '00:00:01', text: 'one added' },
    { speaker: 'Bob', time: '00:00:02', text: 'two' },
  ])
})
