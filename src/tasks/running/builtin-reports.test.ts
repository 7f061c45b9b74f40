import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Digest } from '../../recap/digest/collect-digest.ts'
import {
  type BuiltinReportName,
  type ReportedMeeting,
  renderBuiltinReport,
} from './builtin-reports.ts'

const MEETING: ReportedMeeting = {
  id: 'meeting_launch',
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

const NO_RECAPS: Digest = {
  meetings: [],
  ownActions: [],
  otherActions: [],
  decisions: [],
  openQuestions: [],
}

function render(
  name: BuiltinReportName,
  meetings: readonly ReportedMeeting[],
  digest = NO_RECAPS,
): Promise<string> {
  const source = {
    now: new Date('2026-11-16T08:00:00Z'),
    timeZone: 'Europe/Berlin',
    collectDigest: async () => digest,
  }
  return renderBuiltinReport(name, meetings, source, new AbortController().signal)
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

test('the digest says what stored recaps say, and the rules summarize the other meetings', async () => {
  const { id: meetingId, title } = MEETING
  const decision = {
    kind: 'decision' as const,
    text: '# Ship <b>now</b>',
    person: 'Ada',
    dueDate: null,
    segmentNumbers: [1],
    meetingId,
    meetingTitle: title,
    project: 'api',
  }
  const digest: Digest = {
    ...NO_RECAPS,
    meetings: [{ meetingId, title, startedAt: new Date(MEETING.date), gist: '1 decision: Ship' }],
    decisions: [decision],
  }
  const other = { ...MEETING, id: '', title: 'Without a recap' }
  const report = await render('digest', [MEETING, other], digest)
  assert.match(report, /^_Made from the recaps of the meetings\. No language model was used/)
  assert.match(
    report,
    /\n## Meetings\n\n- Launch \\<script> \(Sun 15 November at 10:00 · 1 decision: Ship\)\n/,
  )
  assert.match(report, /\n## Decisions\n\n- \\# Ship \\<b>now\\<\/b> \(Ada · Launch \\<script>\)\n/)
  assert.match(report, /\n## Without a recap\n\n2026-11-15\n\n- \*\*Ada:\*\* The launch/)
  assert.equal(report.match(/The launch of the new/g)?.length, 1)
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
  const piped = {
    id: '',
    title: 'x',
    date: MEETING.date,
    turns: [{ ...first, speaker: 'Ada | x' }],
  }
  assert.ok(first !== undefined && others.length > 0)
  const report = await render('stats', [MEETING, piped as ReportedMeeting])
  assert.match(report, /\| Ada \| 21 \| 53 % \| 2 \| 1 \| 11 \|/)
  assert.match(report, /\| Ben \| \d+ \| \d+ % \| 2 \| 0 \| \d+ \|/)
  assert.match(report, /\| Ada \\\| x \| 10 \|/)
})
