import { strict as assert } from 'node:assert'
import type { FastifyReply } from 'fastify'
import type { Accounts, StartedSession } from '../../../accounts/accounts.ts'
import type { Invitations } from '../../../accounts/users/invitations.ts'
import type { Sessions } from '../../../accounts/sign-in/sessions.ts'
import type { Users } from '../../../accounts/users/users.ts'
import {
  clearSessionCookie,
  readSessionCookie,
  setKnownDeviceCookie,
  setSessionCookie,
  type SessionCookieOptions,
} from '../../pipeline/access/session-cookie.ts'
import {
  AcceptInvitationBody,
  InvitationResponse,
  InvitationCodeBody,
  SetupBody,
  SignedInResponse,
  SignInBody,
  ConsoleStateResponse,
} from '../../shapes/account.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import { readSignedInUserAuditActor, readSignInClient } from '../../pipeline/access/caller.ts'

type Parts = {
  version: string
  accounts: Accounts
  users: Users
  sessions: Sessions
  invitations: Invitations
  cookies: SessionCookieOptions
}

/** Set-up, sign-in, invitations and sign-out. */
export function signInRoutes(app: FastifyApp, parts: Parts): void {
  const { version, accounts, users, sessions, invitations, cookies } = parts
  const sameSite = { access: 'same_site' } as const

  const startSession = (reply: FastifyReply, started: StartedSession) => {
    const { user, secret, csrfToken, knownDeviceToken } = started
    setSessionCookie(reply, cookies, secret)
    setKnownDeviceCookie(reply, cookies, knownDeviceToken)
    return { user, csrfToken }
  }

  app.get(
    '/web/state',
    { config: { access: 'open' }, schema: { response: { 200: ConsoleStateResponse } } },
    async (request) => {
      const secret = readSessionCookie(request, cookies)
      const signedIn = secret === null ? null : await sessions.find(secret)
      return {
        version,
        setupNeeded: signedIn === null && (await users.count()) === 0,
        user: signedIn?.user ?? null,
        csrfToken: signedIn?.csrfToken ?? null,
      }
    },
  )

  app.post(
    '/web/setup',
    { config: sameSite, schema: { body: SetupBody, response: { 201: SignedInResponse } } },
    async (request, reply) => {
      const { code, ...person } = request.body
      const session = await accounts.redeemSetupLink(
        code,
        person,
        readSignInClient(request, cookies),
      )
      return reply.code(201).send(startSession(reply, session))
    },
  )

  app.post(
    '/web/sign-in',
    { config: sameSite, schema: { body: SignInBody, response: { 200: SignedInResponse } } },
    async (request, reply) =>
      startSession(reply, await accounts.signIn(request.body, readSignInClient(request, cookies))),
  )

  app.post(
    '/web/invitation/check',
    {
      config: sameSite,
      schema: { body: InvitationCodeBody, response: { 200: InvitationResponse } },
    },
    async (request) => ({ invitation: await invitations.check(request.body.code) }),
  )

  app.post(
    '/web/invitation/accept',
    {
      config: sameSite,
      schema: { body: AcceptInvitationBody, response: { 201: SignedInResponse } },
    },
    async (request, reply) => {
      const { code, ...person } = request.body
      const session = await accounts.acceptInvitation(
        code,
        person,
        readSignInClient(request, cookies),
      )
      return reply.code(201).send(startSession(reply, session))
    },
  )

  app.post(
    '/web/sign-out',
    { config: { access: 'session' }, schema: { response: { 200: SuccessResponse } } },
    async (request, reply) => {
      assert(request.signedIn)
      await sessions.signOut(request.signedIn, readSignedInUserAuditActor(request))
      clearSessionCookie(reply, cookies)
      return { success: true as const }
    },
  )
}
