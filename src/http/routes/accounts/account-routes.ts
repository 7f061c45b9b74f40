import { strict as assert } from 'node:assert'
import { decideTokenAccess } from '../../../access/rules.ts'
import { requireInstanceAccess } from '../../../access/subjects.ts'
import type { Accounts } from '../../../accounts/accounts.ts'
import type { OAuthArea } from '../../../accounts/area.ts'
import type { Actor } from '../../../accounts/audit.ts'
import { resourceUrl } from '../../../accounts/oauth/server-metadata.ts'
import type { Sessions, AuthenticatedSession } from '../../../accounts/sign-in/sessions.ts'
import type { TwoStepSecretRotation } from '../../../accounts/tokens/secret-rotation.ts'
import type { ApiTokens } from '../../../accounts/tokens/tokens.ts'
import type { UserMarks } from '../../../accounts/users/marks.ts'
import type { UserNotices } from '../../../accounts/users/notices.ts'
import type { Users } from '../../../accounts/users/users.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import {
  readSignedInUserAuditActor,
  readSignInClient,
  requireViewer,
} from '../../pipeline/access/caller.ts'
import {
  setSessionCookie,
  type SessionCookieOptions,
} from '../../pipeline/access/session-cookie.ts'
import { TOKEN_SUBJECT } from '../../pipeline/access/subject-access.ts'
import {
  CreatedTokenResponse,
  CreateTokenBody,
  NextSigningSecretResponse,
  ChangePasswordBody,
  UpdateProfileBody,
  SessionsResponse,
  SignedInResponse,
  RevokedTokenResponse,
  RevokeTokenQuery,
  TokenResponse,
  TokensResponse,
  UserResponse,
  MarkParams,
  MarksResponse,
  NoticeParams,
  NoticesResponse,
} from '../../shapes/account.ts'
import { IdParams, SuccessResponse } from '../../shapes/common.ts'

type Parts = {
  accounts: Accounts
  users: Users
  sessions: Sessions
  tokens: ApiTokens
  oauth: OAuthArea | null
  rotation: TwoStepSecretRotation
  cookies: SessionCookieOptions
  /**
   * Stops the meetings that were started with a token, even in projects that the user may not read. Their bots end with
   * the token, and nothing in the meetings is shown. Returns the number of meetings.
   */
  stopMeetingsOf(tokenId: string, actor: Actor): Promise<number>
  /** Cancels meetings scheduled with a token, because they could not begin without it. Returns their number. */
  cancelMeetingsOf(tokenId: string, actor: Actor): Promise<number>
}

/** Profile, password, tokens and sessions of the signed-in user. */
export function accountRoutes(app: FastifyApp, parts: Parts): void {
  const { accounts, users, tokens, cookies } = parts
  const config = { access: 'session', subject: 'own' } as const

  app.put(
    '/web/profile',
    { config, schema: { body: UpdateProfileBody, response: { 200: UserResponse } } },
    async (request) => ({
      user: await users.rename(
        requireSignedIn(request).user.id,
        request.body.name,
        readSignedInUserAuditActor(request),
      ),
    }),
  )

  app.put(
    '/web/password',
    { config, schema: { body: ChangePasswordBody, response: { 200: SignedInResponse } } },
    async (request, reply) => {
      const { currentPassword, newPassword } = request.body
      const { secret, user, csrfToken } = await accounts.changePassword(
        requireSignedIn(request),
        currentPassword,
        newPassword,
        readSignInClient(request, cookies),
      )
      setSessionCookie(reply, cookies, secret)
      return { user, csrfToken }
    },
  )

  app.get(
    '/web/tokens',
    {
      config: { ...config, subject: 'list' },
      schema: { response: { 200: TokensResponse } },
    },
    async (request) => {
      const viewer = requireViewer(request)
      return {
        tokens: (await tokens.list()).filter(
          (token) => decideTokenAccess(viewer, token, 'manage') === 'allowed',
        ),
        assistantAddress: parts.oauth && resourceUrl(parts.oauth.server, 'mcp'),
      }
    },
  )

  app.post(
    '/web/tokens',
    { config, schema: { body: CreateTokenBody, response: { 201: CreatedTokenResponse } } },
    async (request, reply) => {
      const { name, scopes = null, expiresAt = null, kind = 'personal', projects } = request.body
      if (kind === 'service') requireInstanceAccess(requireViewer(request), 'create_service_token')
      const { user, session } = requireSignedIn(request)
      const created = await tokens.create(
        { name, scopes, expiresAt, kind, projects, creatorId: user.id, session },
        readSignedInUserAuditActor(request),
      )
      return reply.code(201).send(created)
    },
  )

  app.delete(
    '/web/tokens/:id',
    {
      config: { ...config, subject: TOKEN_SUBJECT },
      schema: {
        params: IdParams,
        querystring: RevokeTokenQuery,
        response: { 200: RevokedTokenResponse },
      },
    },
    async (request) => {
      const actor = readSignedInUserAuditActor(request)
      const token = await tokens.revoke(request.params.id, actor)
      const stopsMeetings = request.query.meetings === 'stop'
      return {
        token,
        stoppedMeetings: stopsMeetings ? await parts.stopMeetingsOf(token.id, actor) : 0,
        cancelledMeetings: await parts.cancelMeetingsOf(token.id, actor),
      }
    },
  )

  secretRotationRoutes(app, parts)
  sessionRoutes(app, parts)
}

function sessionRoutes(app: FastifyApp, { sessions }: Parts): void {
  const config = { access: 'session', subject: 'own' } as const

  app.get(
    '/web/sessions',
    { config, schema: { response: { 200: SessionsResponse } } },
    async (request) => {
      const { user, session } = requireSignedIn(request)
      const list = await sessions.list(user.id)
      return { sessions: list.map((row) => ({ ...row, isCurrent: row.id === session.id })) }
    },
  )

  app.delete(
    '/web/sessions/:id',
    { config, schema: { params: IdParams, response: { 200: SuccessResponse } } },
    async (request) => {
      await sessions.end(
        requireSignedIn(request).user.id,
        request.params.id,
        readSignedInUserAuditActor(request),
      )
      return { success: true as const }
    },
  )

  app.delete(
    '/web/sessions',
    { config, schema: { response: { 200: SuccessResponse } } },
    async (request) => {
      const { user, session } = requireSignedIn(request)
      await sessions.endOthers(user.id, session.id, readSignedInUserAuditActor(request))
      return { success: true as const }
    },
  )
}

/** Rotates a token's signing secret in two steps: create the next secret, then activate it. */
function secretRotationRoutes(app: FastifyApp, { rotation }: Parts): void {
  const config = { access: 'session', subject: TOKEN_SUBJECT } as const

  app.post(
    '/web/tokens/:id/next-secret',
    { config, schema: { params: IdParams, response: { 201: NextSigningSecretResponse } } },
    async (request, reply) =>
      reply
        .code(201)
        .send(await rotation.createNext(request.params.id, readSignedInUserAuditActor(request))),
  )

  app.post(
    '/web/tokens/:id/next-secret/activate',
    { config, schema: { params: IdParams, response: { 200: TokenResponse } } },
    async (request) => ({
      token: await rotation.activate(request.params.id, readSignedInUserAuditActor(request)),
    }),
  )

  app.delete(
    '/web/tokens/:id/next-secret',
    { config, schema: { params: IdParams, response: { 200: TokenResponse } } },
    async (request) => ({
      token: await rotation.cancelNext(request.params.id, readSignedInUserAuditActor(request)),
    }),
  )
}

function requireSignedIn(request: { signedIn: AuthenticatedSession | null }): AuthenticatedSession {
  assert(request.signedIn)
  return request.signedIn
}

/** What the console remembers for the signed-in user. */
export function markRoutes(app: FastifyApp, { marks }: { marks: UserMarks }): void {
  const config = { access: 'session', subject: 'own' } as const
  const schema = { params: MarkParams, response: { 200: SuccessResponse } }

  app.get(
    '/web/marks',
    { config, schema: { response: { 200: MarksResponse } } },
    async ({ signedIn }) => {
      assert(signedIn)
      return { marks: await marks.list(signedIn.user.id) }
    },
  )

  app.put('/web/marks/:kind/:key', { config, schema }, async ({ signedIn, params }) => {
    assert(signedIn)
    await marks.set(signedIn.user.id, params.kind, params.key)
    return { success: true as const }
  })

  app.delete('/web/marks/:kind/:key', { config, schema }, async ({ signedIn, params }) => {
    assert(signedIn)
    await marks.remove(signedIn.user.id, params.kind, params.key)
    return { success: true as const }
  })
}

/** Notices for the signed-in user after an upgrade, until they dismiss them. */
export function noticeRoutes(app: FastifyApp, { notices }: { notices: UserNotices }): void {
  const config = { access: 'session', subject: 'own' } as const

  app.get(
    '/web/notices',
    { config, schema: { response: { 200: NoticesResponse } } },
    async ({ signedIn }) => {
      assert(signedIn)
      return { notices: await notices.list(signedIn.user.id) }
    },
  )

  app.delete(
    '/web/notices/:notice',
    { config, schema: { params: NoticeParams, response: { 200: SuccessResponse } } },
    async (request) => {
      assert(request.signedIn)
      await notices.dismiss(request.signedIn.user.id, request.params.notice)
      return { success: true as const }
    },
  )
}

/** Lets a program read the token of its API key. */
export function currentTokenRoute(app: FastifyApp, { tokens }: { tokens: ApiTokens }): void {
  app.get(
    '/api/v1/token',
    {
      config: { access: 'key', subject: 'own' },
      schema: {
        summary: 'The token of this API key',
        description: 'Shows whether the key is valid, its permissions and when it expires.',
        tags: ['Account'],
        response: { 200: TokenResponse },
      },
    },
    async (request) => {
      assert(request.token)
      return { token: await tokens.get(request.token.id) }
    },
  )
}
