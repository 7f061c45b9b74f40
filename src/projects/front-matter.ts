import { isMap, isScalar, parseDocument, visit, type Document } from 'yaml'

export type FieldValue = string | number | boolean | null | string[]

const MAX_HEADER_BYTES = 64 * 1024

/** Words that some reader of YAML takes for something else than a text. */
const PLAIN_KEY = /^(?!(?:y|n|yes|no|on|off|true|false|null|nan|inf)$)[a-z]\w*$/i
/** Not seen, a line break to some reader, or not allowed at all; but for the joiners of scripts and emoji. */
const INVISIBLE = /(?![\u200c\u200d])[\x7f-\x9f\p{Cf}\u2028\u2029\ufffe\uffff]/gu

/**
 * The header of a document. Every text is one line in double quotes, so no reader of any version of YAML
 * takes `yes`, `2024-01-01` or a spoken `---` for anything but text.
 */
export function writeFrontMatter(fields: Record<string, FieldValue>): string {
  const lines = Object.entries(fields).map(([key, value]) => {
    const name = PLAIN_KEY.test(key) ? key : quote(key)
    return Array.isArray(value) ? `${name}:${list(value)}` : `${name}: ${scalar(value)}`
  })
  return ['---', ...lines, '---', ''].join('\n')
}

/** The fields of a header and where the text after it begins; null where there is no header or it is broken. */
export function readFrontMatter(
  text: string,
): { fields: Record<string, unknown>; bodyStart: number } | null {
  const opening = /^\ufeff?---[ \t]*\r?\n/.exec(text)
  if (opening === null) return null
  const start = opening[0].length
  const end = findClosing(text, start)
  if (end === null) return null
  const header = text.slice(start, end.start)
  const isTooLong = new TextEncoder().encode(header).length > MAX_HEADER_BYTES
  const fields = isTooLong ? null : parseFields(header)
  return fields && { fields, bodyStart: end.after }
}

function findClosing(text: string, from: number): { start: number; after: number } | null {
  const closing = /---[ \t]*(?:\r?\n|$)/y
  for (let start = from; start - from <= MAX_HEADER_BYTES;) {
    closing.lastIndex = start
    if (closing.test(text)) return { start, after: closing.lastIndex }
    start = text.indexOf('\n', start) + 1
    if (start === 0) break
  }
  return null
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new TypeError('a field is a finite number or none')
  }
  return String(value)
}

function list(values: string[]): string {
  return values.length === 0 ? ' []' : values.map((value) => `\n  - ${quote(value)}`).join('')
}

/** JSON is YAML; what it leaves unescaped and a person cannot see is escaped here. */
function quote(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(INVISIBLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return character.length > 1 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`
  })
}

function parseFields(header: string): Record<string, unknown> | null {
  // Keys are compared below: the library's own check takes seconds for a header of the longest kind.
  const document = parseDocument(header, {
    version: '1.2',
    schema: 'core',
    uniqueKeys: false,
    prettyErrors: false,
    // Silent, it would take a second document for none.
    logLevel: 'error',
  })
  if (document.errors.length > 0 || document.warnings.length > 0) return null
  if (document.contents === null) return {}
  if (!isMap(document.contents) || hasDuplicateKey(document)) return null
  try {
    return document.toJS({ maxAliasCount: 0 }) as Record<string, unknown>
  } catch (error) {
    if (error instanceof ReferenceError) return null
    throw error
  }
}

function hasDuplicateKey(document: Document): boolean {
  let isFound = false
  visit(document, {
    Map(_, { items }) {
      const keys = new Set(items.map(({ key }) => (isScalar(key) ? String(key.value) : key)))
      isFound ||= keys.size < items.length
      return isFound ? visit.BREAK : undefined
    },
  })
  return isFound
}
