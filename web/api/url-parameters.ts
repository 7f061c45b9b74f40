/** Reads a URL parameter as text. Undefined if empty. Accepts numbers, because the router parses `?q=2026` as one. */
export function parseTextParameter(value: unknown, maxLength: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text.slice(0, maxLength) : undefined
}
