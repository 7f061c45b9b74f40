import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { GOOGLE_MEET_PAGE } from '../../src/platforms/google-meet/states.ts'
import { MICROSOFT_TEAMS_PAGE } from '../../src/platforms/microsoft-teams/states.ts'
import { partFor } from '../../src/platforms/page/strategy.ts'
import { locate } from '../../src/platforms/visit/hand.ts'
import { openBrowser } from '../support/browser.ts'

test('the browser understands every selector of the tables, for looking and for acting', async () => {
  await using browser = await openBrowser()
  const page = await browser.newPage()
  await page.setContent('<main><button aria-label="Leave call">x</button></main>')
  const strategies = [GOOGLE_MEET_PAGE, MICROSOFT_TEAMS_PAGE]
    .flatMap(({ parts }) => Object.values(parts))
    .flatMap((part) => partFor(part, 'en-US')?.strategies ?? [])
  const selectors = strategies.flatMap((strategy) => (strategy.by === 'css' ? [strategy.css] : []))
  assert.ok(selectors.length > 80)
  // A selector that is wrong throws, and one that only Playwright knows would never be seen from inside.
  const look = `(${JSON.stringify(selectors)}).map((css) => document.querySelectorAll(css).length)`
  const counts = await page.evaluate<number[]>(look)
  assert.equal(counts.filter((count) => count > 0).length, 1)
  for (const strategy of strategies) await locate(page, strategy)?.count()
})
