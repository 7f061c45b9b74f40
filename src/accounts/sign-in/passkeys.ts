import type { AreaContext } from '../../db/context.ts'
import type * as WebAuthn from '@simplewebauthn/server'
import { ServiceError } from '../../errors.ts'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { appendAudit, type Actor } from '../audit.ts'
import type { User } from '../users/users.ts'
import type { ChallengeKind, SignInChallenges } from './challenges.ts'
import {
  deletePasskey,
  insertPasskey,
  listCredentialIds,
  type Passkey,
  advanceCounter,
  findCredential,
  type StoredCredential,
} from './passkey-store.ts'
import type {
  AuthenticatedSession,
  KnownDevices,
  ClientInfo,
  SignInClient,
  StartSession,
} from './sessions.ts'
import {
  lockUserForRemoval,
  requireRecentSignIn,
  type UsableMethods,
  findPasskeyHost,
  type PasskeyHost,
} from './sign-in-methods.ts'
import { ipToRateLimitKey, type SignInThrottle, type ThrottleScope } from './sign-in-throttle.ts'

/** Passkeys (WebAuthn): a device or password manager verifies its user and then signs a challenge. */
export interface Passkeys extends PasskeySignIn {
  /** True if browsers offer passkeys at this service's address, and local sign-in is on. */
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

/** EdDSA, ES256 and RS256, which devices offer. The library also asks for algorithms that Node calls experimental. */
const ALGORITHMS = [-8, -7, -257]

type PasskeySignInParts = AreaContext & {
  challenges: SignInChallenges
  throttle: SignInThrottle
  knownDevices: KnownDevices
  startSession: StartSession
  /** Throws if passkeys do not work at this address. */
  requireHost(): PasskeyHost
  /** The challenge that a response answers. Null if it did not begin here or was answered before. */
  redeemChallenge(
    kind: ChallengeKind,
    clientData: string,
    browser: string | null,
  ): Promise<{ challenge: string; userId: string | null } | null>
}

const PASSKEY_TIMEOUT_MS = 300_000

/** Loaded on first use, because it is large. */
const loadWebAuthn = (): Promise<typeof WebAuthn> => import('@simplewebauthn/server')

type SignatureCheck = {
  challenge: string
  response: WebAuthn.AuthenticationResponseJSON
  credential: StoredCredential | null
}

export function createPasskeys(parts: Parts): Passkeys {
  const { db, clock, challenges, usableMethods, requireLocalSignIn, baseUrl } = parts

  const requireHost = (): PasskeyHost => {
    requireLocalSignIn()
    const host = findPasskeyHost(baseUrl())
    if (host === null) throw new ServiceError('passkeys_unavailable')
    return host
  }

  /** The challenge that the response answers. It is valid once, and only in the browser that got it. */
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

/** The challenge in the data that the browser signed. Empty if the data is not from a browser. */
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
    // The library throws plain errors for everything that can be wrong in a response.
    log.info({ err: error }, 'rejected a new passkey')
    throw new ServiceError('passkey_rejected', { cause: error })
  }
}

function createPasskeySignIn(parts: PasskeySignInParts) {
  const { db, clock, challenges, throttle, startSession, requireHost, redeemChallenge } = parts

  return {
    async startSignIn(browser: string, client: ClientInfo) {
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

    async signIn(
      response: WebAuthn.AuthenticationResponseJSON,
      browser: string | null,
      client: SignInClient,
    ) {
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
        // Responses that neither began here nor name a passkey are not recorded: anyone could fill the audit log with
        // them.
        const [nobody, userId] = [{ name: 'nobody', ip: client.ip }, credential?.user.id ?? null]
        if (redeemed !== null || userId !== null)
          await appendAudit(db, clock.now(), nobody, 'sign-in failed', userId, 'passkey')
        throw new ServiceError('passkey_rejected')
      }
      await throttle.recordSuccess([scope])
      // Undoes the count from the start of this sign-in.
      await throttle.recordSuccess([startedScope(client)])
      return started
    },
  }
}

type PasskeySignIn = ReturnType<typeof createPasskeySignIn>

function startedScope({ ip }: ClientInfo): ThrottleScope {
  return { rule: 'started', key: ipToRateLimitKey(ip) }
}

/** A browser where the user has signed in before is not delayed by other people at its address. */
function findDeviceScope(
  { knownDevices }: PasskeySignInParts,
  user: User | null,
  { knownDeviceToken }: SignInClient,
): ThrottleScope | null {
  const key = user && knownDevices.findKey(knownDeviceToken, user.id)
  return key === null ? null : { rule: 'device', key }
}

/** The new counter of the passkey. Null if the signature is not accepted. */
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
    // The library throws plain errors for everything that can be wrong in a response, even a counter that went back.
    log.info({ err: error, passkeyId: credential.passkeyId }, 'rejected a passkey')
    return null
  }
}
