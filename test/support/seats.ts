import type { Browser } from 'playwright-core'
import { SeatLost, type BrowserPool, type Seat } from '../../src/browser/seat.ts'

export type TestPool = BrowserPool & {
  /** Seats that are taken now. */
  seats(): readonly Seat[]
}

/** Seats in one browser that is there already: a context for each, nothing else. */
export function createTestPool(browser: Browser): TestPool {
  const taken = new Set<Seat>()
  return {
    seats: () => [...taken],
    async take({ locale, origins, storageState }, signal) {
      signal.throwIfAborted()
      const context = await browser.newContext({
        locale,
        viewport: { width: 1280, height: 720 },
        ...(storageState && { storageState }),
      })
      for (const origin of origins) {
        await context.grantPermissions(['camera', 'microphone'], { origin })
      }
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      const lost = new AbortController()
      page.on('crash', () => lost.abort(new SeatLost('page crashed')))
      browser.on('disconnected', () => lost.abort(new SeatLost('browser gone')))
      const seat: Seat = {
        context,
        page,
        session,
        lost: lost.signal,
        heard: () => undefined,
        async [Symbol.asyncDispose]() {
          taken.delete(seat)
          await context.close()
        },
      }
      taken.add(seat)
      return seat
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...taken].map((seat) => seat[Symbol.asyncDispose]()))
    },
  }
}
