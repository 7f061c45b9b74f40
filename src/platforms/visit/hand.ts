import type { Locator, Page } from 'playwright-core'
import type { PageTable } from '../page/decide.ts'
import { partFor, type Part, type Strategy } from '../page/strategy.ts'
import { within } from './within.ts'

/**
 * Does things on a page, by the parts of its table. What is not there is no error, but answered with false. A platform
 * names its own parts only: `Name` is theirs.
 */
export interface Hand<Name extends string = string> {
  click(part: Name): Promise<boolean>
  /** A click also on what cannot be seen. `language` fills the place for it in a selector. */
  touch(part: Name, language?: string): Promise<boolean>
  fill(part: Name, text: string): Promise<boolean>
  isShown(part: Name): Promise<boolean>
  isEnabled(part: Name): Promise<boolean>
  /** What a switch says, in any of the ways in which pages say it. */
  isChecked(part: Name): Promise<boolean>
  /** Keys that do what a click would. */
  press(part: Name): Promise<boolean>
  /** Moves the pointer: bars hide when it rests. */
  wake(): Promise<void>
  /** Reads or calls something of the page's own scripts; null when it fails or takes too long. */
  inPage(expression: string): Promise<unknown>
}

/** A mistake of ours, and none of the page. */
export class UnknownPart extends Error {
  override readonly name = 'UnknownPart'
}

const CLICK_MS = 2_500
const FILL_MS = 2_500
const SCRIPT_MS = 2_000
const PICTURES =
  '.google-symbols, .google-material-icons, .material-icons, .material-icons-extended'

export function createHand(page: Page, table: PageTable): Hand {
  let moves = 0

  function partNamed(name: string): Part {
    const part = table.parts[name]
    if (part === undefined) throw new UnknownPart(`no part is named ${name}`)
    return part
  }
  /** The first element that can be seen, by the best strategy that finds one. */
  async function* shown(part: Part): AsyncGenerator<Locator> {
    for (const strategy of part.strategies) {
      const found = locate(page, strategy)?.filter({ visible: true }).first()
      if (found !== undefined && (await found.count()) > 0) yield found
    }
  }
  async function first(name: string): Promise<Locator | null> {
    for await (const found of shown(partNamed(name))) return found
    return null
  }
  async function doFirst(name: string, act: (found: Locator) => Promise<void>): Promise<boolean> {
    for await (const found of shown(partNamed(name))) {
      if (await succeeds(() => act(found))) return true
    }
    return false
  }

  return {
    click: (name) => doFirst(name, (found) => found.click({ timeout: CLICK_MS })),
    async touch(name, language) {
      const part = language === undefined ? partNamed(name) : partFor(partNamed(name), language)
      for (const strategy of part?.strategies ?? []) {
        const found = locate(page, strategy)?.first()
        if (found === undefined || (await found.count()) === 0) continue
        const click = () => found.dispatchEvent('click', undefined, { timeout: CLICK_MS })
        if (await succeeds(click)) return true
      }
      return false
    },
    fill: (name, text) => doFirst(name, (found) => found.fill(text, { timeout: FILL_MS })),
    isShown: async (name) => (await first(name)) !== null,
    async isEnabled(name) {
      const found = await first(name)
      return found !== null && (await found.isEnabled({ timeout: CLICK_MS }))
    },
    async isChecked(name) {
      const found = await first(name)
      if (found === null) return false
      const said = await found.getAttribute('aria-checked', { timeout: CLICK_MS })
      if (said !== null) return said === 'true'
      return found.isChecked({ timeout: CLICK_MS })
    },
    async press(name) {
      const strategy = partNamed(name).strategies.find(({ by }) => by === 'keys')
      if (strategy?.by !== 'keys') return false
      await page.keyboard.press(strategy.keys)
      return true
    },
    async wake() {
      moves += 1
      await page.mouse.move(400 + (moves % 2) * 20, 300)
    },
    inPage: (expression) => within(SCRIPT_MS, page.evaluate<unknown>(expression)),
  }
}

/** False when the page did not let it happen in time; whatever else goes wrong is for the caller. */
async function succeeds(act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    // By its name: to load the driver takes a service longer than to start.
    if (error instanceof Error && error.name === 'TimeoutError') return false
    throw error
  }
}

/** Null for what is not found but pressed. */
export function locate(page: Page, strategy: Strategy): Locator | null {
  switch (strategy.by) {
    case 'css':
      return page.locator(strategy.css)
    case 'role':
      return page.getByRole(strategy.role, { name: pattern(strategy.name, strategy.match) })
    case 'text':
      return page
        .locator('button, a, label, li, h1, h2, h3, [role]')
        .filter({ hasText: pattern(strategy.text, strategy.match) })
    case 'icon':
      return page
        .locator('button, [role="button"]')
        .filter({ has: page.locator(PICTURES, { hasText: pattern(strategy.icon, 'is') }) })
    case 'keys':
      return null
    default:
      return strategy satisfies never
  }
}

function pattern(words: string, match: 'is' | 'starts' | 'contains'): RegExp {
  const plain = words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
  if (match === 'contains') return new RegExp(plain, 'i')
  return new RegExp(match === 'is' ? `^\\s*${plain}\\s*$` : `^\\s*${plain}`, 'i')
}
