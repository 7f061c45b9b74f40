import { ServiceError } from '../errors.ts'

/** One page of a listing, and the opaque cursor of the next page. */
export type ListingPage<Item> = { items: Item[]; nextCursor: string | null }

/**
 * Cuts rows to a page. Query one row more than `limit`, which shows whether there is another page. `keyOf` returns the
 * sort key of the last row, where the next page continues.
 */
export function cutRowsToPage<Row>(
  rows: Row[],
  limit: number,
  keyOf: (row: Row) => string[],
): ListingPage<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const key = rows.length > limit && last !== undefined ? keyOf(last) : null
  return { items, nextCursor: key && formatCursor(key) }
}

export function formatCursor(sortKey: readonly string[]): string {
  return Buffer.from(JSON.stringify(sortKey)).toString('base64url')
}

/** Reads the sort key from a cursor. Throws `invalid_request` if the text is not a cursor with `partCount` parts. */
export function parseCursorOrThrow(cursor: string, partCount: number): string[] {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw invalidCursorError()
  }
  const isKey = Array.isArray(parts) && parts.length === partCount && parts.every(isStorable)
  if (!isKey) throw invalidCursorError()
  return parts as string[]
}

/** The sort key of listings by time, newest first: milliseconds, and an id for ties. */
export function toTimeSortKey(at: Date, id: string): [ms: string, id: string] {
  return [String(at.getTime()), id]
}

export function parseTimeCursorOrThrow(cursor: string): { at: Date; id: string } {
  const [ms = '', id = ''] = parseCursorOrThrow(cursor, 2)
  if (!/^\d{1,15}$/.test(ms)) throw invalidCursorError()
  return { at: new Date(Number(ms)), id }
}

function isStorable(part: unknown): boolean {
  return typeof part === 'string' && part.isWellFormed() && !part.includes('\0')
}

export function invalidCursorError(): ServiceError {
  return new ServiceError('invalid_request', {
    details: [{ path: 'cursor', message: 'Must be the nextCursor of an earlier answer' }],
  })
}
