import type { WireToken } from '../../../src/http/shapes/account.ts'

/** False after the next secret's activation time, because the service then already signs with it. */
export function isNextSecretPending({ nextSecretDue }: WireToken, now: number): boolean {
  return nextSecretDue !== null && Date.parse(nextSecretDue) > now
}

export function isOldSecretValid({ oldSecretUntil }: WireToken, now: number): boolean {
  return oldSecretUntil !== null && Date.parse(oldSecretUntil) > now
}
