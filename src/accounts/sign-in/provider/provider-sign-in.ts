import type { AreaContext } from '../../../db/context.ts'
import { z } from 'zod'
import type { Db } from '../../../db/database.ts'
import { ServiceError } from '../../../errors.ts'
import { appendAudit, SIGN_IN_PROVIDER } from '../../audit.ts'
import type { ApiTokens } from '../../tokens/tokens.ts'
import { isLastAdmin, setRole } from '../../users/user-changes.ts'
import { acquireUserListLock, type User, type Users } from '../../users/users.ts'
import type { SignInChallenges } from '../challenges.ts'
import type {
  AuthenticatedSession,
  ClientInfo,
  SignInClient,
  StartedSession,
  StartSession,
} from '../sessions.ts'
import { requireRecentSignIn } from '../sign-in-methods.ts'
import { ipToRateLimitKey, type SignInThrottle, type ThrottleScope } from '../sign-in-throttle.ts'
import { describePerson, findUserOfIdentity, linkIdentity, markIdentityUsed } from './identities.ts'
import type { OpenIdProvider } from './openid-provider.ts'
import {
  type ProviderPerson,
  findRegistrationProblem,
  findRoleByGroups,
  hasVerifiedEmail,
  type RegistrationRules,
} from './person-claims.ts'
import { ProviderSignInError, type SignInProblem } from './sign-in-problems.ts'

export type ProviderAnswer = {
  /** The query of the URL where the provider sent the browser. */
  query: Readonly<Record<string, string>>
  browser: string | null
  signedIn: AuthenticatedSession | null
  client: SignInClient
}

export type FinishedSignIn =
  | { outcome: 'signed in'; started: StartedSession; next: string }
  | { outcome: 'linked' }
  | { outcome: 'failed'; isLink: boolean; problem: SignInProblem }

type Parts = AreaContext & {
  users: Users
  challenges: SignInChallenges
  throttle: SignInThrottle
  tokens: Pick<ApiTokens, 'invalidateCreatedBy'>
  startSession: StartSession
  name: string
  provider: OpenIdProvider
  rules: RegistrationRules
  baseUrl(): string
  findProvisionedUser?: FindProvisionedUser | undefined
}

/** Finds the account that a provisioning client created for this person and that nobody can sign in to yet. */
export type FindProvisionedUser = (
  tx: Db,
  person: Pick<ProviderPerson, 'issuer' | 'subject' | 'objectId'> & {
    /** Null if the provider does not vouch for the address. */
    verifiedEmail: string | null
  },
) => Promise<string | null>

const CALLBACK_PATH = '/web/sign-in/provider/callback'
const KINDS = ['provider sign-in', 'provider link'] as const

/** Stored between the start and the answer. */
const PendingAuthorization = z.object({
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  loginAfter: z.number().nullable(),
  redirectUri: z.string(),
  next: z.string(),
})

/** Sign-in with an OpenID provider, and linking the signed-in user to an account there. */
export function createProviderSignIn(parts: Parts) {
  const { clock, log, challenges, throttle, provider, baseUrl } = parts

  const begin = async (
    kind: (typeof KINDS)[number],
    { browser, client, userId, next }: BeginOptions,
  ) => {
    await throttle.recordAttempt(throttleScopes(client))
    const redirectUri = `${baseUrl()}${CALLBACK_PATH}`
    try {
      // Linking must prove the provider account, and this browser's session there may be another person's.
      const loginAfter = userId === null ? null : Math.floor(clock.now().getTime() / 1000)
      const { url, ...checks } = await provider.startAuthorization(redirectUri, loginAfter)
      const data = JSON.stringify({ ...checks, redirectUri, next })
      await challenges.create({ kind, key: checks.state, browser, userId, data })
      return { url }
    } catch (error) {
      if (!(error instanceof ProviderSignInError)) throw error
      // The HTTP server logs it with its cause.
      throw new ServiceError('sign_in_provider_unavailable', {
        cause: error,
        retryAfterSeconds: 5,
      })
    }
  }

  const finish = async (answer: ProviderAnswer): Promise<FinishedSignIn> => {
    const { query, browser, client } = answer
    const pending = await challenges.redeem(KINDS, query['state'] ?? '', browser)
    if (pending === null) {
      // Not in the audit log, because anyone could fill it by opening this address.
      log.info({ ip: client.ip }, 'refused the answer to a sign-in that did not begin here')
      return { outcome: 'failed', problem: 'sign_in_expired', isLink: false }
    }
    const isLink = pending.kind === 'provider link'
    const checks = PendingAuthorization.parse(JSON.parse(pending.data))
    let person: ProviderPerson | null = null
    try {
      const callbackUrl = new URL(checks.redirectUri)
      callbackUrl.search = new URLSearchParams(query).toString()
      person = await provider.finishAuthorization(callbackUrl, checks)
      if (isLink) await link(parts, person, pending.userId, answer)
      const { next } = checks
      const finished: FinishedSignIn = isLink
        ? { outcome: 'linked' }
        : { outcome: 'signed in', started: await signIn(parts, person, client), next }
      await throttle.recordSuccess(throttleScopes(client))
      return finished
    } catch (error) {
      if (!(error instanceof ProviderSignInError)) throw error
      const { problem } = error
      if (error.cause === undefined) log.info({ problem }, 'refused a sign-in with the provider')
      else log.warn({ err: error, problem }, 'a sign-in with the provider failed')
      await recordFailure(parts, { error, person, answer, linkedUserId: pending.userId })
      return { outcome: 'failed', problem, isLink }
    }
  }

  return {
    /** The name of the provider on buttons. */
    name: parts.name,
    /** Returns the page of the provider. `next` is the path to open after the sign-in. */
    start: (next: string, browser: string, client: ClientInfo) =>
      begin('provider sign-in', { browser, client, userId: null, next }),

    async startLink({ session, user }: AuthenticatedSession, browser: string, client: ClientInfo) {
      requireRecentSignIn(session, clock.now())
      return begin('provider link', { browser, client, userId: user.id, next: '/' })
    },

    /** Finishes a sign-in or a link. `signedIn` is the browser's session, if it has one. */
    finish,

    /** The provider's page that ends the session there. Null if there is none or the provider does not answer. */
    async endSessionUrl(idToken: string): Promise<string | null> {
      try {
        return await provider.endSessionUrl(idToken, `${baseUrl()}/sign-in`)
      } catch (error) {
        if (!(error instanceof ProviderSignInError)) throw error
        log.warn({ err: error }, 'failed to end the session at the sign-in provider')
        return null
      }
    },
  }
}

export type ProviderSignIn = ReturnType<typeof createProviderSignIn>

type BeginOptions = { browser: string; client: ClientInfo; userId: string | null; next: string }

type FailedAnswer = {
  error: ProviderSignInError
  /** Null if the provider did not say who it is. */
  person: ProviderPerson | null
  answer: ProviderAnswer
  /** The user who started to link an account. Null for a sign-in. */
  linkedUserId: string | null
}

/** Can't fill the audit log, because each of these sign-ins began here, and starts are limited for each address. */
async function recordFailure(
  { db, clock }: Parts,
  { error, person, answer, linkedUserId }: FailedAnswer,
): Promise<void> {
  const { problem, accountId } = error
  const { signedIn, client } = answer
  const detail = person === null ? problem : `${problem}: ${describePerson(person)}`
  const nobody = { name: 'nobody', ip: client.ip }
  if (linkedUserId === null)
    return appendAudit(db, clock.now(), nobody, 'sign-in failed', accountId, detail)
  const actor = signedIn === null ? nobody : { ...nobody, name: `user:${signedIn.user.id}` }
  return appendAudit(db, clock.now(), actor, 'identity link failed', linkedUserId, detail)
}

function throttleScopes({ ip }: ClientInfo): ThrottleScope[] {
  return [{ rule: 'started', key: ipToRateLimitKey(ip) }]
}

/** Links only if the browser is still signed in as the user who started, because that proves both accounts. */
async function link(
  { db, clock }: Parts,
  person: ProviderPerson,
  userId: string | null,
  { signedIn, client }: ProviderAnswer,
): Promise<void> {
  if (userId === null || signedIn?.user.id !== userId)
    throw new ProviderSignInError('sign_in_expired')
  await db.transaction().execute(async (tx) => {
    const actor = { name: `user:${userId}`, ip: client.ip }
    const isNew = await linkIdentity(tx, userId, person, { now: clock.now(), actor })
    if (isNew) return
    const owner = await findUserOfIdentity(tx, person)
    if (owner?.id !== userId) throw new ProviderSignInError('linked_to_another')
  })
}

async function signIn(
  parts: Parts,
  person: ProviderPerson,
  client: SignInClient,
): Promise<StartedSession> {
  const { db, clock, startSession, tokens } = parts
  const started = await db.transaction().execute(async (tx) => {
    // Also makes simultaneous first sign-ins of one person wait for each other.
    await acquireUserListLock(tx)
    const known = await findUserOfIdentity(tx, person)
    const user =
      known === null
        ? ((await linkProvisioned(tx, parts, person, client)) ??
          (await register(tx, parts, person, client)))
        : await applyRoleOfGroups(tx, parts, known, person, client)
    if (user.deactivatedAt !== null)
      throw new ProviderSignInError('account_deactivated', undefined, user.id)
    await markIdentityUsed(tx, person, clock.now())
    const proof = { method: 'sign-in provider', idToken: person.idToken } as const
    return startSession(tx, user, client, proof)
  })
  // The groups may have changed the role.
  tokens.invalidateCreatedBy(started.user.id)
  return started
}

/** The first sign-in of a person whom a provisioning client created. Null if there is no such account. */
async function linkProvisioned(
  tx: Db,
  parts: Parts,
  person: ProviderPerson,
  client: ClientInfo,
): Promise<User | null> {
  const verifiedEmail = hasVerifiedEmail(person, parts.rules) ? person.email : null
  const userId = (await parts.findProvisionedUser?.(tx, { ...person, verifiedEmail })) ?? null
  if (userId === null) return null
  const actor = { name: SIGN_IN_PROVIDER, ip: client.ip }
  await linkIdentity(tx, userId, person, { now: parts.clock.now(), actor })
  const user = await findUserOfIdentity(tx, person)
  return user && applyRoleOfGroups(tx, parts, user, person, client)
}

async function register(
  tx: Db,
  { users, rules, clock }: Parts,
  person: ProviderPerson,
  { ip }: ClientInfo,
): Promise<User> {
  const { email, name } = person
  if (email === null || !hasVerifiedEmail(person, rules))
    throw new ProviderSignInError('email_not_verified')
  // An account with this address may belong to another person, so its owner must link the two.
  const accountId = await users.findIdByEmail(tx, email)
  if (accountId !== null) throw new ProviderSignInError('account_exists', undefined, accountId)
  const problem = findRegistrationProblem(person, rules)
  if (problem !== null) throw new ProviderSignInError(problem)
  const role = findRoleByGroups(person, rules) ?? 'member'
  // If the first user were not an admin, the set-up would be closed forever.
  if (role !== 'admin' && (await users.count(tx)) === 0)
    throw new ProviderSignInError('setup_first')
  const actor = { name: SIGN_IN_PROVIDER, ip }
  const user = await users.insert(tx, { email, name, role, passwordHash: null }, actor)
  await linkIdentity(tx, user.id, person, { now: clock.now(), actor })
  return user
}

/** The provider's groups decide the role at each sign-in. The last admin stays an admin. */
async function applyRoleOfGroups(
  tx: Db,
  { rules, clock, log }: Parts,
  user: User,
  person: ProviderPerson,
  { ip }: ClientInfo,
): Promise<User> {
  const role = findRoleByGroups(person, rules)
  if (role === null || role === user.role) return user
  if (await isLastAdmin(tx, user)) {
    log.warn({ userId: user.id }, 'the last admin is in no admin group of the sign-in provider')
    return user
  }
  await setRole(tx, user, role, { at: clock.now(), actor: { name: SIGN_IN_PROVIDER, ip } })
  return { ...user, role }
}
