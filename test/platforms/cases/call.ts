import { strict as assert } from 'node:assert'
import type { Screen } from '../../../stage/meeting/page-protocol.ts'
import type { ConformanceCase } from '../conformance.ts'
import {
  admitBot,
  leaveCall,
  startStageRun,
  waitFor,
  waitForWords,
  type StageRun,
} from '../stage-run.ts'

export async function waitForParticipants(run: StageRun, names: readonly string[]): Promise<void> {
  await waitFor(() => {
    const last = run.events.findLast(({ kind }) => kind === 'people')
    const shown = last?.kind === 'people' ? last.people.map(({ name }) => name) : []
    return JSON.stringify(shown) === JSON.stringify(names) ? true : null
  })
}

/** The bot reports that it is no longer in the call, and after it is admitted again, that captions are on. */
async function waitForRejoin(run: StageRun): Promise<void> {
  await run.waitForEvent('admitted', 2)
  await run.waitForEvent('captions back')
  const kinds = run.events.map(({ kind }) => kind)
  const order = ['call lost', 'admitted', 'captions back'] as const
  const places = order.map((kind) => kinds.lastIndexOf(kind))
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  )
  assert.ok(places.every((place) => place >= 0))
  await waitFor(() => {
    const guest = run.show.pages.all.at(-1)
    return guest?.actions.has('captions on') ? true : null
  })
}

/** The bot rejoins after this screen appears during the call. */
export function rejoinsAfter(screen: Screen): ConformanceCase[1] {
  return async (setup) => {
    const run = startStageRun(setup)
    await admitBot(run)
    const { show } = run
    show.showScreen(screen)
    // From now on, admits every guest who asks to join.
    await waitFor(() =>
      show.pages.all.every(({ actions }) => !actions.has('entered')) ? true : null,
    )
    show.admit()
    await waitForRejoin(run)
    await show.say('ana', 'Welcome back.')
    await waitForWords(run, 'Ana Ribeiro', 'Welcome back.')
    await leaveCall(run)
  }
}

const TWINS = [
  { id: 'ana', name: 'Sam Lee', isHost: true },
  { id: 'ben', name: 'Sam Lee' },
  { id: 'chloe', name: 'Chloé Martin' },
]

export const callCases: readonly ConformanceCase[] = [
  [
    'participants join and leave through the participant list when the wire has no roster, two of them with the same name',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { hasRoster: false }, cast: TWINS })
      await admitBot(run)
      await waitForParticipants(run, ['Sam Lee', 'Sam Lee'])
      const last = run.events.findLast(({ kind }) => kind === 'people')
      const people = last?.kind === 'people' ? last.people : []
      assert.deepEqual(
        people.map(({ isHost = false }) => isHost),
        [true, false],
      )
      assert.equal(new Set(people.map(({ id }) => id)).size, 2)
      run.show.join('chloe')
      run.show.leave('ben')
      await waitForParticipants(run, ['Sam Lee', 'Chloé Martin'])
      await leaveCall(run)
    },
  ],
]

// The same code runs on all platforms, so one of them is enough for each of the following.

export const crashedPageCase: ConformanceCase = [
  'a crashed page is replaced, and captions of the new page have other ids',
  async (setup) => {
    const run = startStageRun(setup)
    await admitBot(run)
    const { show, pool } = run
    const first = 'Said before the crash.'
    await show.say('ana', first)
    // Waits for the complete text, because the crash loses what the page has not sent yet.
    await waitForWords(run, 'Ana Ribeiro', first)
    const before = new Set(run.captionIds().map((id) => id.split('/')[0]))
    crashPages(pool)
    await waitForRejoin(run)
    await show.say('ana', 'Said after the crash.')
    await waitForWords(run, 'Ana Ribeiro', `${first} Said after the crash.`)
    const after = new Set(run.captionIds().map((id) => id.split('/')[0]))
    assert.deepEqual([before.size, after.size], [1, 2])
    await leaveCall(run)
  },
]

export const notReadmittedCase: ConformanceCase = [
  'a bot that is not admitted again after a crash ends with no_answer',
  async (setup) => {
    const run = startStageRun(setup, { timeouts: { readmitMs: 300 } })
    await admitBot(run)
    run.show.showScreen('lobby')
    crashPages(run.pool)
    assert.equal((await run.finished)?.because, 'no_answer')
  },
]

/** Does not wait for an answer, because a crashed page never answers. */
function crashPages(pool: StageRun['pool']): void {
  for (const { cdpSession } of pool.inUse()) {
    void cdpSession.send('Page.crash').catch((error: unknown) => String(error))
  }
}
