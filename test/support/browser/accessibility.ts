import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { saveScreenshots } from './screenshots.ts'

/** The version of axe in the axe package for Playwright. Minified, it takes a sixth less time to load. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)

/**
 * Runs in the page. A `look` of a text is a hash of the tags, classes and states of its element and of all elements around
 * it. `colors` is what the contrast of a text depends on: its font, its color and the backgrounds of the elements around it.
 */
const CHECKS = `window.accessibilityChecks = (() => {
  const STATES = /^(?:class|style|disabled|data-.*|aria-(?:current|pressed|selected|invalid|expanded|disabled|checked))$/
  // No passes and selectors, and no style sheets that axe would load again. The console has no frames.
  const OPTIONS = { resultTypes: ['violations'], selectors: false, preload: false, iframes: false }
  const describe = ({ id, nodes }) => id + ' ' + nodes[0].html
  const hash = (text, start) => {
    let value = start
    for (const letter of text) value = (value * 31 + letter.codePointAt(0)) % 1e13
    return value
  }
  /** An open dialog is checked alone, because people cannot reach the page behind it. */
  const findRoot = () => [...document.querySelectorAll('[role=dialog][aria-modal=true]')]
    .findLast((dialog) => dialog.checkVisibility()) ?? document
  const hasText = ({ childNodes }) => [...childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
  const findTexts = () => [...findRoot().querySelectorAll('*')]
    .filter((element) => hasText(element) && element.checkVisibility({ visibilityProperty: true }))
  const inherited = (describeOne) => {
    const known = new Map([[null, 1], [document.documentElement, 1]])
    return function find(element) {
      if (!known.has(element)) known.set(element, hash(describeOne(element), find(element.parentElement)))
      return known.get(element)
    }
  }
  const createLooks = () => inherited((element) => [element.tagName, ...[...element.attributes]
    .filter(({ name }) => STATES.test(name)).map(({ name, value }) => name + value)].join())
  const createColors = () => {
    const behind = inherited((element) => {
      const { backgroundColor, backgroundImage, opacity } = getComputedStyle(element)
      return [backgroundColor === 'rgba(0, 0, 0, 0)' ? '' : backgroundColor, backgroundImage, opacity].join()
        .replace(/^,none,1$/, '')
    })
    return (element) => {
      const { color, fontSize, fontWeight } = getComputedStyle(element)
      return hash([color, fontSize, fontWeight].join(), behind(element))
    }
  }
  return {
    async findStructureViolations() {
      const rules = { 'color-contrast': { enabled: false } }
      const { violations } = await axe.run(findRoot(), { ...OPTIONS, rules })
      const looks = new Set(findTexts().map(createLooks()))
      return { violations: violations.map(describe), looks: [...looks] }
    },
    /** Checks one text of each look that is named and of each kind of colors that is not known. */
    async findContrastViolations(looks, knownColors) {
      const [lookOf, colorsOf] = [createLooks(), createColors()]
      const [wanted, known, include] = [new Set(looks), new Set(knownColors), []]
      for (const element of findTexts()) {
        const colors = colorsOf(element)
        if (!wanted.has(lookOf(element)) || known.has(colors)) continue
        known.add(colors)
        include.push(element)
      }
      if (include.length === 0) return { violations: [], colors: [], looks }
      const { passes, violations } = await axe.run({ include },
        { ...OPTIONS, resultTypes: ['passes', 'violations'], elementRef: true, runOnly: ['color-contrast'] })
      // Text behind something else has no result, so that it is checked again.
      const decided = [...passes, ...violations].flatMap(({ nodes }) => nodes.map(({ element }) => element))
      const undecided = new Set(include.filter((element) => !decided.includes(element)).map(lookOf))
      return {
        violations: violations.map(describe),
        colors: decided.map(colorsOf),
        looks: looks.filter((look) => !undecided.has(look)),
      }
    },
  }
})()`

/** What this process has checked in each theme. */
const checked = {
  light: { looks: new Set<number>(), colors: new Set<number>() },
  dark: { looks: new Set<number>(), colors: new Set<number>() },
}

/**
 * Checks the page or its open dialog for accessibility violations, and saves screenshots if they are wanted. Colors are
 * checked in both themes, but only those that are new to this process: it costs much more than all other checks.
 */
export async function assertAccessible(page: Page, path: string): Promise<void> {
  if (!(await page.evaluate<boolean>('"accessibilityChecks" in window')))
    await page.evaluate(`${AXE};${CHECKS};0`)
  const { violations, looks } = await page.evaluate<{ violations: string[]; looks: number[] }>(
    'accessibilityChecks.findStructureViolations()',
  )
  assert.deepEqual(violations, [], path)
  for (const colorScheme of ['light', 'dark'] as const) {
    const known = checked[colorScheme]
    const fresh = looks.filter((look) => !known.looks.has(look))
    if (fresh.length === 0) continue
    if (colorScheme === 'dark') await page.emulateMedia({ colorScheme })
    const found = await page.evaluate<{ violations: string[]; colors: number[]; looks: number[] }>(
      `accessibilityChecks.findContrastViolations(${JSON.stringify(fresh)}, ${JSON.stringify([...known.colors])})`,
    )
    if (colorScheme === 'dark') await page.emulateMedia({ colorScheme: 'light' })
    assert.deepEqual(found.violations, [], `${path} in ${colorScheme}`)
    for (const look of found.looks) known.looks.add(look)
    for (const colors of found.colors) known.colors.add(colors)
  }
  await saveScreenshots(page, path)
}
