import type { ApiTokens } from '../../../accounts/tokens/tokens.ts'
import type { Invitations } from '../../../accounts/users/invitations.ts'
import type { PasswordResets } from '../../../accounts/users/password-resets.ts'
import type { ChangeUser, RemoveUser } from '../../../accounts/users/user-changes.ts'
import type { Users } from '../../../accounts/users/users.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { readSignedInUserAuditActor } from '../../pipeline/access/caller.ts'
import {
  CreatedInvitationResponse,
  ChangeUserBody,
  ChangedUserResponse,
  CreatedResetLinkResponse,
  InviteBody,
  UsersAndInvitationsResponse,
  RemovedUserResponse,
  RemoveUserQuery,
} from '../../shapes/account.ts'
import { IdParams, SuccessResponse } from '../../shapes/common.ts'

type Parts = {
  users: Users
  removeUser: RemoveUser
  changeUser: ChangeUser
  resets: PasswordResets
  invitations: Invitations
  tokens: ApiTokens
  baseUrl: () => string
  /** True if links are mailed too. */
  hasMail: boolean
}

/** Users and invitations, for admins. */
export function userRoutes(app: FastifyApp, parts: Parts): void {
  const { users, removeUser, invitations, tokens, baseUrl, hasMail } = parts
  const config = { access: 'admin', subject: 'instance' } as const

  app.get(
    '/web/people',
    { config, schema: { response: { 200: UsersAndInvitationsResponse } } },
    async () => {
      const activeTokens = await tokens.countActive()
      const serviceTokens = await tokens.countActive('service')
      const list = await users.list()
      return {
        users: list.map((user) => ({
          ...user,
          liveTokens: activeTokens.get(user.id) ?? 0,
          liveServiceTokens: serviceTokens.get(user.id) ?? 0,
        })),
        invitations: await invitations.list(),
      }
    },
  )

  app.post(
    '/web/invitations',
    { config, schema: { body: InviteBody, response: { 201: CreatedInvitationResponse } } },
    async (request, reply) => {
      const { email = null, role } = request.body
      const createdBy = request.signedIn?.user.id ?? null
      const { invitation, code } = await invitations.create(
        { email, role, creatorId: createdBy },
        readSignedInUserAuditActor(request),
      )
      const isMailed = hasMail && email !== null
      const link = `${baseUrl()}/invite#${code}`
      return reply.code(201).send({ invitation, link, isMailed })
    },
  )

  app.delete(
    '/web/invitations/:id',
    { config, schema: { params: IdParams, response: { 200: SuccessResponse } } },
    async (request) => {
      await invitations.withdraw(request.params.id, readSignedInUserAuditActor(request))
      return { success: true as const }
    },
  )

  userChangeRoutes(app, parts)

  app.delete(
    '/web/users/:id',
    {
      config,
      schema: {
        params: IdParams,
        querystring: RemoveUserQuery,
        response: { 200: RemovedUserResponse },
      },
    },
    async (request) => {
      const { tokens: tokenChoice, newOwner: newOwnerId } = request.query
      const removal = { revokesTokens: tokenChoice === 'revoke', newOwnerId }
      const removed = await removeUser(
        request.params.id,
        removal,
        readSignedInUserAuditActor(request),
      )
      return { success: true as const, ...removed }
    },
  )
}

/** Role, email address and password reset links of other users. */
function userChangeRoutes(app: FastifyApp, { changeUser, resets, baseUrl, hasMail }: Parts): void {
  const config = { access: 'admin', subject: 'instance' } as const

  app.put(
    '/web/users/:id',
    {
      config,
      schema: { params: IdParams, body: ChangeUserBody, response: { 200: ChangedUserResponse } },
    },
    async (request) => {
      const { tokens: tokenChoice, ...changes } = request.body
      return changeUser(
        request.params.id,
        { ...changes, revokesTokens: tokenChoice === 'revoke' },
        readSignedInUserAuditActor(request),
      )
    },
  )

  app.post(
    '/web/users/:id/reset-link',
    { config, schema: { params: IdParams, response: { 201: CreatedResetLinkResponse } } },
    async (request, reply) => {
      const { code, expiresAt } = await resets.create(
        { userId: request.params.id, creatorId: request.signedIn?.user.id ?? null },
        readSignedInUserAuditActor(request),
      )
      const link = `${baseUrl()}/reset#${code}`
      return reply.code(201).send({ link, expiresAt, isMailed: hasMail })
    },
  )
}
