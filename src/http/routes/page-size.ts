const DEFAULT_PAGE_SIZE = 50
const MAX_PAGE_SIZE = 100

/** The page size for a requested limit. A limit above the maximum is reduced. */
export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE)
}
