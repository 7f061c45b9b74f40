import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
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

/** Checks both themes for accessibility violations, and saves screenshots if they are wanted. */
export async function assertAccessible(page: Page, path: string): Promise<void> {
  assert.deepEqual(await findAccessibilityViolations(page), [], path)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    assert.deepEqual(await findColorViolations(page, colorScheme), [], `${path} in ${colorScheme}`)
  }
  await saveScreenshots(page, path)
}

/** The version of axe in the axe package for Playwright. Minified, it takes a sixth less time to load. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)
/** The axe rules that depend on the theme. The first one takes most of the time of all rules. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']
/** Leaves out passes, selectors, and style sheets that axe would load again. The console has no frames. */
const AXE_OPTIONS = {
  resultTypes: ['violations'],
  selectors: false,
  preload: false,
  iframes: false,
}

/** Runs in the page. */
const DESCRIBE_VIOLATION = `({ id, nodes }) => id + ' ' + nodes[0].html`

/** The violations that axe finds, except those of color rules. It is injected once into a document. */
export async function findAccessibilityViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(AXE)
  const rules = Object.fromEntries(COLOR_RULES.map((rule) => [rule, { enabled: false }]))
  return page.evaluate(`(async () => {
    const { violations } = await axe.run(document, ${JSON.stringify({ ...AXE_OPTIONS, rules })})
    return violations.map(${DESCRIBE_VIOLATION})
  })()`)
}

/** Hashes of the looks whose colors this process has checked. */
const checkedLooks = new Set<number>()

/**
 * The violations of color rules. Contrast is checked only for text with a new look. The look depends on the tags,
 * classes and states of an element and of all elements around it.
 */
async function findColorViolations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  const [contrast, links] = COLOR_RULES.map((rule) =>
    JSON.stringify({
      ...AXE_OPTIONS,
      resultTypes: ['passes', 'violations'],
      elementRef: true,
      runOnly: [rule],
    }),
  )
  const { looks, violations } = await page.evaluate<{
    looks: number[]
    violations: string[]
  }>(`(async () => {
    const STATES = /^(?:class|style|disabled|data-.*|aria-(?:current|pressed|selected|invalid|expanded|disabled|checked))$/
    const looks = new Map([[null, ${colorScheme === 'light' ? 1 : 2}]])
    const lookOf = (element) => {
      if (looks.has(element)) return looks.get(element)
      const states = [...element.attributes].filter(({ name }) => STATES.test(name))
      const text = [element.tagName, ...states.map(({ name, value }) => name + value)].join()
      let look = lookOf(element.parentElement)
      for (const letter of text) look = (look * 31 + letter.codePointAt(0)) % 1e13
      looks.set(element, look)
      return look
    }
    const hasText = ({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
    const checked = new Set(${JSON.stringify([...checkedLooks])})
    const found = new Set()
    const include = [...document.body.querySelectorAll('*')].filter((element) => {
      if (!hasText(element) || !element.checkVisibility({ visibilityProperty: true })) return false
      return !checked.has(lookOf(element)) && !found.has(lookOf(element)) && found.add(lookOf(element))
    })
    // At once, because elements that the page replaces meanwhile could not be checked.
    const { passes, violations } = include.length === 0
      ? { passes: [], violations: [] }
      : await axe.run({ include }, ${contrast})
    // Text behind a dialog has no result, so that its look is checked again when it is in front.
    const decided = [...passes, ...violations].flatMap(({ nodes }) => nodes.map(({ element }) => lookOf(element)))
    const { violations: ofLinks } = await axe.run(document, ${links})
    return { looks: decided, violations: [...violations, ...ofLinks].map(${DESCRIBE_VIOLATION}) }
  })()`)
  for (const look of looks) checkedLooks.add(look)
  return violations
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
