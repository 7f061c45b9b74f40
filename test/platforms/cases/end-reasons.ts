import { strict as assert } from 'node:assert'
import type { KnobSettings } from '../../../stage/meeting/knobs.ts'
import type { Screen } from '../../../stage/meeting/page-protocol.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, type PlatformProfile, type StageRun } from '../stage-run.ts'

type EndCase = {
  title: string
  reason: string
  knobs?: KnobSettings
  /** What happens to whoever has knocked. */
  knock?: Screen
  /** What happens in the call. */
  call?: Screen
}

/** Every way in which a visit ends by itself, on each platform. */
function endCasesFor({ blockedReason }: PlatformProfile): EndCase[] {
  return [
    { title: 'a refusal by a person', reason: 'denied', knock: 'denied' },
    { title: 'a knock that nobody answers', reason: 'no_answer', knock: 'no-answer' },
    { title: 'a refusal by the platform', reason: blockedReason, knock: 'blocked' },
    { title: 'a refusal before the knock', reason: blockedReason, knobs: { opening: 'blocked' } },
    {
      title: 'a page that sends its guest elsewhere',
      reason: 'blocked_by_platform',
      knobs: { door: 'away' },
    },
    { title: 'a captcha', reason: 'captcha', knobs: { opening: 'captcha' } },
    { title: 'a captcha after the knock', reason: 'captcha', knobs: { door: 'captcha' } },
    { title: 'a wall for signing in', reason: 'sign_in_required', knobs: { opening: 'sign-in' } },
    {
      title: 'a meeting that does not exist',
      reason: 'meeting_not_found',
      knobs: { opening: 'bad-code' },
    },
    { title: 'a removal', reason: 'removed', call: 'removed' },
    { title: 'an end by the host', reason: 'host_ended', call: 'ended' },
  ]
}

async function play(rehearsal: StageRun, { knock, call }: EndCase): Promise<void> {
  if (call !== undefined) {
    await admitBot(rehearsal)
    rehearsal.show.turn(call)
  } else if (knock !== undefined) {
    await rehearsal.show.until('knocked')
    rehearsal.show.lobby()
    await rehearsal.waitForEvent('lobby')
    rehearsal.show.turn(knock)
  }
}

export function endReasonCases(profile: PlatformProfile): ConformanceCase[] {
  return endCasesFor(profile).map((end) => [
    `${end.title} ends in ${end.reason}, with evidence`,
    async (company) => {
      const rehearsal = startStageRun(company, { ...(end.knobs && { knobs: end.knobs }) })
      await play(rehearsal, end)
      const over = await rehearsal.finished
      assert.equal(over?.because, end.reason)
      assert.ok((over?.detail ?? '').length > 20, 'says what happened')
      const evidence = rehearsal.evidence().at(-1)
      assert.ok(evidence && evidence.marks.length > 0)
      assert.doesNotMatch(evidence.survey.address, /[?#]/)
      assert.deepEqual(Array.from(evidence.screenshot ?? []).slice(0, 2), [0xff, 0xd8])
      assert.deepEqual(
        rehearsal.events.slice(-2).map(({ kind }) => kind),
        ['evidence', 'over'],
      )
      assert.equal(rehearsal.pool.inUse().length, 0)
    },
  ])
}
