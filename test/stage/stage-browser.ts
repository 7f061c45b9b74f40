import type { Browser, Page } from 'playwright-core'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import type { StagedMeeting } from '../../stage/meeting/staged-meeting.ts'
import { openStage, type Stage } from '../../stage/stage.ts'
import {
  BROWSER_TIMEOUT_MS,
  openBrowser,
  SHORT_LIVED_PAGES,
} from '../support/browser/open-browser.ts'
import { sharedResources } from '../support/shared-resources.ts'

export type StageBrowser = AsyncDisposable & {
  stage: Stage
  browser: Browser
  /** Opens a new page, and starts to load the address. */
  openPage: (address: string) => Promise<StagePage>
}
export type StagePage = AsyncDisposable & { page: Page; pageErrors: string[] }

export const CAST = [
  { id: 'ana', name: 'Ana Ribeiro', isHost: true },
  { id: 'ben', name: 'Ben Carter' },
  { id: 'chloe', name: 'Chloé Martin' },
]
/** Waits are short, but captions still arrive one at a time. */
export const FAST = { speed: 100 } satisfies KnobSettings

/** As in a full Chrome, a frame of another site runs in another process. */
const SITE_PER_PROCESS = '--site-per-process'

let opened: Promise<StageBrowser> | null = null

/** One stage and one browser that the test files of this process share. Closed at the end. */
export function openSharedStageBrowser(): Promise<StageBrowser> {
  opened ??= openStageBrowser([...SHORT_LIVED_PAGES, SITE_PER_PROCESS]).then((stageBrowser) =>
    sharedResources.use(stageBrowser),
  )
  return opened
}

/** A stage and a browser with its own arguments. */
export async function openStageBrowser(more: readonly string[] = []): Promise<StageBrowser> {
  const stage = await openStage()
  // Bots have this argument too. Without it, sound plays only after a click in the page.
  const autoplay = '--autoplay-policy=no-user-gesture-required'
  const browser = await openBrowser([...stage.browserArguments, autoplay, ...more])
  return {
    stage,
    browser,
    async openPage(address) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 720 },
        // With these permissions, WebRTC may use every address. Some machines have only loopback.
        permissions: ['camera', 'microphone'],
      })
      context.setDefaultTimeout(BROWSER_TIMEOUT_MS)
      const page = await context.newPage()
      const pageErrors: string[] = []
      page.on('pageerror', (error) => pageErrors.push(error.stack ?? error.message))
      // Some pages redirect immediately. A test that needs more of the page waits for it.
      await page.goto(address, { waitUntil: 'commit' })
      return { page, pageErrors, [Symbol.asyncDispose]: () => context.close() }
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      await stage[Symbol.asyncDispose]()
    },
  }
}

let rooms = 0

/** An address that no other test of the process uses. */
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

/** Goes through the launcher and asks to join. */
export async function askToJoinTeams(page: Page, name = 'Notes Bot'): Promise<void> {
  await page.locator('button[data-tid="joinOnWeb"]').click()
  await page.locator('input[data-tid="prejoin-display-name-input"]').fill(name)
  await page.locator('#prejoin-join-button').click()
}

/** Waits for the request to join, adds two participants and admits the guest. */
export async function admitGuests(meeting: StagedMeeting): Promise<void> {
  await meeting.waitFor('knocked')
  meeting.join('ana', 'ben')
  meeting.admit()
  await meeting.waitFor('entered')
}
