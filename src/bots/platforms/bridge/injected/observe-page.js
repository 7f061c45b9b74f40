import { isVisible, normalizeText } from './find-parts.js'

const MAX_WORDS = 20_000
const MAX_NODES = 30_000
const MAX_PART_WORDS = 500
const TAGS_WITHOUT_TEXT = new Set(['SCRIPT', 'STYLE', 'NOSCRIPT', 'TEMPLATE', 'SVG'])
const HEADINGS = 'h1, h2, h3, [role="heading"]'
const BUTTONS = 'button, [role="button"], [role^="menuitem"], a[href]'
const MAX_LISTED = 30

/** The visible state of the page: the platform's own text, the visible parts and the participant count. */
export function observePage({ find }, config) {
  const { observedParts, partsWithText, userTextParts, expectedInCall, headCount } = config
  const parts = {}
  for (const name of observedParts) {
    const { elements } = find(name)
    if (elements.length === 0) continue
    parts[name] = partsWithText.includes(name)
      ? elements.map(textOfPart).join(' ').slice(0, MAX_PART_WORDS)
      : ''
  }
  const userTextElements = new Set(userTextParts.flatMap((name) => find(name).elements))
  return {
    address: location.href,
    language: document.documentElement?.lang ?? '',
    words: visibleText(userTextElements),
    parts,
    found: Object.fromEntries(expectedInCall.map((name) => [name, find(name).strategyIndex])),
    count: readCount(find(headCount).elements[0]),
  }
}

/** The observation of a frame that people cannot see. */
export function observeNothing({ expectedInCall }) {
  const found = Object.fromEntries(expectedInCall.map((name) => [name, null]))
  return { address: location.href, language: '', words: '', parts: {}, found, count: null }
}

/** A short description of the page, stored as evidence of a failed visit. */
export function summarizePage() {
  const list = (css) =>
    [...document.querySelectorAll(css)]
      .filter(isVisible)
      .map((element) => normalizeText(element.getAttribute('aria-label') || element.textContent))
      .filter((words) => words !== '')
      .slice(0, MAX_LISTED)
  return {
    address: location.origin + location.pathname,
    title: normalizeText(document.title),
    language: document.documentElement?.lang ?? '',
    headings: list(HEADINGS),
    buttons: list(BUTTONS),
  }
}

function textOfPart(element) {
  return element.textContent.slice(0, MAX_PART_WORDS)
}

function visibleText(userTextElements) {
  const words = []
  let length = 0
  let nodes = 0
  const visit = (node) => {
    if (length > MAX_WORDS || nodes++ > MAX_NODES) return
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.data.trim()
      if (text === '') return
      words.push(text)
      length += text.length
      return
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return
    if (TAGS_WITHOUT_TEXT.has(node.tagName) || userTextElements.has(node) || !isVisible(node))
      return
    for (const child of node.childNodes) visit(child)
  }
  if (document.body) visit(document.body)
  return words.join('\n').slice(0, MAX_WORDS)
}

function readCount(element) {
  if (!element) return null
  const label =
    element.getAttribute('data-avatar-count') ||
    element.textContent ||
    element.getAttribute('aria-label')
  const digits = /\d{1,6}/.exec(label ?? '')
  return digits === null ? null : Number(digits[0])
}
