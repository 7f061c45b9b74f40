import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** One bot's place in a shared browser: a browser context with one page. */
export interface BrowserSlot extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
  /** A DevTools session with the page, for what Playwright cannot do: an isolated world and a one-way binding. */
  readonly cdpSession: CDPSession
  /** Aborts when the page crashes or hangs, or when its browser ends. The reason is a `BrowserSlotLostError`. */
  readonly lostSignal: AbortSignal
  /** The slot's user calls this whenever the page has sent something. The page is then not treated as hung. */
  reportActivity(): void
}

/** Why a slot can no longer be used. The message is shown to people. */
export class BrowserSlotLostError extends Error {
  readonly reason: 'page crashed' | 'page hung' | 'browser gone'

  constructor(reason: BrowserSlotLostError['reason']) {
    super(reason === 'browser gone' ? 'The browser ended' : `The ${reason}`)
    this.name = 'BrowserSlotLostError'
    this.reason = reason
  }
}

/** What a meeting platform needs from its browser slot. */
export type BrowserSlotOptions = {
  /** BCP 47 language of the page. */
  locale: string
  /** Origins that get Chromium's fake camera and microphone. */
  mediaOrigins: readonly string[]
  /** Cookies and local storage of a signed-in bot account. */
  storageState?: StorageState
  /** An egress proxy only for this slot; without it, the slot uses its browser's proxy. */
  proxyUrl?: string
}
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

export interface BrowserPool extends AsyncDisposable {
  /** Gives one bot a slot, and starts a browser if none has a free slot. Rejects if the machine cannot start one. */
  acquire(options: BrowserSlotOptions, signal: AbortSignal): Promise<BrowserSlot>
}
