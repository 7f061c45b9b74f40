import { strict as assert } from 'node:assert'
import type { Browser, Page } from 'playwright-core'
import { openIsolatedWindow, type IsolatedWindow } from './open-browser.ts'
import { eventually } from '../time/eventually.ts'
import type { HttpClient } from '../http/http-client.ts'
import { assertAccessible } from './accessibility.ts'
import { saveScreenshots } from './screenshots.ts'

type Options = { width?: number; alsoReaches?: string }

/** Opens a console window that is signed in as this client. */
export async function openConsoleAs(
  browser: Browser,
  person: Pick<HttpClient, 'url' | 'cookie'>,
  options: Options = {},
): Promise<IsolatedWindow> {
  const window = await openIsolatedWindow(browser, person.url, options)
  await signInAs(window, person)
  return window
}

/** Signs this client in to a console window, instead of whoever is signed in there. Load the next page afterwards. */
export async function signInAs(
  { context }: IsolatedWindow,
  person: Pick<HttpClient, 'url' | 'cookie'>,
): Promise<void> {
  const [name = '', value = ''] = person.cookie?.split('=') ?? []
  await context.addCookies([{ name, value, url: person.url }])
}

/** Loads a page and waits until its data is loaded. The live stream stays open, so the network never becomes idle. */
export async function openPageAndSettle(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await waitUntilSettled(page)
}

/**
 * Opens a page like the console's links, which costs an eighth of loading it. Use this only for pages whose data the
 * window has not read before, because the console does not reread data that is a few seconds old. The first page of
 * a window is loaded.
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

/** The transcript lines on the page. */
export function readTranscriptLines(page: Page): Promise<Array<{ number: number; text: string }>> {
  return page.evaluate(`[...document.querySelectorAll('.transcript .line[id]')].map((line) => ({
    number: Number(line.id.replace('line-', '')),
    text: line.querySelector('.line-text').textContent,
  }))`)
}

/** Only a page that is too wide takes this long. */
const REDRAW_MS = 60_000

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

/** Checks several pages in a wide window. Then the window becomes narrow, and no page may scroll horizontally. */
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
