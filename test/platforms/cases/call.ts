import { strict as assert } from 'node:assert'
import type { Screen } from '../../../stage/meeting/page-protocol.ts'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor, type StageRun } from '../stage-run.ts'

async function waitForParticipants(rehearsal: StageRun, names: readonly string[]): Promise<void> {
  await waitFor(() => {
    const last = rehearsal.events.findLast(({ kind }) => kind === 'people')
    const shown = last?.kind === 'people' ? last.people.map(({ name }) => name) : []
    return JSON.stringify(shown) === JSON.stringify(names) ? true : null
  })
}

/** The second guest of a show is the bot come back. */
async function waitForRejoin(rehearsal: StageRun): Promise<void> {
  await rehearsal.waitForEvent('admitted', 2)
  await waitFor(() => {
    const guest = rehearsal.show.audience.guests.at(-1)
    return guest?.actions.has('captions on') ? true : null
  })
}

/** What becomes of a page in mid-call that does not mean its end. */
export function rejoinsAfter(screen: Screen): ConformanceCase[1] {
  return async (company) => {
    const rehearsal = startStageRun(company)
    await admitBot(rehearsal)
    const { show } = rehearsal
    show.turn(screen)
    // Who knocks from now on is let in.
    await waitFor(() =>
      show.audience.guests.every(({ actions }) => !actions.has('entered')) ? true : null,
    )
    show.admit()
    await waitForRejoin(rehearsal)
    await show.say('ana', 'Welcome back.')
    await waitFor(() =>
      rehearsal.wordsBySpeaker()['Ana Ribeiro'] === 'Welcome back.' ? true : null,
    )
    rehearsal.stop()
    assert.equal(await rehearsal.finished, null)
  }
}

export const callCases: readonly ConformanceCase[] = [
  [
    'people come and go by the wire',
    async (company) => {
      const rehearsal = startStageRun(company)
      await admitBot(rehearsal)
      await waitForParticipants(rehearsal, ['Ana Ribeiro', 'Ben Carter'])
      rehearsal.show.join('chloe')
      await waitForParticipants(rehearsal, ['Ana Ribeiro', 'Ben Carter', 'Chloé Martin'])
      rehearsal.show.leave('ana')
      await waitForParticipants(rehearsal, ['Ben Carter', 'Chloé Martin'])
      rehearsal.stop()
      await rehearsal.finished
    },
  ],
  [
    'people come and go by the panel when the wire says nothing',
    async (company) => {
      const rehearsal = startStageRun(company, { knobs: { hasRoster: false } })
      await admitBot(rehearsal)
      await waitForParticipants(rehearsal, ['Ana Ribeiro', 'Ben Carter'])
      const { people } = await rehearsal.waitForEvent('people')
      assert.equal(people[0]?.isHost, true)
      rehearsal.show.join('chloe')
      rehearsal.show.leave('ben')
      await waitForParticipants(rehearsal, ['Ana Ribeiro', 'Chloé Martin'])
      rehearsal.stop()
      await rehearsal.finished
    },
  ],
  [
    'a connection that is lost for a moment is waited for',
    async (company) => {
      const rehearsal = startStageRun(company)
      await admitBot(rehearsal)
      rehearsal.show.connection(true)
      await rehearsal.show.say('ana', 'Can you hear me?')
      rehearsal.show.connection(false)
      await waitFor(() =>
        rehearsal.wordsBySpeaker()['Ana Ribeiro'] === 'Can you hear me?' ? true : null,
      )
      rehearsal.stop()
      assert.equal(await rehearsal.finished, null)
      assert.equal(rehearsal.events.filter(({ kind }) => kind === 'admitted').length, 1)
    },
  ],
  ['a page that wanders off in mid-call is opened again', rejoinsAfter('away')],
  [
    'a page that crashes is replaced, and its captions are told apart from those before',
    async (company) => {
      const rehearsal = startStageRun(company)
      await admitBot(rehearsal)
      const { show, pool } = rehearsal
      const first = 'Said before the crash.'
      await show.say('ana', first)
      // All of it: what the page had not told yet when it crashed is gone with it.
      await waitFor(() => (rehearsal.wordsBySpeaker()['Ana Ribeiro'] === first ? true : null))
      const before = new Set(rehearsal.captionIds().map((id) => id.split('/')[0]))
      crashPages(pool)
      await waitForRejoin(rehearsal)
      await show.say('ana', 'Said after the crash.')
      const all = `${first} Said after the crash.`
      await waitFor(() => (rehearsal.wordsBySpeaker()['Ana Ribeiro'] === all ? true : null))
      const after = new Set(rehearsal.captionIds().map((id) => id.split('/')[0]))
      assert.deepEqual([before.size, after.size], [1, 2])
      rehearsal.stop()
      assert.equal(await rehearsal.finished, null)
      assert.equal(pool.inUse().length, 0)
    },
  ],
  [
    'a bot that nobody lets in again after a crash gives up',
    async (company) => {
      const rehearsal = startStageRun(company, { timeouts: { readmitMs: 300 } })
      await admitBot(rehearsal)
      rehearsal.show.turn('lobby')
      crashPages(rehearsal.pool)
      assert.equal((await rehearsal.finished)?.because, 'no_answer')
    },
  ],
  [
    'a page that crashes again and again ends in browser_crashed',
    async (company) => {
      const rehearsal = startStageRun(company, { knobs: { opening: 'splash' } })
      for (let nth = 0; nth < 4; nth += 1) {
        const slot = await waitFor(
          () =>
            rehearsal.pool
              .inUse()
              .find(
                ({ page, lostSignal }) => !lostSignal.aborted && page.url().startsWith('https'),
              ) ?? null,
        )
        crashPages(rehearsal.pool)
        await waitFor(() => (slot.lostSignal.aborted ? true : null))
      }
      assert.equal((await rehearsal.finished)?.because, 'browser_crashed')
    },
  ],
  [
    'a call that is found by lesser marks is reported as drift',
    async (company) => {
      const rehearsal = startStageRun(company, { knobs: { generation: 'earlier', locale: 'en' } })
      await admitBot(rehearsal)
      const { drifts } = await rehearsal.waitForEvent('drift')
      assert.ok(drifts.every(({ foundBy }) => foundBy !== null))
      assert.ok(drifts.some(({ part }) => part === company.profile.driftingPart))
      rehearsal.stop()
      await rehearsal.finished
    },
  ],
]

/** The command never answers, as nobody is there any more to do so. */
function crashPages(pool: StageRun['pool']): void {
  for (const { cdpSession } of pool.inUse()) {
    void cdpSession.send('Page.crash').catch((error: unknown) => String(error))
  }
}
