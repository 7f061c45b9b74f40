import type { MailArea } from '../../../mail/area.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes, defineConsoleRoutes } from '../../pipeline/define-routes.ts'
import { ADMIN_RULE, type ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import { MailQuery, MailResponse, MailStatusResponse } from '../../shapes/mail.ts'
import { resolvePageSize } from '../../shapes/query-parameters.ts'

const WHO_MAY =
  'Needs a key that is not restricted to scopes or projects: a service token, or a personal token of an admin.'

/** What was mailed to whom, for admins and for programs with an admin's key. */
export function mailRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { mail }: { mail: MailArea },
): void {
  const routes = defineRoutes(app, surface, 'Account')

  routes.get('/mail', {
    summary: 'Mail that waits and mail that was sent, newest first',
    description: `To whom, and what the mail server answered. What a mail is about is not part of it. ${WHO_MAY}`,
    query: MailQuery,
    response: MailResponse,
    handler: async (request) => {
      const { limit, cursor, ...filter } = request.query
      const { items, nextCursor } = await mail.list(filter, resolvePageSize(limit), cursor)
      const mails = items.map(({ address, ...rest }) => ({ ...rest, email: address }))
      return { mails, nextCursor }
    },
  })

  routes.get('/mail/status', {
    summary: 'The mail server, and how many mails are in each state',
    description: WHO_MAY,
    response: MailStatusResponse,
    handler: async () => mail.status(),
  })

  routes.post('/mail/:mailId/retry', {
    errorCodes: ['mail_not_found', 'mail_not_retryable', 'mail_off'],
    summary: 'Send a mail again that failed or waits',
    description: `It is sent now, if its recipient may still get it. A mail that waits is not sent twice. ${WHO_MAY}`,
    status: 202,
    response: SuccessResponse,
    handler: async (request) => {
      await mail.retry(request.params.mailId, readAuditActor(request))
    },
  })
}

/** Sends a test mail to the admin who asks for it. */
export function sendTestMailRoute(app: FastifyApp, { mail }: { mail: MailArea }): void {
  const routes = defineConsoleRoutes(app, ADMIN_RULE)

  routes.post('/mail/test', {
    status: 202,
    response: SuccessResponse,
    handler: async (request) => {
      await mail.sendTest(request.signedIn.user.id, readAuditActor(request))
    },
  })
}
