import type { FastifyRequest, RouteOptions } from 'fastify'
import type { FastifyApp } from '../../fastify-app.ts'
import { ServiceError } from '../../../errors.ts'
import { isSameSecret } from '../../../lib/crypto/digest.ts'
import type { Scope } from '../../../accounts/roles.ts'
import type { AuthenticatedSession, Sessions } from '../../../accounts/sign-in/sessions.ts'
import type { ApiToken, ApiTokens } from '../../../accounts/tokens/tokens.ts'
import { clientIp } from './client-ip.ts'
import { readApiKey } from './api-key.ts'
import { acceptsHtml } from './accepts-html.ts'
import { readSessionCookie, type SessionCookieOptions } from './session-cookie.ts'

/**
 * Who may call a route. Every route says so; one that does not stops the service from starting.
 * `open`: anybody. `key`: an API key. `session`: a signed-in person. `admin`: a signed-in admin.
 * `page`: anybody, but from one of our own pages. `reader`: a key or a signed-in person.
 */
export const ROUTE_ACCESS = ['open', 'key', 'session', 'admin', 'page', 'reader'] as const
export type RouteAccess = (typeof ROUTE_ACCESS)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccess
    /** Scopes of which a restricted key needs one. */
    scopes?: readonly Scope[]
  }
  interface FastifyRequest {
    /** Set on routes with access `key`. */
    token: ApiToken | null
    /** Set on routes with access `session` and `admin`. */
    signedIn: AuthenticatedSession | null
  }
}

type Parts = {
  tokens: ApiTokens
  sessions: Sessions
  cookies: SessionCookieOptions
  publicUrl: string | undefined
}

/** Answers whether a request that was let in would be let in again. */
export function enforceRouteAccess(
  app: FastifyApp,
  parts: Parts,
): (request: FastifyRequest) => Promise<boolean> {
  const CHECKS: Record<RouteAccess, (request: FastifyRequest) => Promise<void> | void> = {
    open: () => {},
    key: (request) => requireApiKey(request, parts.tokens),
    session: (request) => requireSession(request, parts),
    admin: async (request) => {
      await requireSession(request, parts)
      if (request.signedIn?.user.role !== 'admin') throw new ServiceError('forbidden')
    },
    page: (request) => rejectCrossSite(request, parts.publicUrl),
    reader: (request) =>
      hasApiKey(request) || !isBrowserRequest(request, parts.cookies)
        ? requireApiKey(request, parts.tokens)
        : requireSession(request, parts),
  }
  const routes: RouteOptions[] = []

  app.decorateRequest('token', null)
  app.decorateRequest('signedIn', null)
  app.addHook('onRoute', (route) => void routes.push(route))
  app.addHook('onReady', async () => {
    const undeclared = routes.filter((route) => route.config?.access === undefined)
    if (undeclared.length === 0) return
    throw new Error(`routes without access: ${undeclared.map(({ url }) => url).join(', ')}`)
  })
  app.addHook('onRequest', async (request) => {
    const access = request.routeOptions.config.access ?? accessOfUnknownPath(request.url)
    await CHECKS[access](request)
  })
  return async (request) => {
    try {
      await CHECKS[request.routeOptions.config.access ?? 'admin'](request)
      return true
    } catch (error) {
      if (error instanceof ServiceError) return false
      throw error
    }
  }
}

/** Under /api/v1 a caller without a key learns nothing, not even which paths exist. */
export function accessOfUnknownPath(url: string): RouteAccess {
  return /^\/+api\/+v1(?:[/?#]|$)/i.test(decodePath(url)) ? 'key' : 'open'
}

export async function requireApiKey(request: FastifyRequest, tokens: ApiTokens): Promise<void> {
  const key = readApiKey(request.headers)
  const token = key === null ? null : await tokens.verify(key, clientIp(request))
  if (token === null) throw new ServiceError('invalid_api_key')
  request.token = token
  const { scopes } = request.routeOptions.config
  if (token.scopes === null || scopes === undefined) return
  if (token.scopes.some((scope) => scopes.includes(scope))) return
  throw new ServiceError('missing_scope', {
    hint: `It needs one of the scopes ${scopes.join(', ')}; this key has ${token.scopes.join(', ')}`,
  })
}

function hasApiKey({ headers }: FastifyRequest): boolean {
  return headers['x-api-key'] !== undefined || headers.authorization !== undefined
}

/** Only people have sessions and read pages; a program is told what a program lacks. */
function isBrowserRequest(request: FastifyRequest, cookies: SessionCookieOptions): boolean {
  return readSessionCookie(request, cookies) !== null || acceptsHtml(request)
}

/** However it was spelled; what cannot be read leads nowhere in any spelling. */
function decodePath(url: string): string {
  try {
    return decodeURIComponent(url.split('?', 1)[0] ?? '')
  } catch {
    return url
  }
}

async function requireSession(request: FastifyRequest, parts: Parts): Promise<void> {
  const secret = readSessionCookie(request, parts.cookies)
  const signedIn = secret === null ? null : await parts.sessions.find(secret)
  if (signedIn === null) throw new ServiceError('not_signed_in')
  if (!isSafeMethod(request)) {
    rejectCrossSite(request, parts.publicUrl)
    const given = request.headers['x-csrf-token']
    if (typeof given !== 'string' || !isSameSecret(given, signedIn.csrfToken)) {
      throw new ServiceError('cross_site', {
        hint: 'Send the csrfToken of GET /web/state as X-CSRF-Token',
      })
    }
  }
  request.signedIn = signedIn
}

/** Browsers say where a request comes from; programs that say nothing have no cookies to abuse. */
function rejectCrossSite(request: FastifyRequest, publicUrl: string | undefined): void {
  if (isSafeMethod(request)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') throw new ServiceError('cross_site')
  const { origin, host } = request.headers
  if (origin === undefined || origin === publicUrl) return
  if (URL.parse(origin)?.host !== host) throw new ServiceError('cross_site')
}

function isSafeMethod(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD'
}
