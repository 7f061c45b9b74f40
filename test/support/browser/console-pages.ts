import { strict as assert } from 'node:assert'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { openIsolatedWindow, type IsolatedWindow } from './open-browser.ts'
import { eventually } from '../time/eventually.ts'
import type { HttpClient } from '../http/http-client.ts'
import { saveScreenshots } from './screenshots.ts'

type Options = { width?: number; colorScheme?: 'light' | 'dark' }

/** A window of the console in which somebody is signed in. */
export async function openConsoleAs(
  browser: Browser,
  person: HttpClient,
  options: Options = {},
): Promise<IsolatedWindow> {
  const seen = await openIsolatedWindow(browser, person.url, options)
  const [name = '', value = ''] = person.cookie?.split('=') ?? []
  await seen.context.addCookies([{ name, value, url: person.url }])
  return seen
}

/** Opens a page and waits until it has what it shows. The live stream stays open, so the network is never idle. */
export async function openPageAndSettle(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(async () => ((await page.locator('[data-waiting]').count()) === 0 ? true : null))
}

/** What the transcript on the page says, line by line. */
export function readTranscriptLines(page: Page): Promise<Array<{ number: number; text: string }>> {
  return page.evaluate(`[...document.querySelectorAll('.transcript .line[id]')].map((line) => ({
    number: Number(line.id.replace('line-', '')),
    text: line.querySelector('.line-text').textContent,
  }))`)
}

const REDRAW_MS = 5_000

/** What a theme can break. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Finds no fault in either theme, and leaves a picture of each for whoever wants to look. */
export async function assertAccessible(page: Page, path: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // The structure is the same in both themes.
    const faults = await findAccessibilityViolations(
      page,
      colorScheme === 'light' ? null : COLOR_RULES,
    )
    assert.deepEqual(faults, [], `${path} in ${colorScheme}`)
  }
  await saveScreenshots(page, path)
}

/** The one that the builder would bring itself. */
const AXE = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core') as {
  source: string
}
/** What the builder brings instead, as axe is there already. */
const NOTHING = 'null'

/** What axe finds. Told of nothing but faults, and without a second page for its report, it needs half the time. */
export async function findAccessibilityViolations(
  page: Page,
  rules: string[] | null = null,
): Promise<string[]> {
  await injectAxe(page)
  const axe = new AxeBuilder({ page, axeSource: NOTHING })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
  const { violations } = await (rules === null ? axe : axe.withRules(rules)).analyze()
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
}

/** Once into each document: the builder does it twice for each question, and it is half a megabyte. */
async function injectAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(AXE.source)
  }
}

/** Nothing has to be scrolled sideways. A page that was just made narrower is given the time to draw itself anew. */
export async function assertNoHorizontalScroll(page: Page, path: string): Promise<void> {
  const late = AbortSignal.timeout(REDRAW_MS)
  const [width, room] = await eventually(async () => {
    const found = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, window.innerWidth]',
    )
    return found[0] <= found[1] || late.aborted ? found : null
  })
  assert.ok(width <= room, `${path} is ${width} pixels wide`)
}

/** The same of several pages by name, each also on a phone, where it has to fit. */
export async function assertPagesAccessible(
  { wide, narrow }: { wide: IsolatedWindow; narrow: IsolatedWindow },
  urls: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, url] of Object.entries(urls)) {
    await openPageAndSettle(wide.page, url)
    await assertAccessible(wide.page, name)
    await openPageAndSettle(narrow.page, url)
    await assertNoHorizontalScroll(narrow.page, name)
    await saveScreenshots(narrow.page, `${name}-phone`)
  }
}
