import type { Invitations } from '../../accounts/invitations.ts'
import type { Users } from '../../accounts/users.ts'
import { CreatedInvitationAnswer, DoneAnswer, InviteBody, PeopleAnswer } from '../shapes/account.ts'
import type { App } from '../type-provider.ts'
import { IdParams } from './account.ts'
import { actorOf } from './sign-in.ts'

type Parts = { users: Users; invitations: Invitations; baseUrl: () => string }

/** Who is in the team: for admins. */
export function peopleRoutes(app: App, { users, invitations, baseUrl }: Parts): void {
  const config = { access: 'admin' } as const

  app.get('/web/people', { config, schema: { response: { 200: PeopleAnswer } } }, async () => ({
    users: await users.list(),
    invitations: await invitations.list(),
  }))

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
    { config, schema: { params: IdParams, response: { 200: DoneAnswer } } },
    async (request) => {
      await users.remove(request.params.id, actorOf(request))
      return { success: true as const }
    },
  )
}
