import { strict as assert } from 'node:assert'
import { eventually } from '../../support/eventually.ts'
import type { Case } from '../conformance.ts'
import { begin, rehearse, type Rehearsal } from '../rehearsal.ts'

/** Gone without a word of its own, and nothing left open. */
async function isGone({ over, pool, sightings }: Rehearsal): Promise<void> {
  assert.equal(await over, null)
  assert.ok(!sightings.some(({ seen }) => seen === 'over'))
  assert.equal(pool.seats().length, 0)
}

export const leavingCases: readonly Case[] = [
  [
    'a bot that is stopped in the call leaves it before it closes the page',
    async (company) => {
      const rehearsal = rehearse(company)
      await begin(rehearsal)
      const leaving = rehearsal.show.until('left')
      rehearsal.stop()
      await leaving
      await isGone(rehearsal)
    },
  ],
  [
    'a bot that is stopped in the lobby takes its knock back',
    async (company) => {
      const rehearsal = rehearse(company)
      await rehearsal.show.until('knocked')
      rehearsal.show.lobby()
      await rehearsal.sees('lobby')
      rehearsal.stop()
      await isGone(rehearsal)
      await eventually(() => (rehearsal.show.audience.guests.length === 0 ? true : null))
    },
  ],
  [
    'a bot that is stopped before the door, or before it has a page, goes at once',
    async (company) => {
      const early = rehearse(company)
      early.stop()
      const waiting = rehearse(company, {
        knobs: { opening: 'splash' },
        patience: { leaveMs: 300 },
      })
      await waiting.show.until('opened')
      waiting.stop()
      await Promise.all([isGone(early), isGone(waiting)])
    },
  ],
  [
    'whoever stops listening without a word is left in order too',
    async (company) => {
      const rehearsal = rehearse(company)
      await begin(rehearsal)
      const leaving = rehearsal.show.until('left')
      await rehearsal.hangUp()
      await leaving
      assert.equal(rehearsal.pool.seats().length, 0)
    },
  ],
]
