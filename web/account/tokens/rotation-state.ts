import type { WireToken } from '../../../src/http/shapes/account.ts'

/** A next secret whose time has come signs already, even while the list still names it. */
export function isSecretPending({ nextSecretDue }: WireToken, now: number): boolean {
  return nextSecretDue !== null && Date.parse(nextSecretDue) > now
}

export function isOldSecretValid({ oldSecretUntil }: WireToken, now: number): boolean {
  return oldSecretUntil !== null && Date.parse(oldSecretUntil) > now
}
