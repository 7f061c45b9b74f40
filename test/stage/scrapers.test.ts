import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import type { KnobSettings } from '../../stage/meeting/knobs.ts'
import type { StagedMeeting } from '../../stage/meeting/staged-meeting.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  CAST,
  FAST,
  askToJoinMeet,
  admitGuests,
  openStageBrowser,
  type StageBrowser,
} from './stage-browser.ts'
import { newMeetUrl, newTeamsUrl } from './stage-browser.ts'
import { MEET_NEEDS, TEAMS_NEEDS, type ScraperNeeds } from './scraper-needs.ts'

const LINE = 'Everybody can read this line.'

let house: StageBrowser
before(async () => {
  house = await openStageBrowser()
})
after(() => house[Symbol.asyncDispose]())

type Generation = 'current' | 'earlier'

/** What of the needs a page does not meet. A need is a selector, or an expression that must be true. */
async function unmet(page: Page, needs: readonly string[]): Promise<string[]> {
  const looks = needs.map((need) =>
    need.startsWith('=')
      ? `() => Boolean(${need.slice(1)})`
      : `() => document.querySelector(${JSON.stringify(need)}) !== null`,
  )
  // What an expression does not find makes it fail, which is an answer too.
  const isMet = `(look) => { try { return look() } catch { return false } }`
  const met = await page.evaluate<boolean[]>(`[${looks.join(',')}].map(${isMet})`)
  return needs.filter((_, i) => !met[i])
}

/** Asks again: panels and rows take a moment. */
async function meets(page: Page, needs: readonly string[]): Promise<void> {
  let missing: string[] = []
  const isMet = async () => {
    missing = await unmet(page, needs)
    return missing.length === 0 ? true : null
  }
  await eventually(isMet, 90_000).catch((error: unknown) => {
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

type Way = {
  title: string
  table: Readonly<Record<string, ScraperNeeds>>
  address(): string
  knock(page: Page): Promise<void>
  /** Up to the field for a name, without knocking. */
  preJoin(page: Page): Promise<void>
  openPanels(page: Page): Promise<void>
  turnOnCaptions(page: Page): Promise<void>
}

const WAYS: readonly Way[] = [
  {
    title: 'Google Meet',
    table: MEET_NEEDS,
    address: newMeetUrl,
    knock: askToJoinMeet,
    preJoin: (page) => page.locator('input[jsname][type="text"]').waitFor(),
    async openPanels(page) {
      await page.locator('button[aria-label^="People"], button[aria-label="Show everyone"]').click()
      await page.locator('[aria-label="Chat with everyone"]').click()
    },
    turnOnCaptions: (page) => page.keyboard.press('Shift+C'),
  },
  {
    title: 'Microsoft Teams',
    table: TEAMS_NEEDS,
    address: newTeamsUrl,
    async knock(page) {
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

async function say(show: StagedMeeting): Promise<void> {
  await show.until('captions on')
  await show.say('ana', LINE)
}

for (const { title, table, ...way } of WAYS) {
  for (const generation of ['current', 'earlier'] satisfies Generation[]) {
    test(`the ${generation} ${title} has what each public scraper looks for`, async (t) => {
      const address = way.address()
      const knobs: KnobSettings = { ...FAST, generation, view: 'host' }
      const show = house.stage.open(address, { cast: CAST, knobs })
      await using visitor = await house.openPage(address)
      const { page } = visitor
      await way.preJoin(page)
      const check = async (at: keyof ScraperNeeds, where: string) => {
        for (const [scraper, needs] of needsOf(table, at)) {
          await t.test(`${scraper}, ${where}`, () => meets(page, needs))
        }
      }
      await check('preJoin', 'before the call')
      await way.knock(page)
      await admitGuests(show)
      await check('call', 'in the call')
      await way.openPanels(page)
      await check('panels', 'with the panels open')
      await way.turnOnCaptions(page)
      await say(show)
      await check(generation === 'current' ? 'captions' : 'earlierCaptions', 'in the captions')
      assert.deepEqual(visitor.pageErrors, [])
    })
  }
}
