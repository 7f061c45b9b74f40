import { strict as assert } from 'node:assert'
import { before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import type { StagedMeeting } from '../../stage/meeting/staged-meeting.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  CAST,
  FAST,
  askToJoinMeet,
  admitGuests,
  openSharedStageBrowser,
  type StageBrowser,
} from './stage-browser.ts'
import { newMeetUrl, newTeamsUrl } from './stage-browser.ts'
import { MEET_NEEDS, TEAMS_NEEDS, type ScraperNeeds } from './scraper-needs.ts'

const LINE = 'Everybody can read this line.'

let stageBrowser: StageBrowser
before(async () => {
  stageBrowser = await openSharedStageBrowser()
})

type Generation = 'current' | 'earlier'
type View = 'host' | 'guest'

/** These scrapers need a marker that only a host's page of Microsoft Teams has. */
const HOST_VIEW_SCRAPERS = new Set(['pawel'])

/** The needs that the page does not meet. A need is a selector, or an expression that must be true. */
async function findUnmetNeeds(page: Page, needs: readonly string[]): Promise<string[]> {
  const checks = needs.map((need) =>
    need.startsWith('=')
      ? `() => Boolean(${need.slice(1)})`
      : `() => document.querySelector(${JSON.stringify(need)}) !== null`,
  )
  // An expression throws if it does not find its element.
  const isMet = `(check) => { try { return check() } catch { return false } }`
  const met = await page.evaluate<boolean[]>(`[${checks.join(',')}].map(${isMet})`)
  return needs.filter((_, i) => !met[i])
}

/** Polls, because panels and rows take some time to appear. */
async function waitUntilMet(page: Page, needs: readonly string[]): Promise<void> {
  let missing: string[] = []
  const isMet = async () => {
    missing = await findUnmetNeeds(page, needs)
    return missing.length === 0 ? true : null
  }
  await eventually(isMet).catch((error: unknown) => {
    assert.deepEqual(missing, [])
    throw error
  })
}

function needsOf(
  table: Readonly<Record<string, ScraperNeeds>>,
  at: keyof ScraperNeeds,
): Array<[string, string[]]> {
  return Object.entries(table).flatMap(([scraper, needs]) => {
    const given = needs[at]
    return given === undefined ? [] : [[scraper, [...given]]]
  })
}

type ScrapedPlatform = {
  title: string
  /** True if a guest's page differs from a host's. */
  hasGuestView: boolean
  table: Readonly<Record<string, ScraperNeeds>>
  address(): string
  askToJoin(page: Page): Promise<void>
  /** Opens the pre-join screen without asking to join. */
  preJoin(page: Page): Promise<void>
  openPanels(page: Page): Promise<void>
  turnOnCaptions(page: Page): Promise<void>
}

const PLATFORMS: readonly ScrapedPlatform[] = [
  {
    title: 'Google Meet',
    hasGuestView: false,
    table: MEET_NEEDS,
    address: newMeetUrl,
    askToJoin: askToJoinMeet,
    preJoin: (page) => page.locator('input[jsname][type="text"]').waitFor(),
    async openPanels(page) {
      await page.locator('button[aria-label^="People"], button[aria-label="Show everyone"]').click()
      await page.locator('[aria-label="Chat with everyone"]').click()
    },
    turnOnCaptions: (page) => page.keyboard.press('Shift+C'),
  },
  {
    title: 'Microsoft Teams',
    hasGuestView: true,
    table: TEAMS_NEEDS,
    address: newTeamsUrl,
    async askToJoin(page) {
      await page.locator('input[data-tid="prejoin-display-name-input"]').fill('Notes Bot')
      await page.locator('#prejoin-join-button').click()
    },
    async preJoin(page) {
      await page.locator('button[data-tid="joinOnWeb"]').click()
      await page.locator('input[data-tid="prejoin-display-name-input"]').waitFor()
    },
    async openPanels(page) {
      await page.locator('#roster-button').click()
      await page.locator('#chat-button').click()
    },
    turnOnCaptions: (page) => page.keyboard.press('Alt+Shift+C'),
  },
]

async function say(meeting: StagedMeeting): Promise<void> {
  await meeting.waitFor('captions on')
  await meeting.say('ana', LINE)
}

const PAGES: ReadonlyArray<[Generation, View]> = [
  ['current', 'host'],
  ['current', 'guest'],
  ['earlier', 'host'],
]

for (const { title, table, hasGuestView, ...platform } of PLATFORMS) {
  for (const [generation, view] of PAGES.filter(([, view]) => view === 'host' || hasGuestView)) {
    test(`the ${generation} ${title} of a ${view} has the elements that each public scraper needs`, async (t) => {
      const address = platform.address()
      const knobs: KnobSettings = { ...FAST, generation, view }
      const meeting = stageBrowser.stage.open(address, { cast: CAST, knobs })
      await using visitor = await stageBrowser.openPage(address)
      const { page } = visitor
      await platform.preJoin(page)
      const check = async (at: keyof ScraperNeeds, where: string) => {
        for (const [scraper, needs] of needsOf(table, at)) {
          if (view === 'guest' && HOST_VIEW_SCRAPERS.has(scraper)) continue
          await t.test(`${scraper}, ${where}`, () => waitUntilMet(page, needs))
        }
      }
      await check('preJoin', 'before the call')
      await platform.askToJoin(page)
      await admitGuests(meeting)
      await check('call', 'in the call')
      await platform.openPanels(page)
      await check('panels', 'with the panels open')
      await platform.turnOnCaptions(page)
      await say(meeting)
      await check(generation === 'current' ? 'captions' : 'earlierCaptions', 'in the captions')
      assert.deepEqual(visitor.pageErrors, [])
    })
  }
}
