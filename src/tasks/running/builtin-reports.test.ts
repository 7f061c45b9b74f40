import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  type BuiltinReportName,
  type ReportedMeeting,
  renderBuiltinReport,
} from './builtin-reports.ts'

const MEETING: ReportedMeeting = {
  title: 'Launch <script>',
  date: '2026-11-15T09:00:00.000Z',
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

function render(name: BuiltinReportName, meetings: readonly ReportedMeeting[]): Promise<string> {
  return renderBuiltinReport(name, meetings, 'Europe/Berlin', new AbortController().signal)
}

test('every built-in report begins by saying that no language model was used', async () => {
  for (const name of ['digest', 'action-items', 'stats'] as const) {
    for (const meetings of [[], [MEETING]]) {
      assert.match(
        await render(name, meetings),
        /^_Made by built-in rules\. No language model was used/,
      )
    }
  }
  assert.match(await render('digest', []), /There are no transcripts to read\./)
})

test('the digest contains the sentences of the summary with their speakers, in spoken order', async () => {
  const report = await render('digest', [MEETING])
  assert.match(
    report,
    /## Launch \\<script>\n\n2026-11-15\n\n- \*\*Ada:\*\* The launch of the new billing/,
  )
  assert.match(report, /\n- \*\*Ben:\*\* The billing system still fails for refunds\./)
  assert.doesNotMatch(report, /Hello|\?/)
  assert.match(
    await render('digest', [{ ...MEETING, turns: [] }]),
    /Too little was said for a digest\./,
  )
})

test('action items have an owner, a time and, if the speaker names one, a due date', async () => {
  const report = await render('action-items', [MEETING])
  assert.match(
    report,
    /- \[ \] \*\*Ada\*\*: I'll fix the refunds by Friday\. \(due 2026-11-20, 00:00:20\)/,
  )
  assert.match(report, /- \[ \] Can you test the launch\? \(00:00:20\)/)
  assert.equal(report.match(/- \[ \]/g)?.length, 2)
})

test('the statistics count the words and questions of each speaker', async () => {
  const [first, ...others] = MEETING.turns
  const piped = { title: 'x', date: MEETING.date, turns: [{ ...first, speaker: 'Ada | x' }] }
  assert.ok(first !== undefined && others.length > 0)
  const report = await render('stats', [MEETING, piped as ReportedMeeting])
  assert.match(report, /\| Ada \| 21 \| 53 % \| 2 \| 1 \| 11 \|/)
  assert.match(report, /\| Ben \| \d+ \| \d+ % \| 2 \| 0 \| \d+ \|/)
  assert.match(report, /\| Ada \\\| x \| 10 \|/)
})
