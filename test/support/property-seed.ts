import * as fc from 'fast-check'

/**
 * Makes every property of this process try the same values in each run, so that a run fails only because of a
 * change. `TEST_SIZE=full` tries new values; fast-check prints the seed of a failure.
 */
export function fixPropertySeed(): void {
  if (process.env['TEST_SIZE'] !== 'full') fc.configureGlobal({ seed: 20_260_115 })
}

/** The runs of an expensive property: all of them only with `TEST_SIZE=full`. */
export function countRuns({ part, full }: { part: number; full: number }): number {
  return process.env['TEST_SIZE'] === 'full' ? full : part
}
