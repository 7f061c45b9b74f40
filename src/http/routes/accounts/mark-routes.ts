import { strict as assert } from 'node:assert'
import type { UserMarks } from '../../../accounts/users/marks.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import { MarkParams, MarksResponse } from '../../shapes/marks.ts'

/** What the console remembers for the signed-in user. */
export function markRoutes(app: FastifyApp, { marks }: { marks: UserMarks }): void {
  const config = { access: 'session', subject: 'own' } as const
  const schema = { params: MarkParams, response: { 200: SuccessResponse } }

  app.get(
    '/web/marks',
    { config, schema: { response: { 200: MarksResponse } } },
    async ({ signedIn }) => {
      assert(signedIn)
      return { marks: await marks.list(signedIn.user.id) }
    },
  )

  app.put('/web/marks/:kind/:key', { config, schema }, async ({ signedIn, params }) => {
    assert(signedIn)
    await marks.set(signedIn.user.id, params.kind, params.key)
    return { success: true as const }
  })

  app.delete('/web/marks/:kind/:key', { config, schema }, async ({ signedIn, params }) => {
    assert(signedIn)
    await marks.remove(signedIn.user.id, params.kind, params.key)
    return { success: true as const }
  })
}
