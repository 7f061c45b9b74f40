import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { Screen } from '../../../stage/meeting/page-protocol.ts'
import type { ConformanceCase } from '../conformance.ts'
import {
  admitBot,
  startStageRun,
  type PlatformProfile,
  type StageRun,
  type StageRunOptions,
  waitForAction,
} from '../stage-run.ts'

type EndCase = {
  title: string
  reason: string
  knobs?: KnobSettings
  joinRequest?: StageRunOptions['joinRequest']
  /** The screen after the bot has asked to join. */
  knock?: Screen
  /** The screen that the call turns into. */
  call?: Screen
}

/** One end before and one in the call, and one that only joining shows. The screen cases recognize every other end. */
const END_CASES: Readonly<Record<PlatformProfile['title'], readonly EndCase[]>> = {
  'Google Meet': [
    {
      title: 'a page that redirects the bot to another site',
      reason: 'blocked_by_platform',
      knobs: { door: 'away' },
    },
    { title: 'a removal by a participant', reason: 'removed', call: 'removed' },
  ],
  'Microsoft Teams': [
    { title: 'a request that no participant answers', reason: 'no_answer', knock: 'no-answer' },
    { title: 'a captcha after the request to join', reason: 'captcha', knobs: { door: 'captcha' } },
    { title: 'an end by the host', reason: 'host_ended', call: 'ended' },
  ],
}

/** A bot that was never in the call does not end its account's call. */
const ACCOUNT_IN_CALL: EndCase = {
  title: 'an account that would end its call on another device',
  reason: 'blocked_by_platform',
  knobs: { isSignedIn: true, accountElsewhere: 'switch only' },
  joinRequest: { elapsedMs: 60_000 },
}

async function showEnd(run: StageRun, { knock, call }: EndCase): Promise<void> {
  if (call !== undefined) {
    await admitBot(run)
    run.show.showScreen(call)
  } else if (knock !== undefined) {
    await waitForAction(run, 'knocked')
    run.show.lobby()
    await run.waitForEvent('lobby')
    run.show.showScreen(knock)
  }
}

export function endReasonCases({ title }: PlatformProfile): ConformanceCase[] {
  return [...(END_CASES[title] ?? []), ACCOUNT_IN_CALL].map((end) => [
    `${end.title} ends with ${end.reason} and evidence`,
    async (setup) => {
      const { knobs = {}, joinRequest = {} } = end
      const run = startStageRun(setup, { knobs, joinRequest })
      await showEnd(run, end)
      const over = await run.finished
      assert.equal(over?.because, end.reason)
      assert.ok((over?.detail ?? '').length > 20, 'the detail says what happened')
      const evidence = run.evidence().at(-1)
      assert.ok(evidence && evidence.marks.length > 0)
      assert.doesNotMatch(evidence.survey.address, /[?#]/)
      assert.deepEqual(Array.from(evidence.screenshot ?? []).slice(0, 2), [0xff, 0xd8])
      assert.deepEqual(
        run.events.slice(-2).map(({ kind }) => kind),
        ['evidence', 'over'],
      )
      assert.equal(run.pool.inUse().length, 0)
      const answers = run.show.pages.all[0]?.answers ?? []
      assert.ok(!answers.includes('second-device: move'), 'the call on the other device goes on')
    },
  ])
}
