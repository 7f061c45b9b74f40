import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 8_192

/** Makes random ids as lower-case hexadecimal: 16 bytes for a trace, 8 for a span. */
export function createIdSource(): (bytes: 8 | 16) => string {
  // Filling a pool is much cheaper than asking for a few bytes each time.
  const pool = Buffer.alloc(POOL_BYTES)
  let used = POOL_BYTES
  return (bytes) => {
    if (used + bytes > POOL_BYTES) {
      randomFillSync(pool)
      used = 0
    }
    used += bytes
    return pool.toString('hex', used - bytes, used)
  }
}
