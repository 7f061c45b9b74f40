const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100

/** A limit that is too large is cut. */
export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
}
