import { strict as assert } from 'node:assert'
import type { AccountsArea } from '../../../accounts/area.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { readSignedInUserAuditActor } from '../../pipeline/access/caller.ts'
import { IdParams, SuccessResponse } from '../../shapes/common.ts'
import { SignInMethodsResponse } from '../../shapes/sign-in-methods.ts'

type Parts = Pick<AccountsArea, 'listSignInMethods' | 'unlinkIdentity'>

/** The ways in which the signed-in user can sign in. */
export function signInMethodRoutes(app: FastifyApp, parts: Parts): void {
  const config = { access: 'session', subject: 'own' } as const

  app.get(
    '/web/sign-in-methods',
    { config, schema: { response: { 200: SignInMethodsResponse } } },
    async ({ signedIn }) => {
      assert(signedIn)
      return parts.listSignInMethods(signedIn.user.id)
    },
  )

  app.delete(
    '/web/identities/:id',
    { config, schema: { params: IdParams, response: { 200: SuccessResponse } } },
    async (request) => {
      assert(request.signedIn)
      const actor = readSignedInUserAuditActor(request)
      await parts.unlinkIdentity(request.signedIn.user.id, request.params.id, actor)
      return { success: true as const }
    },
  )
}
