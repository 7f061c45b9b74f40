import type { Clock } from '../../../src/lib/time/clock.ts'

/** A clock that only the test advances. It starts in 2099, so that maintenance by the system clock deletes nothing. */
export function createManualClock(
  start = '2099-11-15T12:00:00.000Z',
): Clock & { advance(seconds: number): void } {
  let now = new Date(start)
  return {
    now: () => new Date(now),
    advance(seconds) {
      now = new Date(now.getTime() + seconds * 1000)
    },
  }
}
