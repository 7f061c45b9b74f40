import { strict as assert } from 'node:assert'
import type { ConformanceCase } from '../conformance.ts'
import { admitBot, startStageRun, waitFor, type StageRun, waitForAction } from '../stage-run.ts'

/** The bot left without an end event, and no slot is in use. */
async function assertLeft({ finished, pool, events }: StageRun): Promise<void> {
  assert.equal(await finished, null)
  assert.ok(!events.some(({ kind }) => kind === 'over'))
  assert.equal(pool.inUse().length, 0)
}

export const lobbyStopCase: ConformanceCase = [
  'a bot that is stopped in the lobby cancels its request to join',
  async (setup) => {
    const run = startStageRun(setup)
    await waitForAction(run, 'knocked')
    run.show.lobby()
    await run.waitForEvent('lobby')
    run.stop()
    await assertLeft(run)
    await waitFor(() => (run.show.pages.all.length === 0 ? true : null))
  },
]

/** The same code runs on all platforms, so one of them is enough. */
export const earlyStopCase: ConformanceCase = [
  'a bot that is stopped while its page loads, or before it has one, ends immediately',
  async (setup) => {
    const early = startStageRun(setup)
    early.stop()
    const waiting = startStageRun(setup, {
      knobs: { opening: 'splash' },
      timeouts: { leaveMs: 300 },
    })
    await waitForAction(waiting, 'opened')
    waiting.stop()
    await Promise.all([assertLeft(early), assertLeft(waiting)])
  },
]

/** The same code runs on all platforms, so one of them is enough. */
export const lostReaderCase: ConformanceCase = [
  'a bot leaves the call when its reader stops without aborting',
  async (setup) => {
    const run = startStageRun(setup)
    await admitBot(run)
    const leaving = run.show.waitFor('left')
    await run.stopReading()
    await leaving
    assert.equal(run.pool.inUse().length, 0)
  },
]
