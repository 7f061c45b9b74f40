import { strict as assert } from 'node:assert'
import { createRequire } from 'node:module'
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

/** Loads a page and waits until its data is loaded. The live stream stays open, so the network never becomes idle. */
export async function openPageAndSettle(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await waitUntilSettled(page)
}

/**
 * Opens a page as the links of the console do, which costs an eighth of loading it. For pages whose data the window has
 * not read before, because the console does not read again what is a few seconds old. Loads the first page of a window.
 */
export async function visitPage(page: Page, url: string): Promise<void> {
  if (!page.url().startsWith(`${new URL(url).origin}/`)) return openPageAndSettle(page, url)
  await page.evaluate(`new Promise((resolve) => {
    const router = window.__TSR_ROUTER__
    const unsubscribe = router.subscribe('onRendered', () => resolve(unsubscribe()))
    router.history.push(${JSON.stringify(url.slice(new URL(url).origin.length))})
  })`)
  await waitUntilSettled(page)
}

async function waitUntilSettled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('[data-waiting]').first().waitFor({ state: 'detached' })
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

/** The version of axe that the axe package for Playwright contains. */
const AXE = createRequire(import.meta.resolve('@axe-core/playwright'))('axe-core') as {
  source: string
}
/** Without passes, selectors and style sheets that axe would load again. The console has no frames. */
const AXE_OPTIONS = {
  resultTypes: ['violations'],
  selectors: false,
  preload: false,
  iframes: false,
}

/** The violations that axe finds. Its half megabyte is injected once into a document. */
export async function findAccessibilityViolations(
  page: Page,
  rules: string[] | null = null,
): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE.source)
  const options = { ...AXE_OPTIONS, ...(rules && { runOnly: rules }) }
  return page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`)
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
    await visitPage(page, url)
    await assertAccessible(page, name)
    await assertFitsPhone(page, name)
  }
}
