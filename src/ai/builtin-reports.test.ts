import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  pickSentences,
  type MeetingTranscriptForReport,
  BUILTIN_REPORT_RENDERERS,
  renderBuiltinReport,
  type BuiltinReportName,
} from './builtin-reports.ts'

const MEETING: MeetingTranscriptForReport = {
  title: 'Launch <script>',
  date: '2026-11-15T09:00:00.000Z',
  path: 'x.md',
  turns: [
    {
      speaker: 'Ada',
      time: '00:00:01',
      text: 'The launch of the new billing system is on Monday.',
    },
    {
      speaker: 'Ben',
      time: '00:00:09',
      text: 'Yeah. Okay. The billing system still fails for refunds.',
    },
    {
      speaker: 'Ada',
      time: '00:00:20',
      text: "I'll fix the refunds by Friday. Can you test the launch?",
    },
    {
      speaker: 'Ben',
      time: '00:00:31',
      text: 'Hello there. Lunch was nice, the soup and the bread.',
    },
  ],
}

test('every built-in report begins by saying that no language model was used', () => {
  for (const name of Object.keys(BUILTIN_REPORT_RENDERERS) as BuiltinReportName[]) {
    for (const meetings of [[], [MEETING]]) {
      assert.match(
        renderBuiltinReport(name, meetings),
        /^_Made by built-in rules\. No language model was used/,
      )
    }
  }
  assert.match(renderBuiltinReport('digest', []), /There are no transcripts to read\./)
})

test('the digest contains the sentences that share most words with other sentences, in spoken order', () => {
  const report = renderBuiltinReport('digest', [MEETING])
  assert.match(
    report,
    /## Launch \\<script\\>\n\n2026-11-15\n\n- \*\*Ada:\*\* The launch of the new billing/,
  )
  const [first] = pickSentences(
    MEETING.turns.map(({ text }) => text),
    1,
  )
  assert.match(first ?? '', /billing|refunds/)
})

test('action items have an owner, a time and, if the speaker names one, a due date', () => {
  const report = renderBuiltinReport('action-items', [MEETING])
  assert.match(
    report,
    /- \[ \] \*\*Ada\*\* took this on: I'll fix the refunds by Friday\. \(00:00:20, due: by Friday\)/,
  )
  assert.match(report, /- \[ \] \*\*Ada\*\* asked for this: Can you test the launch\? \(00:00:20\)/)
  assert.equal(report.match(/- \[ \]/g)?.length, 2)
})

test('the statistics count the words and questions of each speaker', () => {
  const report = renderBuiltinReport('stats', [MEETING])
  assert.match(report, /\| Ada \| 21 \| 53 % \| 2 \| 1 \| 11 \|/)
  assert.match(report, /\| Ben \| \d+ \| \d+ % \| 2 \| 0 \| \d+ \|/)
})

test('a very long meeting is digested in bounded time', () => {
  const words = 'plan budget launch billing refund system customer market price report'.split(' ')
  const turns = Array.from({ length: 5_000 }, (_, i) => ({
    speaker: `S${i % 5}`,
    time: '00:00:00',
    text: `${words.map((word, k) => `${word}${(i * (k + 3)) % 17}`).join(' ')}.`,
  }))
  assert.ok(renderBuiltinReport('digest', [{ ...MEETING, turns }]).length < 10_000)
})
