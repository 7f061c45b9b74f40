import type { Invitations } from '../../accounts/invitations.ts'
import type { RemoveUser } from '../../accounts/removal.ts'
import type { Tokens } from '../../accounts/tokens.ts'
import type { Users } from '../../accounts/users.ts'
import {
  CreatedInvitationAnswer,
  DoneAnswer,
  InviteBody,
  PeopleAnswer,
  RemovedUserAnswer,
  RemoveUserQuery,
} from '../shapes/account.ts'
import type { App } from '../type-provider.ts'
import { IdParams } from './account.ts'
import { actorOf } from './sign-in.ts'

type Parts = {
  users: Users
  removeUser: RemoveUser
  invitations: Invitations
  tokens: Tokens
  baseUrl: () => string
}

/** Who is in the team: for admins. */
export function peopleRoutes(app: App, parts: Parts): void {
  const { users, removeUser, invitations, tokens, baseUrl } = parts
  const config = { access: 'admin' } as const

  app.get('/web/people', { config, schema: { response: { 200: PeopleAnswer } } }, async () => {
    const live = await tokens.countLive()
    const list = await users.list()
    return {
      users: list.map((user) => ({ ...user, liveTokens: live.get(user.id) ?? 0 })),
      invitations: await invitations.list(),
    }
  })

  app.post(
    '/web/invitations',
    { config, schema: { body: InviteBody, response: { 201: CreatedInvitationAnswer } } },
    async (request, reply) => {
      const { email = null, role } = request.body
      const createdBy = request.signedIn?.user.id ?? null
      const { invitation, code } = await invitations.create(
        { email, role, createdBy },
        actorOf(request),
      )
      return reply.code(201).send({ invitation, link: `${baseUrl()}/invite#${code}` })
    },
  )

  app.delete(
    '/web/invitations/:id',
    { config, schema: { params: IdParams, response: { 200: DoneAnswer } } },
    async (request) => {
      await invitations.withdraw(request.params.id, actorOf(request))
      return { success: true as const }
    },
  )

  app.delete(
    '/web/users/:id',
    {
      config,
      schema: {
        params: IdParams,
        querystring: RemoveUserQuery,
        response: { 200: RemovedUserAnswer },
      },
    },
    async (request) => {
      const removal = { revokesTokens: request.query.tokens === 'revoke' }
      const removed = await removeUser(request.params.id, removal, actorOf(request))
      return { success: true as const, ...removed }
    },
  )
}
