import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { Screen } from '../../../stage/meeting/page-protocol.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, type PlatformProfile, type StageRun } from '../stage-run.ts'

type EndCase = {
  title: string
  reason: string
  knobs?: KnobSettings
  /** The screen after the bot asked to join. */
  knock?: Screen
  /** The screen that the call turns into. */
  call?: Screen
}

/** Every end that a platform itself causes. */
function endCasesFor({ blockedReason }: PlatformProfile): EndCase[] {
  return [
    { title: 'a request that a participant denies', reason: 'denied', knock: 'denied' },
    { title: 'a request that no participant answers', reason: 'no_answer', knock: 'no-answer' },
    { title: 'a request that the platform refuses', reason: blockedReason, knock: 'blocked' },
    {
      title: 'a page that refuses the bot before its request',
      reason: blockedReason,
      knobs: { opening: 'blocked' },
    },
    {
      title: 'a page that redirects the bot to another site',
      reason: 'blocked_by_platform',
      knobs: { door: 'away' },
    },
    {
      title: 'a request that the platform refuses because it detects a bot',
      reason: 'blocked_by_platform',
      knobs: { door: 'bot-detected' },
    },
    {
      title: 'an account that would end its call on another device',
      reason: 'blocked_by_platform',
      knobs: { isSignedIn: true, accountElsewhere: 'switch only' },
    },
    { title: 'a captcha', reason: 'captcha', knobs: { opening: 'captcha' } },
    { title: 'a captcha after the request to join', reason: 'captcha', knobs: { door: 'captcha' } },
    { title: 'a sign-in page', reason: 'sign_in_required', knobs: { opening: 'sign-in' } },
    {
      title: 'a meeting that does not exist',
      reason: 'meeting_not_found',
      knobs: { opening: 'bad-code' },
    },
    { title: 'a removal by a participant', reason: 'removed', call: 'removed' },
    { title: 'an end by the host', reason: 'host_ended', call: 'ended' },
  ]
}

async function showEnd(run: StageRun, { knock, call }: EndCase): Promise<void> {
  if (call !== undefined) {
    await admitBot(run)
    run.show.showScreen(call)
  } else if (knock !== undefined) {
    await run.show.waitFor('knocked')
    run.show.lobby()
    await run.waitForEvent('lobby')
    run.show.showScreen(knock)
  }
}

export function endReasonCases(profile: PlatformProfile): ConformanceCase[] {
  return endCasesFor(profile).map((end) => [
    `${end.title} ends with ${end.reason} and evidence`,
    async (setup) => {
      const run = startStageRun(setup, { ...(end.knobs && { knobs: end.knobs }) })
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
    },
  ])
}
