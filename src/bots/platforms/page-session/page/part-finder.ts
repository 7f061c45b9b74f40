import type { Frame, Locator, Page } from 'playwright-core'
import type { PagePart, FindStrategy } from '../../page-model/find-strategies.ts'
import type { PageModel } from '../../page-model/page-states.ts'
import { isAtHostOrSubdomain } from '../../page-model/state-rules.ts'
import { awaitPageAnswer, UnknownPartError } from '../errors/page-errors.ts'

/** How long a frame may take to say whether it has an element. */
const FIND_MS = 2_000
const ICON_ELEMENTS =
  '.google-symbols, .google-material-icons, .material-icons, .material-icons-extended'

export type PartFinderOptions = {
  /** Hosts of the platform. Frames of these hosts and their subdomains belong to the page. */
  hosts: readonly string[]
  /** Receives errors that are no page failure and arrive after the time limit. */
  reportError(step: string, error: unknown): void
  /** Receives page failures that the operator can fix. */
  reportProblem(text: string): void
}

/** Finds the parts of a page model on a page. */
export function createPartFinder(
  page: Page,
  pageModel: PageModel,
  { hosts, reportError, reportProblem }: PartFinderOptions,
) {
  const platformFrames = () => findPlatformFrames(page, hosts)
  function partNamed(name: string): PagePart {
    const part = pageModel.parts[name]
    if (part === undefined) throw new UnknownPartError(`no part is named ${name}`)
    return part
  }
  /** Whether the strategy finds an element. An invalid selector of the operator's selectors file finds none. */
  async function checkPresence(
    found: Locator,
    strategy: FindStrategy,
  ): Promise<'found' | 'missing' | 'no answer'> {
    const report = (error: unknown) => reportError('find part', error)
    const answer = await awaitPageAnswer(FIND_MS, found.count(), report)
    if (answer.kind === 'value') return answer.value > 0 ? 'found' : 'missing'
    if (answer.kind !== 'invalid selector') return 'no answer'
    reportProblem(`invalid selector: ${strategy.by === 'css' ? strategy.css : strategy.by}`)
    return 'missing'
  }
  /** The elements of the strategies that find one. A frame that does not answer is given up. */
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
  return { platformFrames, partNamed, findElements, shown, first }
}

/** The main frame, then the frames of the platform inside it. */
function findPlatformFrames(page: Page, hosts: readonly string[]): Frame[] {
  const main = page.mainFrame()
  const inner = page
    .frames()
    .filter((frame) => frame !== main && isAtHostOrSubdomain(frame.url(), hosts))
  return [main, ...inner]
}

/**
 * The elements that a strategy finds in `root`; null for a strategy with keys, which has no element. `frame` is the
 * frame of `root`.
 */
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
