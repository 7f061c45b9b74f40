import { createPracticePlatform } from '../../src/bots/platforms/practice/practice-platform.ts'
import type { Platform } from '../../src/bots/platforms/platform.ts'

/** Practice meetings that do not wait, but stop at a time in their script until the test continues them. */
export function createHeldPractice(): { platform: Platform; playUntil(seconds: number): void } {
  const script = { playedMs: 0, untilMs: 0, changed: Promise.withResolvers<void>() }
  const platform = createPracticePlatform({
    async sleep(ms, signal) {
      script.playedMs += ms
      const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve))
      while (script.playedMs > script.untilMs && !signal.aborted)
        await Promise.race([script.changed.promise, aborted])
    },
  })
  return {
    platform,
    playUntil(seconds) {
      script.untilMs = seconds * 1_000
      script.changed.resolve()
      script.changed = Promise.withResolvers()
    },
  }
}
