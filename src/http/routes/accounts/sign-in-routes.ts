import type { FastifyReply } from 'fastify'
import type { ProjectAccess } from '../../../access/rules.ts'
import type { Accounts } from '../../../accounts/accounts.ts'
import type { AccountsArea } from '../../../accounts/area.ts'
import type { Passkeys } from '../../../accounts/sign-in/passkeys.ts'
import type { ProviderSignIn } from '../../../accounts/sign-in/provider/provider-sign-in.ts'
import type { Sessions, StartedSession } from '../../../accounts/sign-in/sessions.ts'
import type { Invitations } from '../../../accounts/users/invitations.ts'
import type { RedeemResetLink, PasswordResets } from '../../../accounts/users/password-resets.ts'
import type { Users } from '../../../accounts/users/users.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineConsoleRoutes, defineSignInRoutes } from '../../pipeline/define-routes.ts'
import { readAuditActor, readSignInClient } from '../../pipeline/access/caller.ts'
import {
  clearSessionCookie,
  readSessionCookie,
  setStartedSessionCookies,
  type SessionCookieOptions,
} from '../../pipeline/access/session-cookie.ts'
import {
  AcceptInvitationBody,
  InvitationResponse,
  InvitationCodeBody,
  ResetLinkUserResponse,
  ResetPasswordBody,
  SetupBody,
  SignedInResponse,
  SignInBody,
  ConsoleStateResponse,
} from '../../shapes/account.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import { SignOutResponse, SignInMethodsResponse } from '../../shapes/sign-in-methods.ts'

type Parts = {
  version: string
  accounts: Accounts
  users: Users
  sessions: Sessions
  invitations: Invitations
  resets: PasswordResets
  redeemResetLink: RedeemResetLink
  providerSignIn: ProviderSignIn | null
  hasLocalSignIn: boolean
  passkeys: Passkeys
  cookies: SessionCookieOptions
  /** The access of projects that people create. */
  newProjectAccess: ProjectAccess
  /** True if this instance can send mail. */
  hasMail: boolean
  /** True if bots can recognize speech, at least English. */
  hasSpeech(): Promise<boolean>
}

type SignInMethodRoutesParts = Pick<AccountsArea, 'listSignInMethods' | 'unlinkIdentity'>

/** Set-up, sign-in, invitations and sign-out. */
export function signInRoutes(app: FastifyApp, parts: Parts): void {
  const routes = defineConsoleRoutes(app)
  const signIn = defineSignInRoutes(app)

  const { version, accounts, users, sessions, invitations, resets, cookies, newProjectAccess } =
    parts
  const { redeemResetLink, providerSignIn, hasLocalSignIn, passkeys } = parts

  const startSession = (reply: FastifyReply, started: StartedSession) => {
    setStartedSessionCookies(reply, cookies, started)
    return { user: started.user, csrfToken: started.csrfToken }
  }

  app.get(
    '/web/state',
    {
      config: { access: 'open', subject: 'none' },
      schema: { response: { 200: ConsoleStateResponse } },
    },
    async (request) => {
      const secret = readSessionCookie(request, cookies)
      const signedIn = secret === null ? null : await sessions.find(secret)
      return {
        version,
        setupNeeded: signedIn === null && (await users.count()) === 0,
        user: signedIn?.user ?? null,
        csrfToken: signedIn?.csrfToken ?? null,
        signIn: {
          hasLocal: hasLocalSignIn,
          provider: providerSignIn?.name ?? null,
          hasPasskeys: passkeys.isAvailable(),
        },
        newProjectAccess,
        hasMail: parts.hasMail,
        hasSpeech: await parts.hasSpeech(),
      }
    },
  )

  signIn.post('/setup', {
    body: SetupBody,
    status: 201,
    response: SignedInResponse,
    handler: async (request, reply) => {
      const { code, ...person } = request.body
      const session = await accounts.redeemSetupLink(
        code,
        person,
        readSignInClient(request, cookies),
      )
      return startSession(reply, session)
    },
  })

  signIn.post('/sign-in', {
    body: SignInBody,
    response: SignedInResponse,
    handler: async (request, reply) =>
      startSession(reply, await accounts.signIn(request.body, readSignInClient(request, cookies))),
  })

  signIn.post('/invitation/check', {
    body: InvitationCodeBody,
    response: InvitationResponse,
    handler: async (request) => ({ invitation: await invitations.check(request.body.code) }),
  })

  signIn.post('/invitation/accept', {
    body: AcceptInvitationBody,
    status: 201,
    response: SignedInResponse,
    handler: async (request, reply) => {
      const { code, ...person } = request.body
      const session = await accounts.acceptInvitation(
        code,
        person,
        readSignInClient(request, cookies),
      )
      return startSession(reply, session)
    },
  })

  signIn.post('/password-reset/check', {
    body: InvitationCodeBody,
    response: ResetLinkUserResponse,
    handler: async (request) => resets.check(request.body.code),
  })

  signIn.post('/password-reset', {
    body: ResetPasswordBody,
    response: SignedInResponse,
    handler: async (request, reply) => {
      const { code, password } = request.body
      const client = readSignInClient(request, cookies)
      return startSession(reply, await redeemResetLink(code, password, client))
    },
  })

  routes.post('/sign-out', {
    response: SignOutResponse,
    handler: async (request, reply) => {
      const actor = readAuditActor(request)
      const { idToken } = await sessions.signOut(request.signedIn, actor)
      clearSessionCookie(reply, cookies)
      const providerUrl =
        idToken === null ? null : ((await providerSignIn?.endSessionUrl(idToken)) ?? null)
      return { success: true as const, providerUrl }
    },
  })
}

/** The ways in which the signed-in user can sign in. */
export function signInMethodRoutes(app: FastifyApp, parts: SignInMethodRoutesParts): void {
  const routes = defineConsoleRoutes(app)

  routes.get('/sign-in-methods', {
    response: SignInMethodsResponse,
    handler: async ({ signedIn }) => {
      return parts.listSignInMethods(signedIn.user.id)
    },
  })

  routes.delete('/identities/:id', {
    response: SuccessResponse,
    handler: async (request) => {
      const actor = readAuditActor(request)
      await parts.unlinkIdentity(request.signedIn.user.id, request.params.id, actor)
    },
  })
}
