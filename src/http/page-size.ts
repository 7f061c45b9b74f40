const DEFAULT = 50
const MAX = 100

/** A limit that is too large is cut. */
export function pageSize(limit: number | undefined): number {
  return Math.min(limit ?? DEFAULT, MAX)
}
