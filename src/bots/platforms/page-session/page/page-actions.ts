import { setTimeout } from 'node:timers/promises'
import type { Frame, Locator, Page } from 'playwright-core'
import type { PageModel } from '../../page-model/page-states.ts'
import { fillLanguagePlaceholder, type FindStrategy } from '../../page-model/find-strategies.ts'
import { awaitPageAnswer, classifyPageError } from '../errors/page-errors.ts'
import { createPartFinder, findLocatorForStrategy, type PartFinderOptions } from './part-finder.ts'

/**
 * Actions on a page, by the parts of its page model. An action on a missing part returns false. `Name` limits a
 * platform to the names of its own parts.
 */
export interface PagePartActions<Name extends string = string> {
  click(part: Name): Promise<boolean>
  /** Clicks an element that may be invisible. `language` replaces the placeholder in the selector. */
  clickHidden(part: Name, language?: string): Promise<boolean>
  fill(part: Name, text: string): Promise<boolean>
  isShown(part: Name): Promise<boolean>
  /** Waits a short time for the part to appear. */
  waitUntilShown(part: Name): Promise<boolean>
  isEnabled(part: Name): Promise<boolean>
  /** Whether a switch is on, for all ways in which pages mark that. */
  isChecked(part: Name): Promise<boolean>
  /** Presses the keys that do the same as a click, if keys may be pressed now. */
  pressKeys(part: Name): Promise<boolean>
  /** Moves the pointer, because toolbars hide while it rests. */
  movePointer(): Promise<void>
  /** Evaluates an expression in the page's own world; null when it fails or takes too long. */
  evaluateInPage(expression: string): Promise<unknown>
}

const CLICK_MS = 2_500
const FILL_MS = 2_500
const SCRIPT_MS = 2_000
const SHOWN_CHECKS = 20
const SHOWN_CHECK_INTERVAL_MS = 100

export type PageActionOptions = PartFinderOptions & {
  /** Whether keys may be pressed. On another page than the call they could do something else. */
  mayPressKeys(): boolean
}

export function createPageActions(
  page: Page,
  pageModel: PageModel,
  options: PageActionOptions,
): PagePartActions {
  const { mayPressKeys, reportError, reportProblem } = options
  let moves = 0
  const { platformFrames, partNamed, findElements, shown, first } = createPartFinder(
    page,
    pageModel,
    options,
  )

  async function focusFrame(frame: Frame): Promise<boolean> {
    const report = (error: unknown) => reportError('focus frame', error)
    const asked = frame.evaluate('window.focus()')
    return (await awaitPageAnswer(SCRIPT_MS, asked, report)).kind === 'value'
  }
  async function doFirst(name: string, act: (found: Locator) => Promise<void>): Promise<boolean> {
    for await (const found of shown(partNamed(name))) {
      if (await completesInTime(() => act(found))) return true
    }
    return false
  }

  return {
    click: (name) => doFirst(name, (found) => found.click({ timeout: CLICK_MS })),
    async clickHidden(name, language) {
      const named = partNamed(name)
      const part = language === undefined ? named : fillLanguagePlaceholder(named, language)
      for (const frame of platformFrames()) {
        const locate = (strategy: FindStrategy) => findLocatorForStrategy(frame, strategy)?.first()
        for await (const found of findElements(part?.strategies ?? [], locate)) {
          const click = () => found.dispatchEvent('click', undefined, { timeout: CLICK_MS })
          if (await completesInTime(click)) return true
        }
      }
      return false
    },
    fill: (name, text) => doFirst(name, (found) => found.fill(text, { timeout: FILL_MS })),
    isShown: async (name) => (await first(name)) !== null,
    async waitUntilShown(name) {
      for (let check = 0; check < SHOWN_CHECKS; check += 1) {
        if ((await first(name)) !== null) return true
        await setTimeout(SHOWN_CHECK_INTERVAL_MS)
      }
      return false
    },
    async isEnabled(name) {
      const found = await first(name)
      return found !== null && (await found.isEnabled({ timeout: CLICK_MS }))
    },
    async isChecked(name) {
      const found = await first(name)
      return found !== null && (await isElementChecked(found))
    },
    async pressKeys(name) {
      const strategy = partNamed(name).strategies.find(({ by }) => by === 'keys')
      if (strategy?.by !== 'keys' || !mayPressKeys()) return false
      // Keys go to the frame that has the focus.
      const inner = platformFrames().at(1)
      if (inner !== undefined && !(await focusFrame(inner))) return false
      await page.keyboard.press(strategy.keys)
      return true
    },
    async movePointer() {
      moves += 1
      await page.mouse.move(400 + (moves % 2) * 20, 300)
    },
    async evaluateInPage(expression) {
      const report = (error: unknown) => reportError('evaluate in page', error)
      let last: unknown = null
      for (const frame of platformFrames()) {
        const asked = frame.evaluate<unknown>(expression)
        const answer = await awaitPageAnswer(SCRIPT_MS, asked, report)
        if (answer.kind === 'page script threw') reportProblem('a script of the page threw')
        last = answer.kind === 'value' ? answer.value : null
        if (last !== null && last !== undefined && last !== false) return last
      }
      return last
    },
  }
}

async function isElementChecked(element: Locator): Promise<boolean> {
  const said = await element.getAttribute('aria-checked', { timeout: CLICK_MS })
  return said === null ? element.isChecked({ timeout: CLICK_MS }) : said === 'true'
}

/** False when the page did not let the action happen in time; the caller handles every other error. */
async function completesInTime(act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (classifyPageError(error) === 'timeout') return false
    throw error
  }
}
