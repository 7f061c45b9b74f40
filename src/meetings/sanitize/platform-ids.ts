import { hash } from 'node:crypto'

const MAX_ID_CHARS = 200
/** What no column takes: control characters, and halves of characters. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/gu

/** An id that a platform gave, in a form that can be stored. Those that differ stay different. */
export function cleanId(raw: string): string {
  if (raw.length <= MAX_ID_CHARS && raw.search(UNSTORABLE) === -1) return raw
  return `${raw.slice(0, 100).replace(UNSTORABLE, '')}~${hash('sha256', raw).slice(0, 20)}`
}
