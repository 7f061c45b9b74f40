/** Finds the parts of a page model. It runs in an isolated world, where the page cannot replace functions. */

const SELECTOR_BY_ROLE = {
  button: 'button, [role="button"], input[type="button"], input[type="submit"]',
  textbox: 'input:not([type]), input[type="text"], textarea, [role="textbox"]',
  link: 'a[href], [role="link"]',
  menuitem: '[role^="menuitem"]',
  tab: '[role="tab"]',
  dialog: 'dialog, [role="dialog"]',
  region: 'section, [role="region"]',
  list: 'ul, ol, [role="list"]',
}
const TEXT_ELEMENTS =
  'button, a, label, li, h1, h2, h3, [role="button"], [role="heading"], [role^="menuitem"], [role="tab"], [role="option"]'
const ICON_ELEMENTS =
  '.google-symbols, .google-material-icons, .material-icons, .material-icons-extended'
const MAX_NAME = 300

/** `report` gets a text for each selector that the browser does not understand. */
export function createPartFinder(parts, report) {
  const failed = new Set()
  /** The results found so far while `withCache` runs; otherwise null. */
  let cache = null

  /**
   * Runs a function that reads the page and does not change it. Many parts share a selector, so each selector searches
   * the document only once during that call.
   */
  function withCache(read) {
    cache = { selected: new Map(), names: new Map(), found: new Map() }
    try {
      return read()
    } finally {
      cache = null
    }
  }
  function select(root, css) {
    if (cache === null || root !== document) return selectNow(root, css)
    return getOrAdd(cache.selected, css, () => selectNow(root, css))
  }
  function nameOf(element) {
    return cache === null
      ? accessibleName(element)
      : getOrAdd(cache.names, element, () => accessibleName(element))
  }
  function selectNow(root, css) {
    if (failed.has(css)) return []
    try {
      return [...root.querySelectorAll(css)]
    } catch (error) {
      // The operator's selectors file can hold an invalid selector. The next strategy is tried instead.
      failed.add(css)
      if (!(error instanceof DOMException)) throw error
      report(`invalid selector: ${css}`)
      return []
    }
  }
  function byStrategy(root, strategy) {
    switch (strategy.by) {
      case 'css':
        return select(root, strategy.css)
      case 'role':
        return select(root, SELECTOR_BY_ROLE[strategy.role]).filter((element) =>
          textMatches(nameOf(element), strategy.name, strategy.match),
        )
      case 'text':
        return select(root, TEXT_ELEMENTS).filter((element) =>
          textMatches(normalizeText(element.textContent), strategy.text, strategy.match),
        )
      case 'icon':
        return byIcon(root, strategy)
      default:
        return []
    }
  }
  function byIcon(root, { icon, having }) {
    const allowed = having === undefined ? null : new Set(select(root, having))
    return select(root, ICON_ELEMENTS)
      .filter((picture) => normalizeText(picture.textContent) === icon)
      .map((picture) => picture.closest(SELECTOR_BY_ROLE.button))
      .filter((button) => button !== null && (allowed === null || allowed.has(button)))
  }
  /** Uses the first strategy that finds a visible element, and returns its position and the elements. */
  function find(name, root = document) {
    if (cache === null || root !== document) return findNow(name, root)
    return getOrAdd(cache.found, name, () => findNow(name, root))
  }
  function findNow(name, root) {
    const part = parts[name]
    if (part === undefined) return { strategyIndex: null, elements: [] }
    const roots =
      part.within === undefined || root !== document ? [root] : find(part.within).elements
    for (const [strategyIndex, strategy] of part.strategies.entries()) {
      const elements = roots
        .flatMap((one) => byStrategy(one, strategy))
        .filter((element) => isVisible(element) && isLargeEnough(element, part.minSize))
      if (elements.length > 0) return { strategyIndex, elements }
    }
    return { strategyIndex: null, elements: [] }
  }
  /** Like `find`, but includes invisible elements, because caption rows scroll out of view. */
  function findHidden(name, root) {
    for (const strategy of parts[name]?.strategies ?? []) {
      const elements = byStrategy(root, strategy)
      if (elements.length > 0) return elements
    }
    return []
  }
  /** The nearest ancestor that is the part; null if there is none. */
  function findAround(name, element) {
    for (const strategy of parts[name]?.strategies ?? []) {
      if (strategy.by !== 'css' || failed.has(strategy.css)) continue
      const found = element.closest(strategy.css)
      if (found !== null) return found
    }
    return null
  }
  return { find, findHidden, findAround, withCache }
}

export function isVisible(element) {
  return element.checkVisibility({ visibilityProperty: true })
}

export function normalizeText(text) {
  return (text ?? '').slice(0, MAX_NAME).replace(/\s+/g, ' ').trim()
}

function getOrAdd(map, key, create) {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}

function accessibleName(element) {
  const label = element.getAttribute('aria-label')
  return normalizeText(label === null || label === '' ? element.textContent : label)
}

function textMatches(words, expected, match) {
  const [actual, wanted] = [words.toLowerCase(), normalizeText(expected).toLowerCase()]
  if (match === 'starts') return actual.startsWith(wanted)
  return match === 'contains' ? actual.includes(wanted) : actual === wanted
}

function isLargeEnough(element, size) {
  if (size === undefined) return true
  const { width, height } = element.getBoundingClientRect()
  return width >= size.width && height >= size.height
}
