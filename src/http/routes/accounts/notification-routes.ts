import { strict as assert } from 'node:assert'
import type { MailArea } from '../../../mail/area.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { readSignedInUserAuditActor } from '../../pipeline/access/caller.ts'
import { NotificationsBody, NotificationsResponse } from '../../shapes/mail.ts'

/** Which mail the signed-in user wants. */
export function notificationRoutes(app: FastifyApp, { mail }: { mail: MailArea }): void {
  const config = { access: 'session', subject: 'own' } as const

  app.get(
    '/web/notifications',
    { config, schema: { response: { 200: NotificationsResponse } } },
    async ({ signedIn }) => {
      assert(signedIn)
      return { recapMail: await mail.readChoice(signedIn.user.id) }
    },
  )

  app.put(
    '/web/notifications',
    { config, schema: { body: NotificationsBody, response: { 200: NotificationsResponse } } },
    async (request) => {
      assert(request.signedIn)
      const { recapMail } = request.body
      const actor = readSignedInUserAuditActor(request)
      await mail.changeChoice(request.signedIn.user.id, recapMail, actor)
      return { recapMail }
    },
  )
}
