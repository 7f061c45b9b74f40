import { strict as assert } from 'node:assert'
import type { MailArea } from '../../../mail/area.ts'
import { canonicalTimeZone } from '../../../lib/time/time-zone-name.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { readSignedInUserAuditActor } from '../../pipeline/access/caller.ts'
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
      const { recapMail: recaps, digest, briefMinutes } = request.body
      const change = { recaps, digest: digest && normalizeTimeZone(digest), briefMinutes }
      await mail.changeChoice(userId, change, readSignedInUserAuditActor(request))
      return readNotifications(mail, userId)
    },
  )

  app.post(
    '/web/notifications/feed',
    {
      config,
      schema: { body: CreateDigestFeedBody, response: { 201: CreatedDigestFeedResponse } },
    },
    async (request, reply) => {
      assert(request.signedIn)
      const { timeZone } = normalizeTimeZone(request.body)
      const actor = readSignedInUserAuditActor(request)
      const secret = await mail.feeds.create(request.signedIn.user.id, timeZone, actor)
      return reply.code(201).send({ url: `${baseUrl()}/feeds/digest/${secret}` })
    },
  )

  app.delete(
    '/web/notifications/feed',
    { config, schema: { response: { 200: NotificationsResponse } } },
    async (request) => {
      assert(request.signedIn)
      const { id } = request.signedIn.user
      await mail.feeds.remove(id, readSignedInUserAuditActor(request))
      return readNotifications(mail, id)
    },
  )
}

async function readNotifications(mail: MailArea, userId: string) {
  const { recaps, digest, briefMinutes } = await mail.readChoice(userId)
  const createdAt = await mail.feeds.findCreationTime(userId)
  return { recapMail: recaps, digest, briefMinutes, feed: createdAt && { createdAt } }
}

function normalizeTimeZone<Body extends { timeZone: string }>(body: Body): Body {
  return { ...body, timeZone: canonicalTimeZone(body.timeZone) ?? body.timeZone }
}
