import { strict as assert } from 'node:assert'
import type { MailArea } from '../../../mail/area.ts'
import { canonicalTimeZone } from '../../../lib/time/time-zone-name.ts'
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
      return readNotifications(mail, signedIn.user.id)
    },
  )

  app.put(
    '/web/notifications',
    { config, schema: { body: NotificationsBody, response: { 200: NotificationsResponse } } },
    async (request) => {
      assert(request.signedIn)
      const userId = request.signedIn.user.id
      const { recapMail: recaps, digest } = request.body
      const change = { recaps, digest: digest && normalizeTimeZone(digest) }
      await mail.changeChoice(userId, change, readSignedInUserAuditActor(request))
      return readNotifications(mail, userId)
    },
  )
}

async function readNotifications(mail: MailArea, userId: string) {
  const { recaps, digest } = await mail.readChoice(userId)
  return { recapMail: recaps, digest }
}

function normalizeTimeZone<T extends { timeZone: string }>(digest: T): T {
  return { ...digest, timeZone: canonicalTimeZone(digest.timeZone) ?? digest.timeZone }
}
