import type * as WebAuthn from '@simplewebauthn/server'
import { ServiceError } from '../../../errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import type { Db } from '../../../db/database.ts'
import { appendAudit } from '../../audit.ts'
import type { User } from '../../users/users.ts'
import type { ChallengeKind, SignInChallenges } from '../challenges.ts'
import type { KnownDevices } from '../known-device.ts'
import { ipToRateLimitKey } from '../rate-limit-key.ts'
import type { ClientInfo } from '../sessions.ts'
import type { SignInThrottle, ThrottleScope } from '../sign-in-throttle.ts'
import type { SignInClient, StartedSession, StartSession } from '../start-session.ts'
import type { PasskeyHost } from './passkey-host.ts'
import { advanceCounter, findCredential, type StoredCredential } from './passkey-store.ts'

export interface PasskeySignIn {
  startSignIn(
    browser: string,
    client: ClientInfo,
  ): Promise<WebAuthn.PublicKeyCredentialRequestOptionsJSON>
  signIn(
    response: WebAuthn.AuthenticationResponseJSON,
    browser: string | null,
    client: SignInClient,
  ): Promise<StartedSession>
}

export type PasskeySignInParts = {
  db: Db
  clock: Clock
  log: Log
  challenges: SignInChallenges
  throttle: SignInThrottle
  knownDevices: KnownDevices
  startSession: StartSession
  /** Throws where passkeys do not work. */
  requireHost(): PasskeyHost
  /** The challenge that a response answers; null when it did not begin here or was answered before. */
  redeemChallenge(
    kind: ChallengeKind,
    clientData: string,
    browser: string | null,
  ): Promise<{ challenge: string; userId: string | null } | null>
}

export const PASSKEY_TIMEOUT_MS = 300_000

/** Loaded on first use, because it is large. */
export const loadWebAuthn = (): Promise<typeof WebAuthn> => import('@simplewebauthn/server')

export function createPasskeySignIn(parts: PasskeySignInParts): PasskeySignIn {
  const { db, clock, challenges, throttle, startSession, requireHost, redeemChallenge } = parts

  return {
    async startSignIn(browser, client) {
      const { rpId } = requireHost()
      await throttle.recordAttempt([startedScope(client)])
      const { generateAuthenticationOptions } = await loadWebAuthn()
      const options = await generateAuthenticationOptions({
        rpID: rpId,
        timeout: PASSKEY_TIMEOUT_MS,
        userVerification: 'required',
      })
      const { challenge: key } = options
      await challenges.create({ kind: 'passkey sign-in', key, browser, userId: null, data: '' })
      return options
    },

    async signIn(response, browser, client) {
      const host = requireHost()
      const credential = await findCredential(db, response.id)
      const scope = findDeviceScope(parts, credential?.user ?? null, client) ?? startedScope(client)
      await throttle.recordAttempt([scope])
      const { clientDataJSON } = response.response
      const redeemed = await redeemChallenge('passkey sign-in', clientDataJSON, browser)
      const counter =
        redeemed && (await verifySignature(parts, host, { ...redeemed, response, credential }))
      const started = await db.transaction().execute(async (tx) => {
        if (credential === null || counter === null) return null
        const isCurrent = await advanceCounter(tx, credential, counter, clock.now())
        return isCurrent ? startSession(tx, credential.user, client, { method: 'passkey' }) : null
      })
      if (started === null) {
        // What neither began here nor names a passkey is not recorded: anybody could fill the audit log with it.
        const [nobody, userId] = [{ name: 'nobody', ip: client.ip }, credential?.user.id ?? null]
        if (redeemed !== null || userId !== null)
          await appendAudit(db, clock.now(), nobody, 'sign-in failed', userId, 'passkey')
        throw new ServiceError('passkey_rejected')
      }
      await throttle.recordSuccess([scope])
      // Undoes what the start of this sign-in counted.
      await throttle.recordSuccess([startedScope(client)])
      return started
    },
  }
}

function startedScope({ ip }: ClientInfo): ThrottleScope {
  return { rule: 'started', key: ipToRateLimitKey(ip) }
}

/** A browser in which the user has signed in before is not delayed by what others do at its address. */
function findDeviceScope(
  { knownDevices }: PasskeySignInParts,
  user: User | null,
  { knownDeviceToken }: SignInClient,
): ThrottleScope | null {
  const key = user && knownDevices.findKey(knownDeviceToken, user.id)
  return key === null ? null : { rule: 'device', key }
}

type SignatureCheck = {
  challenge: string
  response: WebAuthn.AuthenticationResponseJSON
  credential: StoredCredential | null
}

/** The new counter of the passkey; null when the signature does not count. */
async function verifySignature(
  { log }: PasskeySignInParts,
  { rpId, origin }: PasskeyHost,
  { challenge, response, credential }: SignatureCheck,
): Promise<number | null> {
  if (credential === null) return null
  const { verifyAuthenticationResponse } = await loadWebAuthn()
  const { userHandle } = response.response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: { ...credential, publicKey: new Uint8Array(credential.publicKey) },
      requireUserVerification: true,
    })
    const isOwner =
      userHandle === undefined ||
      Buffer.from(userHandle, 'base64url').toString() === credential.user.id
    return verified && isOwner ? authenticationInfo.newCounter : null
  } catch (error) {
    // The library throws plain errors for everything that a response can have wrong, also for a counter that went back.
    log.info({ err: error, passkeyId: credential.passkeyId }, 'rejected a passkey')
    return null
  }
}
