/**
 * Reads a URL parameter as text; undefined if it is empty. Accepts numbers, because the router parses a parameter such as
 * `?q=2026` as a number.
 */
export function parseTextParameter(value: unknown, maxLength: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text.slice(0, maxLength) : undefined
}
