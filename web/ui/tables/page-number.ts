/** Parses the page number of a URL. Undefined for page 1 and for invalid values. */
export function parsePageNumberAboveOne(value: unknown): number | undefined {
  const page = Number(value)
  return Number.isInteger(page) && page > 1 && page < 1_000_000 ? page : undefined
}
