import type * as WebAuthn from '@simplewebauthn/server'
import { ServiceError } from '../../../errors.ts'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'
import { appendAudit, type Actor } from '../../audit.ts'
import type { ChallengeKind, SignInChallenges } from '../challenges.ts'
import type { AuthenticatedSession } from '../sessions.ts'
import { lockUserForRemoval, requireRecentSignIn, type UsableMethods } from '../sign-in-methods.ts'
import { findPasskeyHost, type PasskeyHost } from './passkey-host.ts'
import {
  createPasskeySignIn,
  loadWebAuthn,
  PASSKEY_TIMEOUT_MS,
  type PasskeySignIn,
  type PasskeySignInParts,
} from './passkey-sign-in.ts'
import { deletePasskey, insertPasskey, listCredentialIds, type Passkey } from './passkey-store.ts'

/** Passkeys (WebAuthn): a device or password manager signs a challenge after it has verified its user. */
export interface Passkeys extends PasskeySignIn {
  /** Whether browsers offer passkeys at the address of this service, and local sign-in is on. */
  isAvailable(): boolean
  startRegistration(
    signedIn: AuthenticatedSession,
    browser: string,
  ): Promise<WebAuthn.PublicKeyCredentialCreationOptionsJSON>
  finishRegistration(
    signedIn: AuthenticatedSession,
    passkey: { name: string; response: WebAuthn.RegistrationResponseJSON },
    browser: string | null,
    actor: Actor,
  ): Promise<Passkey>
  remove(userId: string, id: string, actor: Actor): Promise<void>
}

type Parts = Omit<PasskeySignInParts, 'requireHost' | 'redeemChallenge'> & {
  challenges: SignInChallenges
  usableMethods: UsableMethods
  requireLocalSignIn(): void
  baseUrl(): string
}

/** EdDSA, ES256 and RS256: what devices offer. The library would also ask for algorithms that Node calls experimental. */
const ALGORITHMS = [-8, -7, -257]

export function createPasskeys(parts: Parts): Passkeys {
  const { db, clock, challenges, usableMethods, requireLocalSignIn, baseUrl } = parts

  const requireHost = (): PasskeyHost => {
    requireLocalSignIn()
    const host = findPasskeyHost(baseUrl())
    if (host === null) throw new ServiceError('passkeys_unavailable')
    return host
  }

  /** The challenge that the response answers. It counts once, and only in the browser that got it. */
  const redeemChallenge = async (
    kind: ChallengeKind,
    clientData: string,
    browser: string | null,
  ) => {
    const challenge = readChallenge(clientData)
    const pending = await challenges.redeem([kind], challenge, browser)
    return pending === null ? null : { challenge, userId: pending.userId }
  }

  return {
    isAvailable: usableMethods.hasPasskeys,

    async startRegistration({ session, user }, browser) {
      const { rpId } = requireHost()
      requireRecentSignIn(session, clock.now())
      const { generateRegistrationOptions } = await loadWebAuthn()
      const options = await generateRegistrationOptions({
        rpName: 'Hansard',
        rpID: rpId,
        userID: new TextEncoder().encode(user.id),
        userName: user.email,
        userDisplayName: user.name,
        timeout: PASSKEY_TIMEOUT_MS,
        supportedAlgorithmIDs: ALGORITHMS,
        excludeCredentials: await listCredentialIds(db, user.id),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
      const { challenge: key } = options
      await challenges.create({ kind: 'new passkey', key, browser, userId: user.id, data: '' })
      return options
    },

    async finishRegistration({ user }, { name, response }, browser, actor) {
      const host = requireHost()
      const { clientDataJSON, transports = [] } = response.response
      const redeemed = await redeemChallenge('new passkey', clientDataJSON, browser)
      if (redeemed?.userId !== user.id) throw new ServiceError('passkey_rejected')
      const credential = await verifyRegistration(parts, host, redeemed.challenge, response)
      return db.transaction().execute(async (tx) => {
        const added = await insertPasskey(
          tx,
          { userId: user.id, name, transports, ...credential },
          clock.now(),
        )
        await appendAudit(tx, clock.now(), actor, 'passkey added', user.id, name)
        return added
      })
    },

    async remove(userId, id, actor) {
      await db.transaction().execute(async (tx) => {
        await lockUserForRemoval(tx, userId)
        const name = await deletePasskey(tx, userId, id)
        if (name === null) throw new ServiceError('passkey_not_found')
        if (usableMethods.hasPasskeys()) await usableMethods.requireOne(tx, userId)
        await appendAudit(tx, clock.now(), actor, 'passkey removed', userId, name)
      })
    },

    ...createPasskeySignIn({ ...parts, requireHost, redeemChallenge }),
  }
}

/** The challenge in the data that the browser signed; empty when the data is not what browsers send. */
function readChallenge(clientData: string): string {
  const data = tryParseJson(Buffer.from(clientData, 'base64url').toString())
  if (typeof data !== 'object' || data === null || !('challenge' in data)) return ''
  return typeof data.challenge === 'string' ? data.challenge : ''
}

async function verifyRegistration(
  { log }: Pick<Parts, 'log'>,
  { rpId, origin }: PasskeyHost,
  challenge: string,
  response: WebAuthn.RegistrationResponseJSON,
): Promise<{ id: string; publicKey: Buffer; counter: number }> {
  const { verifyRegistrationResponse } = await loadWebAuthn()
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    })
    if (!verified) throw new Error('the attestation is not valid')
    const { id, publicKey, counter } = registrationInfo.credential
    return { id, publicKey: Buffer.from(publicKey), counter }
  } catch (error) {
    // The library throws plain errors for everything that a response can have wrong.
    log.info({ err: error }, 'rejected a new passkey')
    throw new ServiceError('passkey_rejected', { cause: error })
  }
}
