import { isCollection, isMap, isScalar, parseDocument, visit, type Document } from 'yaml'

export type FrontMatterValue = string | number | boolean | null | string[]

const MAX_HEADER_BYTES = 64 * 1024
/**
 * Enough for 2,000 participants, the maximum in a document, each with quotes and a comma, or 1,700 of them if there is
 * a bracket. The time to parse a header grows with its marks, not with its texts.
 */
const MAX_MARKS = 10_500
const MARK = /[[\]{},:?&*!%#'"|>\\\n-]/g
const MAX_DEPTH = 32
/** Lists and keys that begin on one line, each inside the previous one: `- - - a`. */
const DEEP_LINE = /(?:[-?][ \t]+){32}/

/** A key that needs no quotes. Words such as `yes` or `null` do, because some YAML parsers do not read them as text. */
const PLAIN_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf)$)[a-z]\w*$/i
/** Characters that are invisible, line breaks to some parsers, or forbidden in YAML, except the two joiners. */
const INVISIBLE = /(?![\u200c\u200d])[\x7f-\x9f\p{Cf}\u2028\u2029\ufffe\uffff]/gu

/**
 * Formats the front matter of a document. Every text is one line in double quotes, so that all YAML parsers read `yes`,
 * `2024-01-01` or a spoken `---` as text.
 */
export function formatFrontMatter(fields: Record<string, FrontMatterValue>): string {
  const lines = Object.entries(fields).map(([key, value]) => {
    const name = PLAIN_KEY.test(key) ? key : quote(key)
    return Array.isArray(value) ? `${name}:${formatList(value)}` : `${name}: ${formatScalar(value)}`
  })
  return ['---', ...lines, '---', ''].join('\n')
}

/** Parses the front matter and finds where the text after it begins. Null if it is missing or invalid. */
export function findFrontMatter(
  text: string,
): { fields: Record<string, unknown>; bodyStart: number } | null {
  const found = findHeader(text)
  if (found === null) return null
  const { header, bodyStart } = found
  const isTooLong = new TextEncoder().encode(header).length > MAX_HEADER_BYTES
  const fields = isTooLong || isTooComplex(header) ? null : parseFields(header)
  return fields && { fields, bodyStart }
}

/** Finds the front matter without parsing it, so it can be invalid. */
export function findHeader(text: string): { header: string; bodyStart: number } | null {
  const opening = /^\ufeff?---[ \t]*\r?\n/.exec(text)
  if (opening === null) return null
  const start = opening[0].length
  const end = findClosingLine(text, start)
  return end && { header: text.slice(start, end.start), bodyStart: end.after }
}

function findClosingLine(text: string, from: number): { start: number; after: number } | null {
  const closing = /---[ \t]*(?:\r?\n|$)/y
  for (let start = from; start - from <= MAX_HEADER_BYTES;) {
    closing.lastIndex = start
    if (closing.test(text)) return { start, after: closing.lastIndex }
    start = text.indexOf('\n', start) + 1
    if (start === 0) break
  }
  return null
}

function formatScalar(value: string | number | boolean | null): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError('a number in the front matter must be finite')
  }
  return String(value)
}

function formatList(values: string[]): string {
  return values.length === 0 ? ' []' : values.map((value) => `\n  - ${quote(value)}`).join('')
}

/** A JSON string is valid YAML. This also escapes invisible characters that JSON leaves unescaped. */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(INVISIBLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return character.length > 1 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
  })
}

/** Checked first, because the YAML library takes seconds for a few kilobytes of deeply nested text. */
function isTooComplex(header: string): boolean {
  // Keys, and items of a list on one line, take twice as long as items with a line each.
  const heavy = /[[{]/.test(header) ? ',:' : ':'
  let depth = 0
  let marks = 0
  for (const [mark] of header.matchAll(MARK)) {
    marks += heavy.includes(mark) ? 2 : 1
    if (mark === '[' || mark === '{') depth += 1
    else if ((mark === ']' || mark === '}') && depth > 0) depth -= 1
    if (marks > MAX_MARKS || depth > MAX_DEPTH) return true
  }
  return DEEP_LINE.test(header)
}

function parseFields(header: string): Record<string, unknown> | null {
  const document = parseWithoutStacks(header)
  if (document.errors.length > 0 || document.warnings.length > 0) return null
  if (document.contents === null) return {}
  if (!isMap(document.contents) || hasUnusableKey(document)) return null
  try {
    return document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>
  } catch (error) {
    if (error instanceof ReferenceError) return null
    throw error
  }
}

/** The YAML library can report thousands of errors, and with a stack each takes longer than parsing. */
function parseWithoutStacks(header: string): Document {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return parseDocument(header, {
      version: '1.2',
      schema: 'core',
      // Checked below. For the longest allowed header, the library takes seconds to find duplicate keys.
      uniqueKeys: false,
      prettyErrors: false,
      // At a lower level, the library would ignore a second YAML document instead of reporting it.
      logLevel: 'error',
    })
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** True if a key occurs twice, or if a list or an object is a key, which takes long to turn into a name. */
function hasUnusableKey(document: Document): boolean {
  let isFound = false
  visit(document, {
    Map(_, { items }) {
      const keys = new Set(items.map(({ key }) => (isScalar(key) ? String(key.value) : key)))
      isFound ||= keys.size < items.length || items.some(({ key }) => isCollection(key))
      return isFound ? visit.BREAK : undefined
    },
  })
  return isFound
}
