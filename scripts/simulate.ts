// Lets the lanes of made-up worlds go through trouble, each from a new seed, until the time is up or a promise
// is broken: `npm run simulate -- 600` for ten minutes, `npm run simulate -- seed 4711` to see one world again.
import { randomInt } from 'node:crypto'
import { runSimulation } from '../test/support/delivery-simulation/simulation.ts'

const DEFAULT_SECONDS = 60
const FAULTY_STEPS = 1_500
const REPORT_MS = 10_000

const [first = String(DEFAULT_SECONDS), second = '', third = String(FAULTY_STEPS)] =
  process.argv.slice(2)

if (first === 'seed') await replaySeed(Number(second), Number(third))
else await runRandomSeeds(Number(first) * 1_000)

async function replaySeed(seed: number, troubledSteps: number): Promise<void> {
  const { steps, counts } = await runSimulation(seed, troubledSteps)
  console.log(`seed ${seed}: ${steps} steps, nothing broken`)
  console.table(Object.fromEntries(counts))
}

async function runRandomSeeds(forMs: number): Promise<void> {
  if (!Number.isFinite(forMs)) throw new Error('usage: simulate [seconds] | simulate seed <number>')
  const startedAt = performance.now()
  let [worlds, steps, reportedAt] = [0, 0, startedAt]
  while (performance.now() - startedAt < forMs) {
    const seed = randomInt(2 ** 32)
    try {
      steps += (await runSimulation(seed, FAULTY_STEPS)).steps
    } catch (error) {
      console.error(error instanceof Error ? error.message : error)
      console.error(`\nAgain: npm run simulate -- seed ${seed}`)
      process.exitCode = 1
      return
    }
    worlds += 1
    if (performance.now() - reportedAt < REPORT_MS) continue
    reportedAt = performance.now()
    console.log(`${worlds} worlds, ${steps} steps`)
  }
  console.log(`${worlds} worlds, ${steps} steps: nothing broken`)
}
