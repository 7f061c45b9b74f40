import { strict as assert } from 'node:assert'
import { decideTokenAccess } from '../../../access/rules.ts'
import { requireInstanceAccess } from '../../../access/subjects.ts'
import type { Accounts } from '../../../accounts/accounts.ts'
import type { OAuthArea } from '../../../accounts/area.ts'
import type { Actor } from '../../../accounts/audit.ts'
import { resourceUrl } from '../../../accounts/oauth/server-metadata.ts'
import type { Sessions } from '../../../accounts/sign-in/sessions.ts'
import type { TwoStepSecretRotation } from '../../../accounts/tokens/secret-rotation.ts'
import type { ApiTokens } from '../../../accounts/tokens/tokens.ts'
import type { UserMarks } from '../../../accounts/users/marks.ts'
import type { UserNotices } from '../../../accounts/users/notices.ts'
import type { Users } from '../../../accounts/users/users.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { allowAll, MEETING_SURFACES } from '../../pipeline/access/api-surfaces.ts'
import { defineConsoleRoutes, defineRoutes } from '../../pipeline/define-routes.ts'
import { readAuditActor, readSignInClient } from '../../pipeline/access/caller.ts'
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
import { SuccessResponse } from '../../shapes/common.ts'

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
  const routes = defineConsoleRoutes(app)

  const { accounts, users, tokens, cookies, sessions } = parts

  routes.put('/profile', {
    body: UpdateProfileBody,
    response: UserResponse,
    handler: async (request) => ({
      user: await users.rename(
        request.signedIn.user.id,
        request.body.name,
        readAuditActor(request),
      ),
    }),
  })

  routes.put('/password', {
    body: ChangePasswordBody,
    response: SignedInResponse,
    handler: async (request, reply) => {
      const { currentPassword, newPassword } = request.body
      const { secret, user, csrfToken } = await accounts.changePassword(
        request.signedIn,
        currentPassword,
        newPassword,
        readSignInClient(request, cookies),
      )
      setSessionCookie(reply, cookies, secret)
      return { user, csrfToken }
    },
  })

  routes.get('/tokens', {
    subject: 'list',
    response: TokensResponse,
    handler: async (request) => {
      const viewer = request.viewer
      return {
        tokens: (await tokens.list()).filter(
          (token) => decideTokenAccess(viewer, token, 'manage') === 'allowed',
        ),
        assistantAddress: parts.oauth && resourceUrl(parts.oauth.server, 'mcp'),
      }
    },
  })

  routes.post('/tokens', {
    body: CreateTokenBody,
    status: 201,
    response: CreatedTokenResponse,
    handler: async (request) => {
      const { name, scopes = null, expiresAt = null, kind = 'personal', projects } = request.body
      if (kind === 'service') requireInstanceAccess(request.viewer, 'create_service_token')
      const { user, session } = request.signedIn
      return tokens.create(
        { name, scopes, expiresAt, kind, projects, creatorId: user.id, session },
        readAuditActor(request),
      )
    },
  })

  routes.delete('/tokens/:id', {
    subject: TOKEN_SUBJECT,
    query: RevokeTokenQuery,
    response: RevokedTokenResponse,
    handler: async (request) => {
      const actor = readAuditActor(request)
      const token = await tokens.revoke(request.params.id, actor)
      const stopsMeetings = request.query.meetings === 'stop'
      return {
        token,
        stoppedMeetings: stopsMeetings ? await parts.stopMeetingsOf(token.id, actor) : 0,
        cancelledMeetings: await parts.cancelMeetingsOf(token.id, actor),
      }
    },
  })

  secretRotationRoutes(app, parts)
  routes.get('/sessions', {
    response: SessionsResponse,
    handler: async (request) => {
      const { user, session } = request.signedIn
      const list = await sessions.list(user.id)
      return { sessions: list.map((row) => ({ ...row, isCurrent: row.id === session.id })) }
    },
  })

  routes.delete('/sessions/:id', {
    response: SuccessResponse,
    handler: async (request) => {
      await sessions.end(request.signedIn.user.id, request.params.id, readAuditActor(request))
    },
  })

  routes.delete('/sessions', {
    response: SuccessResponse,
    handler: async (request) => {
      const { user, session } = request.signedIn
      await sessions.endOthers(user.id, session.id, readAuditActor(request))
    },
  })
}

/** Rotates a token's signing secret in two steps: create the next secret, then activate it. */
function secretRotationRoutes(app: FastifyApp, { rotation }: Parts): void {
  const routes = defineConsoleRoutes(app, { access: 'session', subject: TOKEN_SUBJECT })

  routes.post('/tokens/:id/next-secret', {
    status: 201,
    response: NextSigningSecretResponse,
    handler: (request) => rotation.createNext(request.params.id, readAuditActor(request)),
  })

  routes.post('/tokens/:id/next-secret/activate', {
    response: TokenResponse,
    handler: async (request) => ({
      token: await rotation.activate(request.params.id, readAuditActor(request)),
    }),
  })

  routes.delete('/tokens/:id/next-secret', {
    response: TokenResponse,
    handler: async (request) => ({
      token: await rotation.cancelNext(request.params.id, readAuditActor(request)),
    }),
  })
}

/** What the console remembers for the signed-in user. */
export function markRoutes(app: FastifyApp, { marks }: { marks: UserMarks }): void {
  const routes = defineConsoleRoutes(app)

  routes.get('/marks', {
    response: MarksResponse,
    handler: async ({ signedIn }) => {
      return { marks: await marks.list(signedIn.user.id) }
    },
  })

  routes.put('/marks/:kind/:key', {
    params: MarkParams,
    response: SuccessResponse,
    handler: async ({ signedIn, params }) => {
      await marks.set(signedIn.user.id, params.kind, params.key)
    },
  })

  routes.delete('/marks/:kind/:key', {
    params: MarkParams,
    response: SuccessResponse,
    handler: async ({ signedIn, params }) => {
      await marks.remove(signedIn.user.id, params.kind, params.key)
    },
  })
}

/** Notices for the signed-in user after an upgrade, until they dismiss them. */
export function noticeRoutes(app: FastifyApp, { notices }: { notices: UserNotices }): void {
  const routes = defineConsoleRoutes(app)

  routes.get('/notices', {
    response: NoticesResponse,
    handler: async ({ signedIn }) => {
      return { notices: await notices.list(signedIn.user.id) }
    },
  })

  routes.delete('/notices/:notice', {
    params: NoticeParams,
    response: SuccessResponse,
    handler: async (request) => {
      await notices.dismiss(request.signedIn.user.id, request.params.notice)
    },
  })
}

/** Lets a program read the token of its API key. */
export function currentTokenRoute(app: FastifyApp, { tokens }: { tokens: ApiTokens }): void {
  // Every key may read its own token, whatever its scopes.
  const routes = defineRoutes(
    app,
    { ...MEETING_SURFACES.publicApi, ...allowAll({ access: 'key' }) },
    'Account',
  )

  routes.get('/token', {
    subject: 'own',
    summary: 'The token of this API key',
    description: 'Shows whether the key is valid, its permissions and when it expires.',
    response: TokenResponse,
    handler: async (request) => {
      assert(request.token)
      return { token: await tokens.get(request.token.id) }
    },
  })
}
