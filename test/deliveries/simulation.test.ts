import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createSimulation, runSimulation } from '../support/delivery-simulation/simulation.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

const FAULTY_STEPS = 1_500
/** A normal run does a fifth of the simulations, which still contain each kind of event. */
const SHARE = IS_FULL_SIZE ? 1 : 0.2
const SEEDS = Array.from({ length: 100 * SHARE }, (_, i) => (IS_FULL_SIZE ? 1_001 : 1_045) + i)
const MIN_STEPS = 200_000 * SHARE
const TIME_LIMIT_MS = 900_000

/** How often each event must happen in all simulations, so that they are hard enough. */
const MIN_COUNTS = {
  attempt: 5_000,
  partial: 500,
  'repeated event': 20,
  'rejected event': 10,
  'expired event': 10,
  'stale connection': 20,
  'early status': 500,
  probe: 20,
  'failure of one lane': 20,
  'held lane': 5,
  'refused write': 5,
  'drained lane': 200,
  'released lane': 10,
  'stopped lane': 20,
  'fenced lane': 5,
  'failed lane': 20,
  'closed lane': 5,
}

test(
  'the lanes break no invariant in simulations with faults',
  { timeout: TIME_LIMIT_MS },
  async (t) => {
    const sum = new Map<string, number>()
    let total = 0
    for (const seed of SEEDS) {
      const { steps, counts } = await runSimulation(seed, FAULTY_STEPS)
      total += steps
      for (const [name, count] of counts) sum.set(name, (sum.get(name) ?? 0) + count)
    }
    t.diagnostic(
      `${total} steps in ${SEEDS.length} simulations: ${JSON.stringify(Object.fromEntries(sum))}`,
    )
    assert.ok(total >= MIN_STEPS, `${total} steps`)
    for (const [name, min] of Object.entries(MIN_COUNTS)) {
      assert.ok((sum.get(name) ?? 0) >= min * SHARE, `${name}: ${sum.get(name)}`)
    }
  },
)

test('a seed produces the same simulation every time, step by step', async () => {
  const [first, second] = [createSimulation(7), createSimulation(7)]
  await first.run(FAULTY_STEPS)
  await second.run(FAULTY_STEPS)
  assert.equal(first.steps(), second.steps())
  assert.deepEqual(first.lastLogLines(), second.lastLogLines())
  assert.deepEqual(first.counts, second.counts)
})

/** Seeds that once found a bug, with the bug. */
const FOUND: Array<[seed: number, bug: string]> = [
  [12, 'an event that was stored but not pushed was skipped by the next one'],
  [32, 'a partial caption was sent before an event that was stored but not pushed'],
  [46, 'a lane that waited for a slot got a permit although the circuit breaker had opened'],
  [13, 'an event was lost because later events had expired'],
  [3, 'the timer of a grace period was left behind'],
  [28, 'the timer of the next probe was left behind'],
]

for (const [seed, bug] of FOUND) {
  test(`simulation ${seed} no longer finds: ${bug}`, async () => {
    await runSimulation(seed, FAULTY_STEPS)
  })
}
