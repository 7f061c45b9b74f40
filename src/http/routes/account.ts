import { strict as assert } from 'node:assert'
import { z } from 'zod'
import type { Accounts } from '../../accounts/accounts.ts'
import type { SecretRotation } from '../../accounts/secret-rotation.ts'
import type { Sessions, SignedIn } from '../../accounts/sessions.ts'
import type { Tokens } from '../../accounts/tokens.ts'
import type { Users } from '../../accounts/users.ts'
import { setSessionCookie, type CookieRules } from '../cookies.ts'
import {
  CreatedTokenAnswer,
  CreateTokenBody,
  DoneAnswer,
  NextSecretAnswer,
  PasswordBody,
  ProfileBody,
  SessionsAnswer,
  SignedInAnswer,
  RevokedTokenAnswer,
  RevokeQuery,
  TokenAnswer,
  TokensAnswer,
  UserAnswer,
} from '../shapes/account.ts'
import type { App } from '../type-provider.ts'
import { actorOf, visitorOf } from './sign-in.ts'

type Parts = {
  accounts: Accounts
  users: Users
  sessions: Sessions
  tokens: Tokens
  rotation: SecretRotation
  cookies: CookieRules
  /** Stops the meetings that were started with a token; answers how many. */
  stopMeetingsOf(tokenId: string): Promise<number>
}

export const IdParams = z.object({ id: z.string().min(1).max(100) })

/** The account area of a signed-in person: profile, tokens, sessions. */
export function accountRoutes(app: App, parts: Parts): void {
  const { accounts, users, sessions, tokens, cookies, stopMeetingsOf } = parts
  const config = { access: 'session' } as const

  app.put(
    '/web/profile',
    { config, schema: { body: ProfileBody, response: { 200: UserAnswer } } },
    async (request) => ({
      user: await users.rename(signedIn(request).user.id, request.body.name, actorOf(request)),
    }),
  )

  app.put(
    '/web/password',
    { config, schema: { body: PasswordBody, response: { 200: SignedInAnswer } } },
    async (request, reply) => {
      const { currentPassword, newPassword } = request.body
      const { secret, user, csrfToken } = await accounts.changePassword(
        signedIn(request),
        currentPassword,
        newPassword,
        visitorOf(request),
      )
      setSessionCookie(reply, cookies, secret)
      return { user, csrfToken }
    },
  )

  app.get('/web/tokens', { config, schema: { response: { 200: TokensAnswer } } }, async () => ({
    tokens: await tokens.list(),
  }))

  app.post(
    '/web/tokens',
    { config, schema: { body: CreateTokenBody, response: { 201: CreatedTokenAnswer } } },
    async (request, reply) => {
      const { name, scopes = null, expiresAt = null } = request.body
      const createdBy = signedIn(request).user.id
      const created = await tokens.create({ name, scopes, expiresAt, createdBy }, actorOf(request))
      return reply.code(201).send(created)
    },
  )

  app.delete(
    '/web/tokens/:id',
    {
      config,
      schema: {
        params: IdParams,
        querystring: RevokeQuery,
        response: { 200: RevokedTokenAnswer },
      },
    },
    async (request) => {
      const token = await tokens.revoke(request.params.id, actorOf(request))
      const stopsMeetings = request.query.meetings === 'stop'
      return { token, stoppedMeetings: stopsMeetings ? await stopMeetingsOf(token.id) : 0 }
    },
  )

  rotationRoutes(app, parts)

  app.get(
    '/web/sessions',
    { config, schema: { response: { 200: SessionsAnswer } } },
    async (request) => {
      const { user, session } = signedIn(request)
      const list = await sessions.list(user.id)
      return { sessions: list.map((row) => ({ ...row, isCurrent: row.id === session.id })) }
    },
  )

  app.delete(
    '/web/sessions/:id',
    { config, schema: { params: IdParams, response: { 200: DoneAnswer } } },
    async (request) => {
      await sessions.end(signedIn(request).user.id, request.params.id, actorOf(request))
      return { success: true as const }
    },
  )

  app.delete(
    '/web/sessions',
    { config, schema: { response: { 200: DoneAnswer } } },
    async (request) => {
      const { user, session } = signedIn(request)
      await sessions.endOthers(user.id, session.id, actorOf(request))
      return { success: true as const }
    },
  )
}

/** Another signing secret for a token, in two steps. */
function rotationRoutes(app: App, { rotation }: Parts): void {
  const config = { access: 'session' } as const

  app.post(
    '/web/tokens/:id/next-secret',
    { config, schema: { params: IdParams, response: { 201: NextSecretAnswer } } },
    async (request, reply) =>
      reply.code(201).send(await rotation.createNext(request.params.id, actorOf(request))),
  )

  app.post(
    '/web/tokens/:id/next-secret/activate',
    { config, schema: { params: IdParams, response: { 200: TokenAnswer } } },
    async (request) => ({ token: await rotation.activate(request.params.id, actorOf(request)) }),
  )

  app.delete(
    '/web/tokens/:id/next-secret',
    { config, schema: { params: IdParams, response: { 200: TokenAnswer } } },
    async (request) => ({ token: await rotation.cancelNext(request.params.id, actorOf(request)) }),
  )
}

function signedIn(request: { signedIn: SignedIn | null }): SignedIn {
  assert(request.signedIn)
  return request.signedIn
}
