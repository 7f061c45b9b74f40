import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Dialog } from 'playwright-core'
import { GOOGLE_MEET_PAGE_MODEL } from '../../src/bots/platforms/google-meet/page-model.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from '../../src/bots/platforms/microsoft-teams/page-model.ts'
import { fillLanguagePlaceholder } from '../../src/bots/platforms/page-model/find-strategies.ts'
import {
  completesInTime,
  findLocatorForStrategy,
} from '../../src/bots/platforms/page-session/page-actions.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'

test('the browser accepts every selector of the page models, for observations and for actions', async () => {
  const browser = await openSharedBrowser()
  await using page = await browser.newPage()
  await page.setContent('<main><button aria-label="Leave call">x</button></main>')
  const strategies = [GOOGLE_MEET_PAGE_MODEL, MICROSOFT_TEAMS_PAGE_MODEL]
    .flatMap(({ parts }) => Object.values(parts))
    .flatMap((part) => fillLanguagePlaceholder(part, 'en-US')?.strategies ?? [])
  const selectors = strategies.flatMap((strategy) => (strategy.by === 'css' ? [strategy.css] : []))
  assert.ok(selectors.length > 80)
  // querySelector throws on invalid selectors, including those that only Playwright understands.
  const look = `(${JSON.stringify(selectors)}).map((css) => document.querySelectorAll(css).length)`
  const counts = await page.evaluate<number[]>(look)
  assert.equal(counts.filter((count) => count > 0).length, 1)
  for (const strategy of strategies) await findLocatorForStrategy(page, strategy)?.count()
})

test('a click is known to be sent although the page has not confirmed it', async () => {
  const browser = await openSharedBrowser()
  await using page = await browser.newPage()
  const dialogs: Dialog[] = []
  page.on('dialog', (dialog) => dialogs.push(dialog))
  // The page does not confirm the click while the dialog is open.
  await page.setContent('<button onclick="alert()">Turn on</button>')
  let wasSent = false
  for (let timeout = 500; !wasSent && dialogs.length === 0; timeout *= 2)
    wasSent = await completesInTime(() => page.click('button', { timeout }))
  assert.equal(wasSent, true)
  await dialogs[0]?.dismiss()
})
