import { strict as assert } from 'node:assert'
import type { MailArea } from '../../../mail/area.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import type { AdminSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor, readSignedInUserAuditActor } from '../../pipeline/access/caller.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import { MailParams, MailQuery, MailResponse, MailStatusResponse } from '../../shapes/mail.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

const tags = ['Account']
const WHO_MAY =
  'Needs a key that is not restricted to scopes or projects: a service token, or a personal token of an admin.'

/** What was mailed to whom, for admins and for programs with an admin's key. */
export function mailRoutes(
  app: FastifyApp,
  surface: AdminSurface,
  { mail }: { mail: MailArea },
): void {
  const config = { ...surface.read, errorCodes: ['admin_key_needed' as const] }

  app.get(
    `${surface.prefix}/mail`,
    {
      config,
      schema: {
        summary: 'Mail that waits and mail that was sent, newest first',
        description: `To whom, and what the mail server answered. What a mail is about is not part of it. ${WHO_MAY}`,
        tags,
        querystring: MailQuery,
        response: { 200: MailResponse },
      },
    },
    async (request) => {
      const { limit, cursor, ...filter } = request.query
      const { items, nextCursor } = await mail.list(filter, resolvePageSize(limit), cursor)
      const mails = items.map(({ address, ...rest }) => ({ ...rest, email: address }))
      return { mails, nextCursor }
    },
  )

  app.get(
    `${surface.prefix}/mail/status`,
    {
      config,
      schema: {
        summary: 'The mail server, and how many mails are in each state',
        description: WHO_MAY,
        tags,
        response: { 200: MailStatusResponse },
      },
    },
    async () => mail.status(),
  )

  app.post(
    `${surface.prefix}/mail/:mailId/retry`,
    {
      config: {
        ...surface.read,
        errorCodes: ['admin_key_needed', 'mail_not_found', 'mail_not_retryable', 'mail_off'],
      },
      schema: {
        summary: 'Send a mail again that failed or waits',
        description: `It is sent now, if its recipient may still get it. A mail that waits is not sent twice. ${WHO_MAY}`,
        tags,
        params: MailParams,
        response: { 202: SuccessResponse },
      },
    },
    async (request, reply) => {
      await mail.retry(request.params.mailId, readAuditActor(request))
      return reply.code(202).send({ success: true as const })
    },
  )
}

/** Sends a test mail to the admin who asks for it. */
export function sendTestMailRoute(app: FastifyApp, { mail }: { mail: MailArea }): void {
  app.post(
    '/web/mail/test',
    {
      config: { access: 'admin', subject: 'instance' },
      schema: { response: { 202: SuccessResponse } },
    },
    async (request, reply) => {
      assert(request.signedIn)
      await mail.sendTest(request.signedIn.user.id, readSignedInUserAuditActor(request))
      return reply.code(202).send({ success: true as const })
    },
  )
}
