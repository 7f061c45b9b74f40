import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { assertAccessible, assertNoHorizontalScroll } from '../../support/browser/console-pages.ts'
import { pressOn } from '../../support/browser/keyboard.ts'
import type { IsolatedWindow } from '../../support/browser/open-browser.ts'
import { openSharedBrowser } from '../../support/browser/shared-browser.ts'
import { IS_FULL_SIZE } from '../../support/test-size.ts'

export type Look = { width: 390 | 1024 | 1440; colorScheme: 'light' | 'dark' }

/** Each journey's look in a normal run. Together these are all looks. A full run does every journey in every look. */
const LOOKS = {
  'first run': { width: 390, colorScheme: 'light' },
  ask: { width: 1024, colorScheme: 'dark' },
  'failed join': { width: 1440, colorScheme: 'light' },
  'action item': { width: 390, colorScheme: 'dark' },
  sharing: { width: 1024, colorScheme: 'light' },
  prompt: { width: 1440, colorScheme: 'dark' },
} as const satisfies Record<string, Look>

type Journey = (browser: Browser, look: Look) => Promise<void>

/** Registers a journey that uses only the keyboard. `TEST_SIZE=full` runs it in each width and theme. */
export function testJourney(name: keyof typeof LOOKS, title: string, journey: Journey): void {
  const looks = IS_FULL_SIZE ? Object.values(LOOKS) : [LOOKS[name]]
  for (const look of looks) {
    test(`${title}, by keyboard, at ${look.width} px in ${look.colorScheme}`, async () => {
      await journey(await openSharedBrowser(), look)
    })
  }
}

/** A name that differs between the looks, because the journeys of a file share one service. */
export function nameFor(look: Look, name: string): string {
  return `${name} ${look.width} ${look.colorScheme}`
}

/** Opens a page from the main menu, which on a phone is the bottom bar and its “More”. */
export async function openFromMenu(page: Page, label: string): Promise<void> {
  const link = page
    .getByRole('navigation', { name: /^Main/ })
    .getByRole('link', { name: label, exact: true })
    .filter({ visible: true })
  if ((await link.count()) === 0) {
    await pressOn(page.getByRole('button', { name: 'More', exact: true }))
  }
  await pressOn(link)
}

/** Checks the page where a journey ends. */
export async function assertSoundPage(window: IsolatedWindow, name: string): Promise<void> {
  await assertNoHorizontalScroll(window.page, name)
  await assertAccessible(window.page, name)
  assert.deepEqual(window.pageErrors, [])
  assert.deepEqual(window.blockedRequests, [])
}
