/** How long to wait after this many failures in a row: first `firstMs`, then twice as long each time, up to `maxMs`. */
export function doublingDelayMs(firstMs: number, failures: number, maxMs = Infinity): number {
  return Math.min(firstMs * 2 ** Math.max(0, failures - 1), maxMs)
}
