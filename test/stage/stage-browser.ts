import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import type { StagedMeeting } from '../../stage/meeting/staged-meeting.ts'
import { openStage, type Stage } from '../../stage/stage.ts'
import { openBrowser, BROWSER_TIMEOUT_MS } from '../support/browser/open-browser.ts'

export type StageBrowser = AsyncDisposable & {
  stage: Stage
  browser: Browser
  /** A page of its own with readers in it, already on its way to the address. */
  openPage: (address: string, readers?: readonly string[]) => Promise<StagePage>
}
export type StagePage = AsyncDisposable & { page: Page; pageErrors: string[] }

export const CAST = [
  { id: 'ana', name: 'Ana Ribeiro', isHost: true },
  { id: 'ben', name: 'Ben Carter' },
  { id: 'chloe', name: 'Chloé Martin' },
]
/** Everything that lasts is over in no time, and captions still come one after the other. */
export const FAST = { speed: 100 } satisfies KnobSettings

/** One stage and one browser for a file of tests. */
export async function openStageBrowser(): Promise<StageBrowser> {
  const stage = await openStage()
  const browser = await openBrowser(stage.browserArguments)
  return {
    stage,
    browser,
    async openPage(address, readers = []) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 720 },
        // Who may use devices may also use every address of the machine, and some have only the loopback.
        permissions: ['camera', 'microphone'],
      })
      context.setDefaultTimeout(BROWSER_TIMEOUT_MS)
      for (const reader of readers) {
        await context.addInitScript({ path: join(import.meta.dirname, 'readers', reader) })
      }
      const page = await context.newPage()
      const complaints: string[] = []
      page.on('pageerror', (error) => complaints.push(error.stack ?? error.message))
      // Some pages send their guest on at once; whoever needs more of the page waits for it.
      await page.goto(address, { waitUntil: 'commit' })
      return { page, pageErrors: complaints, [Symbol.asyncDispose]: () => context.close() }
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await stage[Symbol.asyncDispose]()
    },
  }
}

let rooms = 0

/** A room that no other test uses. */
export function newMeetUrl(): string {
  const letters = String(++rooms)
    .padStart(3, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')
  return `https://meet.google.com/${letters}-room-abc`
}

export async function askToJoinMeet(page: Page, name = 'Notes Bot'): Promise<void> {
  await page.locator('input[jsname][type="text"]').fill(name)
  await page.locator('button[jsname="Qx7uuf"]').click()
}

export function newTeamsUrl(): string {
  return `https://teams.microsoft.com/meet/${1_000_000_000_000 + ++rooms}?p=secret`
}

/** Through the launcher, into the client, up to the knock. */
export async function askToJoinTeams(page: Page, name = 'Notes Bot'): Promise<void> {
  await page.locator('button[data-tid="joinOnWeb"]').click()
  await page.locator('input[data-tid="prejoin-display-name-input"]').fill(name)
  await page.locator('#prejoin-join-button').click()
}

/** Until the page has shown everything that it was told so far: events come in order. */
export async function waitUntilPageCaughtUp(show: StagedMeeting, page: Page): Promise<void> {
  show.connection(true)
  await page.getByText('Reconnecting').waitFor()
  show.connection(false)
  await page.getByText('Reconnecting').waitFor({ state: 'detached' })
}

/** Lets everybody in, with company. */
export async function admitGuests(show: StagedMeeting): Promise<void> {
  await show.until('knocked')
  show.join('ana', 'ben')
  show.admit()
  await show.until('entered')
}
