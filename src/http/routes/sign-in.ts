import { strict as assert } from 'node:assert'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Accounts, Entrance } from '../../accounts/accounts.ts'
import type { Invitations } from '../../accounts/invitations.ts'
import type { Sessions, Visitor } from '../../accounts/sessions.ts'
import type { Users } from '../../accounts/users.ts'
import {
  clearSessionCookie,
  readSessionCookie,
  setSessionCookie,
  type CookieRules,
} from '../cookies.ts'
import {
  AcceptInvitationBody,
  DoneAnswer,
  InvitationAnswer,
  InvitationCodeBody,
  SetupBody,
  SignedInAnswer,
  SignInBody,
  StateAnswer,
} from '../shapes/account.ts'
import type { App } from '../type-provider.ts'
import { clientIp } from '../client-ip.ts'

type Parts = {
  version: string
  accounts: Accounts
  users: Users
  sessions: Sessions
  invitations: Invitations
  cookies: CookieRules
}

/** The way in: set-up, sign-in, invitation, and out again. */
export function signInRoutes(app: App, parts: Parts): void {
  const { version, accounts, users, sessions, invitations, cookies } = parts
  const page = { access: 'page' } as const

  const letIn = (reply: FastifyReply, { user, secret, csrfToken }: Entrance) => {
    setSessionCookie(reply, cookies, secret)
    return { user, csrfToken }
  }

  app.get(
    '/web/state',
    { config: { access: 'open' }, schema: { response: { 200: StateAnswer } } },
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
    { config: page, schema: { body: SetupBody, response: { 201: SignedInAnswer } } },
    async (request, reply) => {
      const { code, ...person } = request.body
      const entrance = await accounts.setUp(code, person, visitorOf(request))
      return reply.code(201).send(letIn(reply, entrance))
    },
  )

  app.post(
    '/web/sign-in',
    { config: page, schema: { body: SignInBody, response: { 200: SignedInAnswer } } },
    async (request, reply) => letIn(reply, await accounts.signIn(request.body, visitorOf(request))),
  )

  app.post(
    '/web/invitation/check',
    { config: page, schema: { body: InvitationCodeBody, response: { 200: InvitationAnswer } } },
    async (request) => ({ invitation: await invitations.check(request.body.code) }),
  )

  app.post(
    '/web/invitation/accept',
    { config: page, schema: { body: AcceptInvitationBody, response: { 201: SignedInAnswer } } },
    async (request, reply) => {
      const { code, ...person } = request.body
      const entrance = await accounts.accept(code, person, visitorOf(request))
      return reply.code(201).send(letIn(reply, entrance))
    },
  )

  app.post(
    '/web/sign-out',
    { config: { access: 'session' }, schema: { response: { 200: DoneAnswer } } },
    async (request, reply) => {
      assert(request.signedIn)
      await sessions.signOut(request.signedIn, actorOf(request))
      clearSessionCookie(reply, cookies)
      return { success: true as const }
    },
  )
}

export function visitorOf(request: FastifyRequest): Visitor {
  return { ip: clientIp(request), userAgent: request.headers['user-agent'] ?? '' }
}

export function actorOf(request: FastifyRequest): { name: string; ip: string } {
  return { name: `user:${request.signedIn?.user.id}`, ip: clientIp(request) }
}
