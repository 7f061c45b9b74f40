import { isIP } from 'node:net'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { addSecondsToDate } from '../../lib/time/clock.ts'
import type { Session } from './sessions.ts'

/** A way to sign in or an API token can only be added this soon after signing in. */
const RECENT_SECONDS = 900

/** The name that passkeys are valid for, and the origin where a browser must use them. */
export type PasskeyHost = { rpId: string; origin: string }

/**
 * Refuses to add a way to sign in or an API token from an old session, so that a stranger at an unlocked computer can't
 * get permanent access.
 */
export function requireRecentSignIn({ createdAt }: Session, now: Date): void {
  if (createdAt > addSecondsToDate(now, -RECENT_SECONDS)) return
  throw new ServiceError('recent_sign_in_needed')
}

/** Locks a user before a way to sign in is removed, so that a second removal waits and counts the remaining ways. */
export async function lockUserForRemoval(tx: Db, userId: string): Promise<void> {
  await tx.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate().execute()
}

type Parts = {
  hasLocalSignIn: boolean
  /** The issuer of the sign-in provider. Null if there is none. */
  issuer: string | null
  baseUrl(): string
}

/** The ways to sign in that this instance's settings allow. Users may have others from earlier settings. */
export function createUsableMethods({ hasLocalSignIn, issuer, baseUrl }: Parts) {
  const hasPasskeys = () => hasLocalSignIn && findPasskeyHost(baseUrl()) !== null
  const isOwnIssuer = (other: string) => issuer !== null && isSameIssuer(issuer, other)
  return {
    hasPasskeys,
    isOwnIssuer,
    /** Throws if the user has none. The caller has locked the user. */
    async requireOne(tx: Db, userId: string): Promise<void> {
      const stored = await readStoredMethods(tx, userId)
      const isUsable =
        (hasLocalSignIn && stored.hasPassword) ||
        (hasPasskeys() && stored.passkeys > 0) ||
        stored.issuers.some(isOwnIssuer)
      if (!isUsable) throw new ServiceError('last_sign_in_method')
    },
  }
}

export type UsableMethods = ReturnType<typeof createUsableMethods>

async function readStoredMethods(tx: Db, userId: string) {
  const user = await tx
    .selectFrom('app_user')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst()
  const passkeys = await tx
    .selectFrom('passkey')
    .select('id')
    .where('user_id', '=', userId)
    .execute()
  const identities = await tx
    .selectFrom('external_identity')
    .select('issuer')
    .where('user_id', '=', userId)
    .execute()
  return {
    hasPassword: user?.password_hash != null,
    passkeys: passkeys.length,
    issuers: identities.map(({ issuer }) => issuer),
  }
}

/** Null if browsers offer no passkeys: for IP addresses, and without TLS except on localhost. */
export function findPasskeyHost(baseUrl: string): PasskeyHost | null {
  const { protocol, hostname, origin } = new URL(baseUrl)
  if (isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0) return null
  return protocol === 'https:' || hostname === 'localhost' ? { rpId: hostname, origin } : null
}

/**
 * True if two addresses name the same issuer. Some providers write theirs with a slash at the end, some without, and
 * the address of the discovery document does not show which.
 */
export function isSameIssuer(one: string, other: string): boolean {
  return withoutLastSlash(one) === withoutLastSlash(other)
}

/** The address of the provider's discovery document. */
export function discoveryUrlOf(issuer: string): URL {
  return new URL(`${withoutLastSlash(issuer)}/.well-known/openid-configuration`)
}

function withoutLastSlash(address: string): string {
  return new URL(address).href.replace(/\/$/, '')
}
