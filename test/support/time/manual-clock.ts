import type { Clock } from '../../../src/lib/time/clock.ts'

/** Time that stands still until the test moves it. Far ahead, because the upkeep of a service goes by the machine's own. */
export function createManualClock(
  start = '2099-11-15T12:00:00.000Z',
): Clock & { pass(seconds: number): void } {
  let now = new Date(start)
  return {
    now: () => new Date(now),
    pass(seconds) {
      now = new Date(now.getTime() + seconds * 1000)
    },
  }
}
