import { strict as assert } from 'node:assert'
import type { Screen } from '../../../stage/meeting/page-protocol.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor, type StageRun } from '../stage-run.ts'

async function waitForParticipants(run: StageRun, names: readonly string[]): Promise<void> {
  await waitFor(() => {
    const last = run.events.findLast(({ kind }) => kind === 'people')
    const shown = last?.kind === 'people' ? last.people.map(({ name }) => name) : []
    return JSON.stringify(shown) === JSON.stringify(names) ? true : null
  })
}

/** The bot reports when it is no longer in the call, and after it is admitted again when captions are on. */
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
    // Admits every guest who asks to join from now on.
    await waitFor(() =>
      show.pages.all.every(({ actions }) => !actions.has('entered')) ? true : null,
    )
    show.admit()
    await waitForRejoin(run)
    await show.say('ana', 'Welcome back.')
    await waitFor(() => (run.wordsBySpeaker()['Ana Ribeiro'] === 'Welcome back.' ? true : null))
    run.stop()
    assert.equal(await run.finished, null)
  }
}

export const callCases: readonly ConformanceCase[] = [
  [
    'participants join and leave through the roster on the wire',
    async (setup) => {
      const run = startStageRun(setup)
      await admitBot(run)
      await waitForParticipants(run, ['Ana Ribeiro', 'Ben Carter'])
      run.show.join('chloe')
      await waitForParticipants(run, ['Ana Ribeiro', 'Ben Carter', 'Chloé Martin'])
      run.show.leave('ana')
      await waitForParticipants(run, ['Ben Carter', 'Chloé Martin'])
      run.stop()
      await run.finished
    },
  ],
  [
    'participants join and leave through the participant list when the wire has no roster',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { hasRoster: false } })
      await admitBot(run)
      await waitForParticipants(run, ['Ana Ribeiro', 'Ben Carter'])
      const { people } = await run.waitForEvent('people')
      assert.equal(people[0]?.isHost, true)
      run.show.join('chloe')
      run.show.leave('ben')
      await waitForParticipants(run, ['Ana Ribeiro', 'Chloé Martin'])
      run.stop()
      await run.finished
    },
  ],
  [
    'the bot waits while the page reconnects',
    async (setup) => {
      const run = startStageRun(setup)
      await admitBot(run)
      run.show.setConnectionLost(true)
      await run.show.say('ana', 'Can you hear me?')
      run.show.setConnectionLost(false)
      await waitFor(() =>
        run.wordsBySpeaker()['Ana Ribeiro'] === 'Can you hear me?' ? true : null,
      )
      run.stop()
      assert.equal(await run.finished, null)
      assert.equal(run.events.filter(({ kind }) => kind === 'admitted').length, 1)
    },
  ],
  ['a page that wanders off in mid-call is opened again', rejoinsAfter('away')],
  [
    'a crashed page is replaced, and captions of the new page have other ids',
    async (setup) => {
      const run = startStageRun(setup)
      await admitBot(run)
      const { show, pool } = run
      const first = 'Said before the crash.'
      await show.say('ana', first)
      // Waits for the complete text, because the crash loses what the page has not sent yet.
      await waitFor(() => (run.wordsBySpeaker()['Ana Ribeiro'] === first ? true : null))
      const before = new Set(run.captionIds().map((id) => id.split('/')[0]))
      crashPages(pool)
      await waitForRejoin(run)
      await show.say('ana', 'Said after the crash.')
      const all = `${first} Said after the crash.`
      await waitFor(() => (run.wordsBySpeaker()['Ana Ribeiro'] === all ? true : null))
      const after = new Set(run.captionIds().map((id) => id.split('/')[0]))
      assert.deepEqual([before.size, after.size], [1, 2])
      run.stop()
      assert.equal(await run.finished, null)
      assert.equal(pool.inUse().length, 0)
    },
  ],
  [
    'a bot that is not admitted again after a crash ends with no_answer',
    async (setup) => {
      const run = startStageRun(setup, { timeouts: { readmitMs: 300 } })
      await admitBot(run)
      run.show.showScreen('lobby')
      crashPages(run.pool)
      assert.equal((await run.finished)?.because, 'no_answer')
    },
  ],
  [
    'a page that crashes repeatedly ends with browser_crashed',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { opening: 'splash' } })
      for (let nth = 0; nth < 4; nth += 1) {
        const slot = await waitFor(
          () =>
            run.pool
              .inUse()
              .find(
                ({ page, lostSignal }) => !lostSignal.aborted && page.url().startsWith('https'),
              ) ?? null,
        )
        crashPages(run.pool)
        await waitFor(() => (slot.lostSignal.aborted ? true : null))
      }
      assert.equal((await run.finished)?.because, 'browser_crashed')
    },
  ],
  [
    'a call whose parts are found by lesser strategies is reported as drift',
    async (setup) => {
      const run = startStageRun(setup, { knobs: { generation: 'earlier', locale: 'en' } })
      await admitBot(run)
      const { drifts } = await run.waitForEvent('drift')
      assert.ok(drifts.every(({ foundBy }) => foundBy !== null))
      assert.ok(drifts.some(({ part }) => part === setup.profile.driftingPart))
      run.stop()
      await run.finished
    },
  ],
]

/** Does not wait for an answer, because a crashed page never answers. */
function crashPages(pool: StageRun['pool']): void {
  for (const { cdpSession } of pool.inUse()) {
    void cdpSession.send('Page.crash').catch((error: unknown) => String(error))
  }
}
