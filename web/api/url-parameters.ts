/** Reads a URL parameter as text. Undefined if empty. Accepts numbers, which the router makes of `?q=2026`. */
export function parseTextParameter(value: unknown, maxLength: number): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && text !== '' ? text.slice(0, maxLength) : undefined
}
