import { ServiceError } from '../errors.ts'

export type Page<Item> = { items: Item[]; nextCursor: string | null }

/** One row more than the page has tells whether there is another. `keyOf` names the place of the last one. */
export function toPage<Row>(rows: Row[], limit: number, keyOf: (row: Row) => string[]): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const key = rows.length > limit && last !== undefined ? keyOf(last) : null
  return { items, nextCursor: key && Buffer.from(JSON.stringify(key)).toString('base64url') }
}

/** As it was written, or a mistake of the caller. */
export function parseCursor(cursor: string, length: number): string[] {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalidCursorError()
  }
  const isKey = Array.isArray(parts) && parts.length === length && parts.every(isStorable)
  if (!isKey) throw invalidCursorError()
  return parts as string[]
}

function isStorable(part: unknown): boolean {
  return typeof part === 'string' && part.isWellFormed() && !part.includes('\0')
}

export function invalidCursorError(): ServiceError {
  return new ServiceError('invalid_request', {
    details: [{ path: 'cursor', message: 'Must be the nextCursor of an earlier answer' }],
  })
}
