import type { Passkeys } from '../../../accounts/sign-in/passkeys.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineConsoleRoutes, defineSignInRoutes } from '../../pipeline/define-routes.ts'
import { readAuditActor, readSignInClient } from '../../pipeline/access/caller.ts'
import {
  identifyBrowser,
  readSignInCookie,
  setStartedSessionCookies,
  type SessionCookieOptions,
} from '../../pipeline/access/session-cookie.ts'
import { SignedInResponse } from '../../shapes/account.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  AddPasskeyBody,
  PasskeyOptionsResponse,
  PasskeyResponse,
  PasskeySignInBody,
} from '../../shapes/sign-in-methods.ts'

type Parts = { passkeys: Passkeys; cookies: SessionCookieOptions }

/** Passkeys of the signed-in user, and sign-in with a passkey. */
export function passkeyRoutes(app: FastifyApp, { passkeys, cookies }: Parts): void {
  const routes = defineConsoleRoutes(app)
  const signIn = defineSignInRoutes(app)

  routes.post('/passkeys/options', {
    response: PasskeyOptionsResponse,
    handler: async (request, reply) => {
      const browser = identifyBrowser(request, reply, cookies)
      return { options: { ...(await passkeys.startRegistration(request.signedIn, browser)) } }
    },
  })

  routes.post('/passkeys', {
    body: AddPasskeyBody,
    status: 201,
    response: PasskeyResponse,
    handler: async (request) => {
      const passkey = await passkeys.finishRegistration(
        request.signedIn,
        request.body,
        readSignInCookie(request, cookies),
        readAuditActor(request),
      )
      return { passkey }
    },
  })

  routes.delete('/passkeys/:id', {
    response: SuccessResponse,
    handler: async (request) => {
      const actor = readAuditActor(request)
      await passkeys.remove(request.signedIn.user.id, request.params.id, actor)
    },
  })

  signIn.post('/sign-in/passkey/options', {
    response: PasskeyOptionsResponse,
    handler: async (request, reply) => {
      const browser = identifyBrowser(request, reply, cookies)
      const client = readSignInClient(request, cookies)
      return { options: { ...(await passkeys.startSignIn(browser, client)) } }
    },
  })

  signIn.post('/sign-in/passkey', {
    body: PasskeySignInBody,
    response: SignedInResponse,
    handler: async (request, reply) => {
      const browser = readSignInCookie(request, cookies)
      const client = readSignInClient(request, cookies)
      const started = await passkeys.signIn(request.body.response, browser, client)
      setStartedSessionCookies(reply, cookies, started)
      return { user: started.user, csrfToken: started.csrfToken }
    },
  })
}
