import { setTimeout } from 'node:timers/promises'
import type { Frame, Locator, Page } from 'playwright-core'
import { errorMessageOf } from '../../../lib/error-code.ts'
import {
  fillLanguagePlaceholder,
  type FindStrategy,
  type PagePart,
} from '../page-model/find-strategies.ts'
import type { PageModel } from '../page-model/page-states.ts'
import { isAtHostOrSubdomain } from '../page-model/state-rules.ts'
import { awaitPageAnswer, classifyPageError, UnknownPartError } from './page-errors.ts'

/**
 * Actions on a page, by the parts of its page model. An action on a missing part returns false. `Name` restricts a
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
  /** True if a switch is on, in any of the ways in which pages mark that. */
  isChecked(part: Name): Promise<boolean>
  /** Presses the keys that have the same effect as a click, if keys may be pressed now. */
  pressKeys(part: Name): Promise<boolean>
  /** Moves the pointer, because toolbars hide while it rests. */
  movePointer(): Promise<void>
  /** Evaluates an expression in the page's own world; null if it fails or takes too long. */
  evaluateInPage(expression: string): Promise<unknown>
}

/** How long an action may take on a page that answers at once. */
const ACTION_MS = 2_500
/** An action needs about this many answers of the page, so a page on a busy machine gets more time. */
const ANSWERS_PER_ACTION = 10
const SCRIPT_MS = 2_000
const SHOWN_CHECKS = 20
const SHOWN_CHECK_INTERVAL_MS = 100

/** How long a frame may take to answer whether it has an element. */
const FIND_MS = 2_000
const ICON_ELEMENTS =
  '.google-symbols, .google-material-icons, .material-icons, .material-icons-extended'

type PartFinderOptions = {
  /** The platform's hosts. Frames of these hosts and their subdomains belong to the page. */
  hosts: readonly string[]
  /** Receives errors that are not page failures and that arrive after the time limit. */
  reportError(step: string, error: unknown): void
  /** Receives page failures that the operator can fix. */
  reportProblem(text: string): void
}

export type PageActionOptions = PartFinderOptions & {
  /** True if keys may be pressed. On a page other than the call, they could have another effect. */
  mayPressKeys(): boolean
}

export function createPageActions(
  page: Page,
  pageModel: PageModel,
  options: PageActionOptions,
): PagePartActions {
  const { mayPressKeys, reportError, reportProblem } = options
  let moves = 0
  const { platformFrames, partNamed, findElements, shown, first, actionMs } = createPartFinder(
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

  async function movePointer(): Promise<void> {
    moves += 1
    await page.mouse.move(400 + (moves % 2) * 20, 300)
  }

  return {
    async click(name) {
      const click = (found: Locator) => found.click({ timeout: actionMs() })
      if (await doFirst(name, click)) return true
      // The part may be in a toolbar that hid since the pointer last moved.
      await movePointer()
      return doFirst(name, click)
    },
    async clickHidden(name, language) {
      const named = partNamed(name)
      const part = language === undefined ? named : fillLanguagePlaceholder(named, language)
      for (const frame of platformFrames()) {
        const locate = (strategy: FindStrategy) => findLocatorForStrategy(frame, strategy)?.first()
        for await (const found of findElements(part?.strategies ?? [], locate)) {
          const click = () => found.dispatchEvent('click', undefined, { timeout: actionMs() })
          if (await completesInTime(click)) return true
        }
      }
      return false
    },
    fill: (name, text) => doFirst(name, (found) => found.fill(text, { timeout: actionMs() })),
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
      return found !== null && (await found.isEnabled({ timeout: actionMs() }))
    },
    async isChecked(name) {
      const found = await first(name)
      return found !== null && (await isElementChecked(found, actionMs()))
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
    movePointer,
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

async function isElementChecked(element: Locator, timeout: number): Promise<boolean> {
  const said = await element.getAttribute('aria-checked', { timeout })
  return said === null ? element.isChecked({ timeout }) : said === 'true'
}

/** Playwright's log of a click that was sent to the page and not given up. */
const SENT_CLICK = /performing click action(?![^]*retrying click action)/

/**
 * False if the page did not let the action happen in time. A click that the page only confirmed too late has happened: another
 * click would turn a microphone on again. The caller handles every other error.
 */
export async function completesInTime(act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (classifyPageError(error) === 'timeout') return SENT_CLICK.test(errorMessageOf(error))
    throw error
  }
}

/** Finds the parts of a page model on a page. */
function createPartFinder(
  page: Page,
  pageModel: PageModel,
  { hosts, reportError, reportProblem }: PartFinderOptions,
) {
  const platformFrames = () => findPlatformFrames(page, hosts)
  /** How long the page took for its last answer. */
  let answerMs = 0
  function partNamed(name: string): PagePart {
    const part = pageModel.parts[name]
    if (part === undefined) throw new UnknownPartError(`no part is named ${name}`)
    return part
  }
  /** True if the strategy finds an element. An invalid selector of the operator's selectors file finds none. */
  async function checkPresence(
    found: Locator,
    strategy: FindStrategy,
  ): Promise<'found' | 'missing' | 'no answer'> {
    const report = (error: unknown) => reportError('find part', error)
    const askedAt = performance.now()
    const answer = await awaitPageAnswer(FIND_MS, found.count(), report)
    answerMs = performance.now() - askedAt
    if (answer.kind === 'value') return answer.value > 0 ? 'found' : 'missing'
    if (answer.kind !== 'invalid selector') return 'no answer'
    reportProblem(`invalid selector: ${strategy.by === 'css' ? strategy.css : strategy.by}`)
    return 'missing'
  }
  /** The elements of the strategies that find one. Frames that do not answer are skipped. */
  async function* findElements(
    strategies: readonly FindStrategy[],
    locate: (strategy: FindStrategy) => Locator | undefined,
  ): AsyncGenerator<Locator> {
    for (const strategy of strategies) {
      const located = locate(strategy)
      const result = located === undefined ? 'missing' : await checkPresence(located, strategy)
      if (result === 'no answer') return
      if (located !== undefined && result === 'found') yield located
    }
  }
  /** The visible element of each strategy that finds one, best strategy first. */
  async function* shown(part: PagePart): AsyncGenerator<Locator> {
    for (const frame of platformFrames()) {
      const root = part.within === undefined ? frame : await containerIn(frame, part.within)
      if (root === null) continue
      yield* findElements(part.strategies, (strategy) => {
        const visible = findLocatorForStrategy(root, strategy, frame)?.filter({ visible: true })
        return part.pick === 'last' ? visible?.last() : visible?.first()
      })
    }
  }
  async function containerIn(frame: Frame, name: string): Promise<Locator | null> {
    const locate = (strategy: FindStrategy) =>
      findLocatorForStrategy(frame, strategy)?.filter({ visible: true })
    for await (const found of findElements(partNamed(name).strategies, locate)) return found
    return null
  }
  async function first(name: string): Promise<Locator | null> {
    for await (const found of shown(partNamed(name))) return found
    return null
  }
  const actionMs = () => ACTION_MS + ANSWERS_PER_ACTION * answerMs
  return { platformFrames, partNamed, findElements, shown, first, actionMs }
}

/** The main frame, followed by the platform's frames in it. */
function findPlatformFrames(page: Page, hosts: readonly string[]): Frame[] {
  const main = page.mainFrame()
  const inner = page
    .frames()
    .filter((frame) => frame !== main && isAtHostOrSubdomain(frame.url(), hosts))
  return [main, ...inner]
}

/** The elements that a strategy finds in `root`, which is in `frame`; null for a strategy with keys. */
export function findLocatorForStrategy<Root extends Page | Frame>(
  root: Root | Locator,
  strategy: FindStrategy,
  frame: Root = root as Root,
): Locator | null {
  switch (strategy.by) {
    case 'css':
      return root.locator(strategy.css)
    case 'role':
      return root.getByRole(strategy.role, { name: textPattern(strategy.name, strategy.match) })
    case 'text':
      return root
        .locator('button, a, label, li, h1, h2, h3, [role]')
        .filter({ hasText: textPattern(strategy.text, strategy.match) })
    case 'icon': {
      const icon = frame.locator(ICON_ELEMENTS, { hasText: textPattern(strategy.icon, 'is') })
      const buttons = root.locator('button, [role="button"]').filter({ has: icon })
      return strategy.having === undefined ? buttons : buttons.and(frame.locator(strategy.having))
    }
    case 'keys':
      return null
    default:
      return strategy satisfies never
  }
}

function textPattern(words: string, match: 'is' | 'starts' | 'contains'): RegExp {
  const plain = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
  if (match === 'contains') return new RegExp(plain, 'i')
  return new RegExp(match === 'is' ? `^\\s*${plain}\\s*$` : `^\\s*${plain}`, 'i')
}
