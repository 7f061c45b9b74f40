import { strict as assert } from 'node:assert'
import type { Passkeys } from '../../../accounts/sign-in/passkeys.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { readSignedInUserAuditActor, readSignInClient } from '../../pipeline/access/caller.ts'
import {
  identifyBrowser,
  readSignInCookie,
  setStartedSessionCookies,
  type SessionCookieOptions,
} from '../../pipeline/access/session-cookie.ts'
import { SignedInResponse } from '../../shapes/account.ts'
import { IdParams, SuccessResponse } from '../../shapes/common.ts'
import {
  AddPasskeyBody,
  PasskeyOptionsResponse,
  PasskeyResponse,
  PasskeySignInBody,
} from '../../shapes/sign-in-methods.ts'

type Parts = { passkeys: Passkeys; cookies: SessionCookieOptions }

/** Passkeys of the signed-in user, and sign-in with a passkey. */
export function passkeyRoutes(app: FastifyApp, { passkeys, cookies }: Parts): void {
  const session = { access: 'session', subject: 'own' } as const
  const sameSite = { access: 'same_site', subject: 'none' } as const

  app.post(
    '/web/passkeys/options',
    { config: session, schema: { response: { 200: PasskeyOptionsResponse } } },
    async (request, reply) => {
      assert(request.signedIn)
      const browser = identifyBrowser(request, reply, cookies)
      return { options: { ...(await passkeys.startRegistration(request.signedIn, browser)) } }
    },
  )

  app.post(
    '/web/passkeys',
    { config: session, schema: { body: AddPasskeyBody, response: { 201: PasskeyResponse } } },
    async (request, reply) => {
      assert(request.signedIn)
      const passkey = await passkeys.finishRegistration(
        request.signedIn,
        request.body,
        readSignInCookie(request, cookies),
        readSignedInUserAuditActor(request),
      )
      return reply.code(201).send({ passkey })
    },
  )

  app.delete(
    '/web/passkeys/:id',
    { config: session, schema: { params: IdParams, response: { 200: SuccessResponse } } },
    async (request) => {
      assert(request.signedIn)
      const actor = readSignedInUserAuditActor(request)
      await passkeys.remove(request.signedIn.user.id, request.params.id, actor)
      return { success: true as const }
    },
  )

  app.post(
    '/web/sign-in/passkey/options',
    { config: sameSite, schema: { response: { 200: PasskeyOptionsResponse } } },
    async (request, reply) => {
      const browser = identifyBrowser(request, reply, cookies)
      const client = readSignInClient(request, cookies)
      return { options: { ...(await passkeys.startSignIn(browser, client)) } }
    },
  )

  app.post(
    '/web/sign-in/passkey',
    { config: sameSite, schema: { body: PasskeySignInBody, response: { 200: SignedInResponse } } },
    async (request, reply) => {
      const browser = readSignInCookie(request, cookies)
      const client = readSignInClient(request, cookies)
      const started = await passkeys.signIn(request.body.response, browser, client)
      setStartedSessionCookies(reply, cookies, started)
      return { user: started.user, csrfToken: started.csrfToken }
    },
  )
}
