import type { MailArea } from '../../../mail/area.ts'
import { canonicalTimeZone } from '../../../lib/time/time-zone-name.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineConsoleRoutes } from '../../pipeline/define-routes.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import {
  CreatedDigestFeedResponse,
  CreateDigestFeedBody,
  NotificationsBody,
  NotificationsResponse,
} from '../../shapes/mail.ts'

/** Which mail the signed-in user wants. */
export function notificationRoutes(
  app: FastifyApp,
  { mail, baseUrl }: { mail: MailArea; baseUrl(): string },
): void {
  const routes = defineConsoleRoutes(app)

  routes.get('/notifications', {
    response: NotificationsResponse,
    handler: async ({ signedIn }) => {
      return readNotifications(mail, signedIn.user.id)
    },
  })

  routes.put('/notifications', {
    body: NotificationsBody,
    response: NotificationsResponse,
    handler: async (request) => {
      const userId = request.signedIn.user.id
      const { recapMail: recaps, digest, briefMinutes } = request.body
      const change = { recaps, digest: digest && normalizeTimeZone(digest), briefMinutes }
      await mail.changeChoice(userId, change, readAuditActor(request))
      return readNotifications(mail, userId)
    },
  })

  routes.post('/notifications/feed', {
    body: CreateDigestFeedBody,
    status: 201,
    response: CreatedDigestFeedResponse,
    handler: async (request) => {
      const { timeZone } = normalizeTimeZone(request.body)
      const actor = readAuditActor(request)
      const secret = await mail.feeds.create(request.signedIn.user.id, timeZone, actor)
      return { url: `${baseUrl()}/feeds/digest/${secret}` }
    },
  })

  routes.delete('/notifications/feed', {
    response: NotificationsResponse,
    handler: async (request) => {
      const { id } = request.signedIn.user
      await mail.feeds.remove(id, readAuditActor(request))
      return readNotifications(mail, id)
    },
  })
}

async function readNotifications(mail: MailArea, userId: string) {
  const { recaps, digest, briefMinutes } = await mail.readChoice(userId)
  const createdAt = await mail.feeds.findCreationTime(userId)
  return { recapMail: recaps, digest, briefMinutes, feed: createdAt && { createdAt } }
}

function normalizeTimeZone<Body extends { timeZone: string }>(body: Body): Body {
  return { ...body, timeZone: canonicalTimeZone(body.timeZone) ?? body.timeZone }
}
