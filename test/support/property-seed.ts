import * as fc from 'fast-check'
import { IS_FULL_SIZE } from './test-size.ts'

/**
 * Makes every property of this process try the same values in each run, so that a run fails only because of a change.
 * `TEST_SIZE=full` tries new values, and fast-check prints the seed of a failure.
 */
export function fixPropertySeed(): void {
  if (!IS_FULL_SIZE) fc.configureGlobal({ seed: 20_260_115 })
}
