import { strict as assert } from 'node:assert'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, Page } from 'playwright-core'
import { openIsolatedWindow, type IsolatedWindow } from './open-browser.ts'
import { eventually } from '../time/eventually.ts'
import type { HttpClient } from '../http/http-client.ts'
import { saveScreenshots } from './screenshots.ts'

type Options = { width?: number; colorScheme?: 'light' | 'dark' }

/** Opens a console window that is signed in as this client. */
export async function openConsoleAs(
  browser: Browser,
  person: Pick<HttpClient, 'url' | 'cookie'>,
  options: Options = {},
): Promise<IsolatedWindow> {
  const window = await openIsolatedWindow(browser, person.url, options)
  const [name = '', value = ''] = person.cookie?.split('=') ?? []
  await window.context.addCookies([{ name, value, url: person.url }])
  return window
}

/** Opens a page and waits until its data is loaded. The live stream stays open, so the network never becomes idle. */
export async function openPageAndSettle(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await eventually(async () => ((await page.locator('[data-waiting]').count()) === 0 ? true : null))
}

/** The lines of the transcript on the page. */
export function readTranscriptLines(page: Page): Promise<Array<{ number: number; text: string }>> {
  return page.evaluate(`[...document.querySelectorAll('.transcript .line[id]')].map((line) => ({
    number: Number(line.id.replace('line-', '')),
    text: line.querySelector('.line-text').textContent,
  }))`)
}

const REDRAW_MS = 5_000

/** The axe rules that depend on the theme. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** Checks both themes for accessibility violations and saves screenshots if they are wanted. */
export async function assertAccessible(page: Page, path: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    // The structure is the same in both themes.
    const violations = await findAccessibilityViolations(
      page,
      colorScheme === 'light' ? null : COLOR_RULES,
    )
    assert.deepEqual(violations, [], `${path} in ${colorScheme}`)
  }
  await saveScreenshots(page, path)
}

/** The version of axe that the builder uses. */
const AXE = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core') as {
  source: string
}
/** Replaces the script of the builder, because axe is already in the page. */
const NO_SCRIPT = 'null'

/** The violations that axe finds. Without passes and without a second page for the report, axe is twice as fast. */
export async function findAccessibilityViolations(
  page: Page,
  rules: string[] | null = null,
): Promise<string[]> {
  await injectAxe(page)
  const axe = new AxeBuilder({ page, axeSource: NO_SCRIPT })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
  const { violations } = await (rules === null ? axe : axe.withRules(rules)).analyze()
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html}`)
}

/** Injects axe once per document. The builder would inject its half megabyte twice per analysis. */
async function injectAxe(page: Page): Promise<void> {
  for (const frame of page.frames()) {
    if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(AXE.source)
  }
}

/** Checks that the page has no horizontal scroll. Waits, because a resized page redraws first. */
export async function assertNoHorizontalScroll(page: Page, path: string): Promise<void> {
  const late = AbortSignal.timeout(REDRAW_MS)
  const [width, available] = await eventually(async () => {
    const found = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, window.innerWidth]',
    )
    return found[0] <= found[1] || late.aborted ? found : null
  })
  assert.ok(width <= available, `${path} is ${width} pixels wide`)
}

/** The width of a small phone in pixels. */
export const PHONE_WIDTH = 360

/** Checks that an open page has no horizontal scroll when its window becomes as narrow as a phone. */
export async function assertFitsPhone(page: Page, path: string): Promise<void> {
  const wide = page.viewportSize()
  if (wide === null) throw new Error('the window has no fixed size')
  await page.setViewportSize({ ...wide, width: PHONE_WIDTH })
  await assertNoHorizontalScroll(page, path)
  await saveScreenshots(page, `${path}-phone`)
  await page.setViewportSize(wide)
}

/** Checks several pages in a wide window, which then becomes narrow, where no page may scroll horizontally. */
export async function assertPagesAccessible(
  { page }: IsolatedWindow,
  urls: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [name, url] of Object.entries(urls)) {
    await openPageAndSettle(page, url)
    await assertAccessible(page, name)
    await assertFitsPhone(page, name)
  }
}
