import { strict as assert } from 'node:assert'
import type { UserNotices } from '../../../accounts/users/notices.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { NoticeParams, NoticesResponse } from '../../shapes/account.ts'
import { SuccessResponse } from '../../shapes/common.ts'

/** What the signed-in user is told after an upgrade, until they dismiss it. */
export function noticeRoutes(app: FastifyApp, { notices }: { notices: UserNotices }): void {
  const config = { access: 'session', subject: 'own' } as const

  app.get(
    '/web/notices',
    { config, schema: { response: { 200: NoticesResponse } } },
    async ({ signedIn }) => {
      assert(signedIn)
      return { notices: await notices.list(signedIn.user.id) }
    },
  )

  app.delete(
    '/web/notices/:notice',
    { config, schema: { params: NoticeParams, response: { 200: SuccessResponse } } },
    async (request) => {
      assert(request.signedIn)
      await notices.dismiss(request.signedIn.user.id, request.params.notice)
      return { success: true as const }
    },
  )
}
