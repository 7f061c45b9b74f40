const MAX_STRUCTURE_NODES = 3_000
const MAX_STRUCTURE_TEXT = 200
/** Page models find parts by these attributes. The service removes names and words from their values. */
const STRUCTURE_ATTRIBUTES = new Set([
  'id',
  'class',
  'role',
  'type',
  'name',
  'jsname',
  'lang',
  'placeholder',
  'title',
  'tabindex',
  'contenteditable',
  'disabled',
  'hidden',
])
const STRUCTURE_PREFIXES = ['aria-', 'data-']
const OMITTED_TAGS = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'svg', 'LINK', 'META'])

/** For each part of the page model: the position of the strategy that finds it, and how many elements it finds. */
export function inspectParts({ find, findHidden }, parts) {
  return Object.fromEntries(
    Object.keys(parts).map((name) => {
      const { strategyIndex, elements } = find(name)
      const hidden = strategyIndex === null ? findHidden(name, document).length : 0
      return [name, { strategyIndex, count: elements.length, hidden }]
    }),
  )
}

/** The page's elements as nested lists: tag, attributes, own text, children. Participants' text is blanked here. */
export function describeStructure({ findHidden }, userTextParts) {
  const userTextElements = new Set(userTextParts.flatMap((name) => findHidden(name, document)))
  let nodes = 0
  const describe = (element, isInUserText) => {
    nodes += 1
    const isUserText = isInUserText || userTextElements.has(element)
    const shown = (text) => (isUserText ? text.replace(/[^\s]/g, 'x') : text)
    const attributes = {}
    for (const { name, value } of element.attributes) {
      const isUseful =
        STRUCTURE_ATTRIBUTES.has(name) ||
        STRUCTURE_PREFIXES.some((prefix) => name.startsWith(prefix))
      const isText = name === 'aria-label' || name === 'title'
      const short = value.slice(0, MAX_STRUCTURE_TEXT)
      if (isUseful) attributes[name] = isText ? shown(short) : short
    }
    const texts = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE)
    const text = texts
      .map(({ data }) => data.trim())
      .join(' ')
      .trim()
      .slice(0, MAX_STRUCTURE_TEXT)
    const children = []
    for (const child of element.children) {
      if (nodes >= MAX_STRUCTURE_NODES) break
      if (!OMITTED_TAGS.has(child.tagName)) children.push(describe(child, isUserText))
    }
    return [element.tagName.toLowerCase(), attributes, shown(text), children]
  }
  return document.body === null ? null : describe(document.body, false)
}
