import type { FastifyRequest, RouteOptions } from 'fastify'
import type { Viewer } from '../../../access/viewer.ts'
import type { ApiTokenScope } from '../../../accounts/roles.ts'
import type { OAuthAudience } from '../../../accounts/oauth/server-metadata.ts'
import type { AuthenticatedSession, Sessions } from '../../../accounts/sign-in/sessions.ts'
import type { ApiToken, ApiTokens } from '../../../accounts/tokens/tokens.ts'
import { ServiceError } from '../../../errors.ts'
import { isSameSecret } from '../../../lib/crypto.ts'
import type { ProvisioningAdmin } from '../../../provisioning/settings.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import {
  isInProcess,
  readApiKey,
  acceptsHtml,
  clientIp,
  toTokenViewer,
  toUserViewer,
} from './caller.ts'
import { readSessionCookie, type SessionCookieOptions } from './session-cookie.ts'

/**
 * Who may call a route. Every route must declare it, otherwise the service does not start.
 * `open`: every caller. `key`: an API key. `session`: a signed-in user. `admin`: a signed-in admin.
 * `same_site`: every caller, but a browser only from a page of this service. `key_or_session`: either of the two.
 * `provisioning`: a client with a provisioning token, while provisioning is on.
 */
export const ROUTE_ACCESS_LEVELS = [
  'open',
  'key',
  'session',
  'admin',
  'same_site',
  'key_or_session',
  'provisioning',
] as const
export type RouteAccessLevel = (typeof ROUTE_ACCESS_LEVELS)[number]

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: RouteAccessLevel
    /** An API key with restricted scopes needs one of these scopes to call the route. */
    scopes?: readonly ApiTokenScope[]
    /** Only for a key without restrictions: a service token, or a personal token of a user who is an admin now. */
    needsAdminKey?: true
    /** Which access tokens of connected assistants the route accepts. Default: those for the API. */
    audience?: OAuthAudience
  }
  interface FastifyRequest {
    /** The token of the API key. Null if the request has none. */
    token: ApiToken | null
    /** Id of the provisioning token of the request. Null if it has none. */
    provisioningTokenId: string | null
    /** The signed-in user's session. Null if the request was not authenticated by its cookie. */
    signedIn: AuthenticatedSession | null
    /** On whose behalf the request reads and changes content. Null if it was not authenticated. */
    viewer: Viewer | null
  }
}

type Parts = {
  tokens: ApiTokens
  sessions: Sessions
  provisioning: Pick<ProvisioningAdmin, 'settings' | 'verify'>
  cookies: SessionCookieOptions
  publicUrl: string | undefined
}

type AccessCheck = (request: FastifyRequest, maxKeyAgeMs?: number) => Promise<void> | void

/**
 * Checks the access rule of every route. Returns a function that checks an accepted request again. It uses a state of
 * the API key that is at most `maxKeyAgeMs` old.
 */
export function enforceRouteAccess(
  app: FastifyApp,
  parts: Parts,
): (request: FastifyRequest, maxKeyAgeMs?: number) => Promise<boolean> {
  const CHECKS: Record<RouteAccessLevel, AccessCheck> = {
    open: () => {},
    key: async (request, maxKeyAgeMs) => {
      await requireApiKey(request, parts.tokens, maxKeyAgeMs)
      if (request.routeOptions.config.needsAdminKey) requireAdminKey(request)
    },
    session: (request) => requireSession(request, parts),
    admin: async (request) => {
      await requireSession(request, parts)
      if (request.signedIn?.user.role !== 'admin') throw new ServiceError('forbidden')
    },
    same_site: (request) => rejectCrossSite(request, parts.publicUrl),
    key_or_session: (request, maxKeyAgeMs) =>
      hasApiKey(request) || !isBrowserRequest(request, parts.cookies)
        ? requireApiKey(request, parts.tokens, maxKeyAgeMs)
        : requireSession(request, parts),
    provisioning: (request) => requireProvisioningToken(request, parts.provisioning),
  }
  const routes: RouteOptions[] = []

  app.decorateRequest('token', null)
  app.decorateRequest('provisioningTokenId', null)
  app.decorateRequest('signedIn', null)
  app.decorateRequest('viewer', null)
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
  return async (request, maxKeyAgeMs) => {
    try {
      await CHECKS[request.routeOptions.config.access ?? 'admin'](request, maxKeyAgeMs)
      return true
    } catch (error) {
      if (error instanceof ServiceError) return false
      throw error
    }
  }
}

/** Under /api/v1, a caller needs an API key even to learn which paths exist. */
export function accessOfUnknownPath(url: string): RouteAccessLevel {
  return /^\/+api\/+v1(?:[/?#]|$)/i.test(decodePath(url)) ? 'key' : 'open'
}

export async function requireApiKey(
  request: FastifyRequest,
  tokens: ApiTokens,
  maxKeyAgeMs?: number,
): Promise<void> {
  const key = readApiKey(request.headers)
  const token = key === null ? null : await tokens.verify(key, clientIp(request), maxKeyAgeMs)
  const { scopes, audience = 'api' } = request.routeOptions.config
  const isForAnother =
    token !== null && token.assistant !== null && token.assistant.audience !== audience
  if (token === null || (isForAnother && !isInProcess(request.headers)))
    throw new ServiceError('invalid_api_key')
  request.token = token
  request.viewer = toTokenViewer(token)
  if (token.scopes === null || scopes === undefined) return
  if (token.scopes.some((scope) => scopes.includes(scope))) return
  throw new ServiceError('missing_scope', {
    hint: `This call needs one of the scopes ${scopes.join(', ')}; this key has ${token.scopes.join(', ')}`,
  })
}

async function requireProvisioningToken(
  request: FastifyRequest,
  provisioning: Parts['provisioning'],
): Promise<void> {
  const { isOn } = await provisioning.settings()
  if (!isOn) throw new ServiceError('provisioning_off')
  const secret = readApiKey(request.headers)
  const token = secret === null ? null : await provisioning.verify(secret)
  if (token === null) throw new ServiceError('invalid_provisioning_token')
  request.provisioningTokenId = token.id
}

/** The token's creator must currently be an admin, or the command line. */
function requireAdminKey({ token, viewer }: FastifyRequest): void {
  if (token === null || token.scopes !== null || token.projects !== null)
    throw new ServiceError('admin_key_needed')
  // The service token of a user who was demoted or removed keeps its other rights. The command line has no name.
  const isOfAdmin =
    viewer?.kind === 'service'
      ? token.createdBy === null || token.creatorRole === 'admin'
      : isAdminUser(viewer)
  if (!isOfAdmin) throw new ServiceError('admin_key_needed')
}

function isAdminUser(viewer: Viewer | null): boolean {
  return viewer?.kind === 'user' && viewer.role === 'admin'
}

function hasApiKey({ headers }: FastifyRequest): boolean {
  return headers['x-api-key'] !== undefined || headers.authorization !== undefined
}

/** True if a rejected caller is a browser, which is asked to sign in. A program is asked for an API key. */
function isBrowserRequest(request: FastifyRequest, cookies: SessionCookieOptions): boolean {
  return readSessionCookie(request, cookies) !== null || acceptsHtml(request)
}

/** Decodes the path of a URL. A path that can't be decoded is returned unchanged and matches no route. */
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
  request.viewer = toUserViewer(signedIn)
}

/** Rejects requests that a browser sends from another site. Programs send no origin headers and no cookies to abuse. */
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
