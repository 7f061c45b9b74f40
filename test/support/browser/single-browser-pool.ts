import type { Browser } from 'playwright-core'
import {
  BrowserSlotLostError,
  type BrowserPool,
  type BrowserSlot,
} from '../../../src/bots/browser/pool/browser-slot.ts'

export type SingleBrowserPool = BrowserPool & {
  /** Seats that are taken now. */
  inUse(): readonly BrowserSlot[]
}

/** Seats in one browser that is there already: a context for each, nothing else. */
export function createSingleBrowserPool(browser: Browser): SingleBrowserPool {
  const taken = new Set<BrowserSlot>()
  return {
    inUse: () => [...taken],
    async acquire({ locale, mediaOrigins, storageState }, signal) {
      signal.throwIfAborted()
      const context = await browser.newContext({
        locale,
        viewport: { width: 1280, height: 720 },
        ...(storageState && { storageState }),
      })
      for (const origin of mediaOrigins) {
        await context.grantPermissions(['camera', 'microphone'], { origin })
      }
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      const lost = new AbortController()
      page.on('crash', () => lost.abort(new BrowserSlotLostError('page crashed')))
      browser.on('disconnected', () => lost.abort(new BrowserSlotLostError('browser gone')))
      const seat: BrowserSlot = {
        context,
        page,
        cdpSession: session,
        lostSignal: lost.signal,
        reportActivity: () => undefined,
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
