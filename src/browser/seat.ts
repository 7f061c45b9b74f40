import type { BrowserContext, CDPSession, Page } from 'playwright-core'

/** A place for one bot in a browser that it shares with others: a context of its own with one page. */
export interface Seat extends AsyncDisposable {
  readonly context: BrowserContext
  readonly page: Page
  /** To the page itself, for what Playwright does not do: an isolated world, a one-way binding. */
  readonly session: CDPSession
  /** Aborted when the page has crashed or hung or its browser is gone; the reason is a `SeatLost`. */
  readonly lost: AbortSignal
  /** Who sits here says so whenever the page has given a sign of life. */
  heard(): void
}

/** Why a seat cannot be used any more; the words are for people. */
export class SeatLost extends Error {
  readonly what: 'page crashed' | 'page hung' | 'browser gone'

  constructor(what: SeatLost['what']) {
    super(`The ${what === 'browser gone' ? 'browser is gone' : what}`)
    this.name = 'SeatLost'
    this.what = what
  }
}

/** What a platform wants of its seat. */
export type SeatWishes = {
  /** BCP 47; the page is asked for in it. */
  locale: string
  /** Origins that get camera and microphone (fakes of the browser). */
  origins: readonly string[]
  /** What a signed-in person's browser kept: cookies and local storage. */
  storageState?: StorageState
}
export type StorageState = Awaited<ReturnType<BrowserContext['storageState']>>

export interface BrowserPool extends AsyncDisposable {
  /** Waits for a browser to start when none has a free place. Rejects when the machine cannot start one. */
  take(wishes: SeatWishes, signal: AbortSignal): Promise<Seat>
}
