import { strict as assert } from 'node:assert'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor, type StageRun } from '../stage-run.ts'

/** Gone without a word of its own, and nothing left open. */
async function assertLeft({ finished, pool, events }: StageRun): Promise<void> {
  assert.equal(await finished, null)
  assert.ok(!events.some(({ kind }) => kind === 'over'))
  assert.equal(pool.inUse().length, 0)
}

export const leavingCases: readonly ConformanceCase[] = [
  [
    'a bot that is stopped in the call leaves it before it closes the page',
    async (company) => {
      const rehearsal = startStageRun(company)
      await admitBot(rehearsal)
      const leaving = rehearsal.show.until('left')
      rehearsal.stop()
      await leaving
      await assertLeft(rehearsal)
    },
  ],
  [
    'a bot that is stopped in the lobby takes its knock back',
    async (company) => {
      const rehearsal = startStageRun(company)
      await rehearsal.show.until('knocked')
      rehearsal.show.lobby()
      await rehearsal.waitForEvent('lobby')
      rehearsal.stop()
      await assertLeft(rehearsal)
      await waitFor(() => (rehearsal.show.audience.guests.length === 0 ? true : null))
    },
  ],
  [
    'a bot that is stopped before the door, or before it has a page, goes at once',
    async (company) => {
      const early = startStageRun(company)
      early.stop()
      const waiting = startStageRun(company, {
        knobs: { opening: 'splash' },
        timeouts: { leaveMs: 300 },
      })
      await waiting.show.until('opened')
      waiting.stop()
      await Promise.all([assertLeft(early), assertLeft(waiting)])
    },
  ],
  [
    'whoever stops listening without a word is left in order too',
    async (company) => {
      const rehearsal = startStageRun(company)
      await admitBot(rehearsal)
      const leaving = rehearsal.show.until('left')
      await rehearsal.stopReading()
      await leaving
      assert.equal(rehearsal.pool.inUse().length, 0)
    },
  ],
]
