import { randomBase62 } from '../../../src/lib/crypto.ts'

/** A name that no other test uses. */
export function createRandomName(): string {
  return `p${randomBase62(10).toLowerCase()}`
}
