// Simulates deliveries with random faults, each run with a new seed, until the time is up or an invariant is broken.
// `npm run simulate -- 600` runs for ten minutes. `npm run simulate -- seed 4711` repeats one simulation.
import { randomInt } from 'node:crypto'
import { runSimulation } from '../test/support/delivery-simulation/simulation.ts'

const DEFAULT_SECONDS = 60
const FAULTY_STEPS = 1_500
const REPORT_MS = 10_000

const [first = String(DEFAULT_SECONDS), second = '', third = String(FAULTY_STEPS)] =
  process.argv.slice(2)

if (first === 'seed') await replaySeed(Number(second), Number(third))
else await runRandomSeeds(Number(first) * 1_000)

async function replaySeed(seed: number, faultySteps: number): Promise<void> {
  const { steps, counts } = await runSimulation(seed, faultySteps)
  console.log(`seed ${seed}: ${steps} steps, no invariant broken`)
  console.table(Object.fromEntries(counts))
}

async function runRandomSeeds(forMs: number): Promise<void> {
  if (!Number.isFinite(forMs)) throw new Error('usage: simulate [seconds] | simulate seed <number>')
  const startedAt = performance.now()
  let [simulations, steps, reportedAt] = [0, 0, startedAt]
  while (performance.now() - startedAt < forMs) {
    const seed = randomInt(2 ** 32)
    try {
      steps += (await runSimulation(seed, FAULTY_STEPS)).steps
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      console.error(`\nRepeat it with: npm run simulate -- seed ${seed}`)
      process.exitCode = 1
      return
    }
    simulations += 1
    if (performance.now() - reportedAt < REPORT_MS) continue
    reportedAt = performance.now()
    console.log(`${simulations} simulations, ${steps} steps`)
  }
  console.log(`${simulations} simulations, ${steps} steps, no invariant broken`)
}
