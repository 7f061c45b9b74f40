import type { ApiTokens } from '../../../accounts/tokens/tokens.ts'
import type { Invitations } from '../../../accounts/users/invitations.ts'
import type { PasswordResets } from '../../../accounts/users/password-resets.ts'
import type { ChangeUser, RemoveUser } from '../../../accounts/users/user-changes.ts'
import type { Users } from '../../../accounts/users/users.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { ADMIN_RULE } from '../../pipeline/access/api-surfaces.ts'
import { defineConsoleRoutes } from '../../pipeline/define-routes.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
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
import { SuccessResponse } from '../../shapes/common.ts'

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
export function userRoutes(
  app: FastifyApp,
  { users, removeUser, invitations, tokens, baseUrl, hasMail, changeUser, resets }: Parts,
): void {
  const routes = defineConsoleRoutes(app, ADMIN_RULE)

  routes.get('/people', {
    response: UsersAndInvitationsResponse,
    handler: async () => {
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
  })

  routes.post('/invitations', {
    body: InviteBody,
    status: 201,
    response: CreatedInvitationResponse,
    handler: async (request) => {
      const { email = null, role } = request.body
      const createdBy = request.signedIn.user.id
      const { invitation, code } = await invitations.create(
        { email, role, creatorId: createdBy },
        readAuditActor(request),
      )
      const isMailed = hasMail && email !== null
      const link = `${baseUrl()}/invite#${code}`
      return { invitation, link, isMailed }
    },
  })

  routes.delete('/invitations/:id', {
    response: SuccessResponse,
    handler: async (request) => {
      await invitations.withdraw(request.params.id, readAuditActor(request))
    },
  })

  routes.put('/users/:id', {
    body: ChangeUserBody,
    response: ChangedUserResponse,
    handler: async (request) => {
      const { tokens: tokenChoice, ...changes } = request.body
      return changeUser(
        request.params.id,
        { ...changes, revokesTokens: tokenChoice === 'revoke' },
        readAuditActor(request),
      )
    },
  })

  routes.post('/users/:id/reset-link', {
    status: 201,
    response: CreatedResetLinkResponse,
    handler: async (request) => {
      const { code, expiresAt } = await resets.create(
        { userId: request.params.id, creatorId: request.signedIn.user.id },
        readAuditActor(request),
      )
      const link = `${baseUrl()}/reset#${code}`
      return { link, expiresAt, isMailed: hasMail }
    },
  })

  routes.delete('/users/:id', {
    query: RemoveUserQuery,
    response: RemovedUserResponse,
    handler: async (request) => {
      const { tokens: tokenChoice, newOwner: newOwnerId } = request.query
      const removal = { revokesTokens: tokenChoice === 'revoke', newOwnerId }
      const removed = await removeUser(request.params.id, removal, readAuditActor(request))
      return { success: true as const, ...removed }
    },
  })
}
