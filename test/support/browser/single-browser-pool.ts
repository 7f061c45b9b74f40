import type { Browser } from 'playwright-core'
import {
  BrowserSlotLostError,
  type BrowserPool,
  type BrowserSlot,
} from '../../../src/bots/browser/pool/browser-slot.ts'

export type SingleBrowserPool = BrowserPool & {
  /** The slots that are acquired and not yet released. */
  inUse(): readonly BrowserSlot[]
}

/** A pool over one open browser. Each slot is a new context, whose documents first run `initScript`. */
export function createSingleBrowserPool(
  browser: Browser,
  { initScript }: { initScript?: string } = {},
): SingleBrowserPool {
  const acquired = new Set<BrowserSlot>()
  return {
    inUse: () => [...acquired],
    async acquire({ locale, mediaOrigins, storageState, proxyUrl }, signal) {
      signal.throwIfAborted()
      const context = await browser.newContext({
        locale,
        viewport: { width: 1280, height: 720 },
        ...(storageState && { storageState }),
        ...(proxyUrl && { proxy: { server: proxyUrl, bypass: '<-loopback>' } }),
      })
      for (const origin of mediaOrigins) {
        await context.grantPermissions(['camera', 'microphone'], { origin })
      }
      if (initScript !== undefined) await context.addInitScript(initScript)
      const page = await context.newPage()
      const session = await context.newCDPSession(page)
      const lost = new AbortController()
      page.on('crash', () => lost.abort(new BrowserSlotLostError('page crashed')))
      browser.on('disconnected', () => lost.abort(new BrowserSlotLostError('browser gone')))
      const slot: BrowserSlot = {
        context,
        page,
        cdpSession: session,
        lostSignal: lost.signal,
        reportActivity: () => undefined,
        async [Symbol.asyncDispose]() {
          acquired.delete(slot)
          await context.close()
        },
      }
      acquired.add(slot)
      return slot
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([...acquired].map((slot) => slot[Symbol.asyncDispose]()))
    },
  }
}
