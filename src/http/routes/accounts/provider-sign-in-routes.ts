import { ServiceError } from '../../../errors.ts'
import { parseSameOriginPath } from '../../../lib/net/same-origin-path.ts'
import type {
  FinishedSignIn,
  ProviderSignIn,
} from '../../../accounts/sign-in/provider/provider-sign-in.ts'
import type { Sessions } from '../../../accounts/sign-in/sessions.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineConsoleRoutes, defineSignInRoutes } from '../../pipeline/define-routes.ts'
import { readSignInClient } from '../../pipeline/access/caller.ts'
import {
  identifyBrowser,
  readSessionCookie,
  readSignInCookie,
  readSingleParameters,
  setStartedSessionCookies,
  type SessionCookieOptions,
} from '../../pipeline/access/session-cookie.ts'
import { ProviderPageResponse, StartProviderSignInBody } from '../../shapes/sign-in-methods.ts'

type Parts = {
  providerSignIn: ProviderSignIn | null
  sessions: Sessions
  cookies: SessionCookieOptions
}

/** An origin that does not exist, to check paths with. The service itself can have several addresses. */
const ANY_ORIGIN = 'http://service.invalid'

/** Sign-in with an OpenID provider: the redirect to it, the return from it, and linking an account there. */
export function providerSignInRoutes(app: FastifyApp, parts: Parts): void {
  const routes = defineConsoleRoutes(app)
  const signIn = defineSignInRoutes(app)

  const { providerSignIn, sessions, cookies } = parts

  signIn.post('/sign-in/provider', {
    body: StartProviderSignInBody,
    response: ProviderPageResponse,
    handler: async (request, reply) => {
      const next = parseSameOriginPath(request.body.next, ANY_ORIGIN) ?? '/'
      const browser = identifyBrowser(request, reply, cookies)
      const client = readSignInClient(request, cookies)
      return requireProvider(providerSignIn).start(next, browser, client)
    },
  })

  routes.post('/identities', {
    response: ProviderPageResponse,
    handler: async (request, reply) => {
      const provider = requireProvider(providerSignIn)
      const browser = identifyBrowser(request, reply, cookies)
      return provider.startLink(request.signedIn, browser, readSignInClient(request, cookies))
    },
  })

  // The provider's site sends the browser here with a GET request, which is never rejected as cross-site. The value
  // `state` and this browser's cookie prove that the sign-in began in this browser.
  app.get(
    '/web/sign-in/provider/callback',
    { config: { access: 'same_site', subject: 'none' } },
    async (request, reply) => {
      const secret = readSessionCookie(request, cookies)
      const finished = await requireProvider(providerSignIn).finish({
        query: readSingleParameters(request.query),
        browser: readSignInCookie(request, cookies),
        signedIn: secret === null ? null : await sessions.find(secret),
        client: readSignInClient(request, cookies),
      })
      if (finished.outcome === 'signed in')
        setStartedSessionCookies(reply, cookies, finished.started)
      return reply.redirect(pathAfter(finished), 303)
    },
  )
}

function requireProvider(provider: ProviderSignIn | null): ProviderSignIn {
  if (provider === null) throw new ServiceError('not_found')
  return provider
}

function pathAfter(finished: FinishedSignIn): string {
  if (finished.outcome === 'signed in') return finished.next
  const account = '/account?tab=sign-in'
  if (finished.outcome === 'linked') return account
  const { problem, isLink } = finished
  return isLink ? `${account}&problem=${problem}` : `/sign-in?problem=${problem}`
}
