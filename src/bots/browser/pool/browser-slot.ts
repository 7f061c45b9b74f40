import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** A place for one bot in a browser that it shares with others: a context of its own with one page. */
export interface BrowserSlot extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
  /** To the page itself, for what Playwright does not do: an isolated world, a one-way binding. */
  readonly cdpSession: CDPSession
  /** Aborted when the page has crashed or hung or its browser is gone; the reason is a `SeatLost`. */
  readonly lostSignal: AbortSignal
  /** Who sits here says so whenever the page has given a sign of life. */
  reportActivity(): void
}

/** Why a seat cannot be used any more; the words are for people. */
export class BrowserSlotLostError extends Error {
  readonly reason: 'page crashed' | 'page hung' | 'browser gone'

  constructor(reason: BrowserSlotLostError['reason']) {
    super(`The ${reason === 'browser gone' ? 'browser is gone' : reason}`)
    this.name = 'BrowserSlotLostError'
    this.reason = reason
  }
}

/** What a platform wants of its seat. */
export type BrowserSlotOptions = {
  /** BCP 47; the page is asked for in it. */
  locale: string
  /** Origins that get camera and microphone (fakes of the browser). */
  mediaOrigins: readonly string[]
  /** What a signed-in person's browser kept: cookies and local storage. */
  storageState?: StorageState
}
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

export interface BrowserPool extends AsyncDisposable {
  /** Waits for a browser to start when none has a free place. Rejects when the machine cannot start one. */
  acquire(wishes: BrowserSlotOptions, signal: AbortSignal): Promise<BrowserSlot>
}
