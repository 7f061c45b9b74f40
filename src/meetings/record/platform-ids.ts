import { hash } from 'node:crypto'

const MAX_ID_CHARS = 200
/** Control characters and unpaired surrogates, which PostgreSQL cannot store. */
const UNSTORABLE = /[\p{Cc}\p{Cs}]/gu

/** Makes an id of a platform storable. Different ids stay different, because a changed id gets a hash. */
export function makePlatformIdStorable(raw: string): string {
  if (raw.length <= MAX_ID_CHARS && raw.search(UNSTORABLE) === -1) return raw
  return `${raw.slice(0, 100).replace(UNSTORABLE, '')}~${hash('sha256', raw).slice(0, 20)}`
}
