import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { ApiSegment } from '../../../../src/http/shapes/meetings/transcript.ts'
import { formatTranscript } from './transcript-text.ts'

const FORMATS = {
  formatTime: (at: string) => at.slice(11, 19),
  describeGap: ({ cause }: { cause: string }) => `33 s not recorded: ${cause}`,
}
const line = (segmentNumber: number, speaker: string, text: string): ApiSegment => ({
  segmentNumber,
  speaker,
  text,
  timestamp: `2026-11-15T08:30:0${segmentNumber}.000Z`,
  source: 'captions',
})
const gap = (afterSegmentNumber: number) => ({
  cause: '<restarted>',
  startedAt: '2026-11-15T08:30:00.000Z',
  endedAt: '2026-11-15T08:30:33.000Z',
  afterSegmentNumber,
})

test('lines of one speaker are one paragraph, unless a gap is between them', () => {
  const { plain, html } = formatTranscript(
    {
      chunks: [
        [line(1, 'Ada <b>', 'Good morning.'), line(2, 'Ada <b>', 'Shall we start?')],
        [line(3, 'Ada <b>', 'After "all" & more'), line(4, '', 'Yes.')],
      ],
      gapsBefore: new Map([[3, [gap(2)]]]),
      gapsAtEnd: [gap(4)],
    },
    FORMATS,
  )
  assert.equal(
    plain,
    [
      'Ada <b> (08:30:01)\nGood morning. Shall we start?',
      '[33 s not recorded: <restarted>]',
      'Ada <b> (08:30:03)\nAfter "all" & more',
      'Unknown speaker (08:30:04)\nYes.',
      '[33 s not recorded: <restarted>]\n',
    ].join('\n\n'),
  )
  assert.equal(
    html,
    [
      '<p><strong>Ada &lt;b&gt;</strong> (08:30:01)<br>Good morning. Shall we start?</p>',
      '<p><em>[33 s not recorded: &lt;restarted&gt;]</em></p>',
      '<p><strong>Ada &lt;b&gt;</strong> (08:30:03)<br>After &quot;all&quot; &amp; more</p>',
      '<p><strong>Unknown speaker</strong> (08:30:04)<br>Yes.</p>',
      '<p><em>[33 s not recorded: &lt;restarted&gt;]</em></p>',
    ].join('\n'),
  )
})
