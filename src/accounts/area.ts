import type { Db } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import type { SecretBox } from '../lib/crypto.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { createAccounts } from './accounts.ts'
import { createAuditLog } from './audit.ts'
import { createOAuthClients, type FetchJson, type OAuthClients } from './oauth/clients.ts'
import { createOAuthConsent, type OAuthConsent } from './oauth/consent.ts'
import { deleteExpiredOAuthRows } from './oauth/create-grant.ts'
import { createOAuthGrants, type OAuthGrants } from './oauth/grants.ts'
import type { OAuthServer } from './oauth/server-metadata.ts'
import { createSignInChallenges, deleteExpiredChallenges } from './sign-in/challenges.ts'
import { listPasskeys, type Passkey } from './sign-in/passkey-store.ts'
import { createPasskeys } from './sign-in/passkeys.ts'
import { createPasswordHasher, type PasswordHasher } from './sign-in/passwords.ts'
import {
  createIdentityUnlinker,
  listIdentities,
  type LinkedIdentity,
} from './sign-in/provider/identities.ts'
import {
  createOpenIdProvider,
  type OpenIdProviderOptions,
} from './sign-in/provider/openid-provider.ts'
import type { RegistrationRules } from './sign-in/provider/person-claims.ts'
import {
  createProviderSignIn,
  type FindProvisionedUser,
} from './sign-in/provider/provider-sign-in.ts'
import {
  createKnownDevices,
  createSessions,
  deleteExpiredSessions,
  createSessionStarter,
} from './sign-in/sessions.ts'
import { createUsableMethods } from './sign-in/sign-in-methods.ts'
import { createSignInThrottle, deleteOldSignInFailures } from './sign-in/sign-in-throttle.ts'
import {
  createSecretRotation,
  activateDueAndDeleteExpiredSecrets,
} from './tokens/secret-rotation.ts'
import type { AfterTokensRevoked } from './tokens/token-creators.ts'
import { createApiTokens } from './tokens/tokens.ts'
import {
  createInvitations,
  deleteExpiredInvitations,
  type LinkMailer,
} from './users/invitations.ts'
import { createUserMarks } from './users/marks.ts'
import { createUserNotices } from './users/notices.ts'
import type { BeforeUserDeactivation } from './users/deactivation.ts'
import {
  createResetLinkRedeemer,
  createPasswordResets,
  deleteExpiredPasswordResets,
} from './users/password-resets.ts'
import {
  createUserChanges,
  createUserRemoval,
  type BeforeUserRemoval,
} from './users/user-changes.ts'
import { createUsers } from './users/users.ts'

/** The authorization server for assistants. */
export type OAuthArea = {
  server: OAuthServer
  clients: OAuthClients
  grants: OAuthGrants
  consent: OAuthConsent
}

export type OAuthOptions = { server: OAuthServer; fetchJson: FetchJson }

export type SignInProviderOptions = {
  name: string
  openId: OpenIdProviderOptions
  rules: RegistrationRules
}

/** The settings for signing in. The command line needs none of them. */
export type SignInOptions = {
  hasLocalSignIn: boolean
  provider: SignInProviderOptions | null
  /** The URL where people open the service. */
  baseUrl(): string
}

/** The ways in which a user can sign in. */
type SignInMethods = {
  hasPassword: boolean
  identities: LinkedIdentity[]
  passkeys: Passkey[]
}

/** Creates everything in the accounts area, for the service and for the command line. */
export function createAccountsArea(parts: {
  db: Db
  clock: Clock
  secretBox: SecretBox
  log: Log
  passwords?: PasswordHasher | undefined
  /** Absent on the command line, which prints links. */
  linkMailer?: LinkMailer | undefined
  beforeUserRemoval?: BeforeUserRemoval | undefined
  beforeUserDeactivation?: BeforeUserDeactivation | undefined
  onUserDeactivated?: (() => void) | undefined
  findProvisionedUser?: FindProvisionedUser | undefined
  afterTokensRevoked?: AfterTokensRevoked | undefined
  signIn?: SignInOptions
  oauth?: OAuthOptions | null
}) {
  const { passwords = createPasswordHasher() } = parts
  const { hasLocalSignIn = true, provider = null, baseUrl = () => '' } = parts.signIn ?? {}
  const requireLocalSignIn = () => {
    if (!hasLocalSignIn) throw new ServiceError('local_sign_in_off')
  }
  const throttle = createSignInThrottle(parts)
  const users = createUsers({ ...parts, passwords })
  const sessions = createSessions(parts)
  const invitations = createInvitations({ ...parts, requireLocalSignIn })
  const { oauth = null } = parts
  const tokens = createApiTokens({ ...parts, hasOAuth: oauth !== null })
  const rotation = createSecretRotation(parts)
  const removeUser = createUserRemoval({ ...parts, tokens })
  const userChanges = createUserChanges({ ...parts, tokens })
  const knownDevices = createKnownDevices(parts.secretBox)
  const startSession = createSessionStarter({ ...parts, sessions, knownDevices })
  const resets = createPasswordResets({ ...parts, requireLocalSignIn })
  const challenges = createSignInChallenges(parts)
  const issuer = provider?.openId.issuer ?? null
  const usableMethods = createUsableMethods({ hasLocalSignIn, issuer, baseUrl })
  const signIn = {
    ...parts,
    users,
    sessions,
    tokens,
    passwords,
    throttle,
    knownDevices,
    startSession,
    usableMethods,
    requireLocalSignIn,
  }
  return {
    accounts: createAccounts({ ...signIn, invitations }),
    users,
    removeUser,
    changeUser: userChanges.change,
    userChanges,
    notices: createUserNotices(parts),
    marks: createUserMarks(parts),
    resets,
    redeemResetLink: createResetLinkRedeemer({ ...signIn, resets }),
    auditLog: createAuditLog(parts),
    /** Null if the settings name no sign-in provider. */
    providerSignIn:
      provider &&
      createProviderSignIn({
        ...signIn,
        challenges,
        baseUrl,
        name: provider.name,
        rules: provider.rules,
        provider: createOpenIdProvider(provider.openId),
      }),
    passkeys: createPasskeys({ ...signIn, challenges, baseUrl }),
    unlinkIdentity: createIdentityUnlinker(signIn),
    listSignInMethods: createSignInMethodList(parts),
    /** True if people can sign in with a password or a passkey. */
    hasLocalSignIn,
    sessions,
    invitations,
    tokens,
    /** Null if assistants can't connect by OAuth. */
    oauth: oauth && createOAuthArea({ ...parts, ...oauth, tokens }),
    rotation,
    passwords,
    throttle,
  }
}

export type AccountsArea = ReturnType<typeof createAccountsArea>

function createOAuthArea(parts: OAuthOptions & Parameters<typeof createOAuthGrants>[0]): OAuthArea {
  const clients = createOAuthClients(parts)
  const grants = createOAuthGrants(parts)
  return {
    server: parts.server,
    clients,
    grants,
    consent: createOAuthConsent({ ...parts, clients, grants }),
  }
}

export const ACCOUNT_MAINTENANCE_JOBS: ReadonlyArray<{
  name: string
  run(db: Db, now: Date): Promise<void>
}> = [
  { name: 'sessions', run: deleteExpiredSessions },
  { name: 'invitations', run: deleteExpiredInvitations },
  { name: 'password resets', run: deleteExpiredPasswordResets },
  { name: 'sign-in challenges', run: deleteExpiredChallenges },
  { name: 'sign-in failures', run: deleteOldSignInFailures },
  { name: 'assistants', run: deleteExpiredOAuthRows },
  { name: 'signing secrets', run: activateDueAndDeleteExpiredSecrets },
]

function createSignInMethodList({ db }: { db: Db }) {
  return async (userId: string): Promise<SignInMethods> => {
    const user = await db
      .selectFrom('app_user')
      .select('password_hash')
      .where('id', '=', userId)
      .executeTakeFirst()
    return {
      hasPassword: user?.password_hash != null,
      identities: await listIdentities(db, userId),
      passkeys: await listPasskeys(db, userId),
    }
  }
}
