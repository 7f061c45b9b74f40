import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { UserViewer, Viewer } from '../../../access/viewer.ts'
import type { AuthenticatedSession, SignInClient } from '../../../accounts/sign-in/sessions.ts'
import type { ApiToken } from '../../../accounts/tokens/tokens.ts'
import { isSameSecret } from '../../../lib/crypto.ts'
import { readKnownDeviceCookie, type SessionCookieOptions } from './session-cookie.ts'

/** The client of a request. A cookie shows whether its browser was used to sign in before. */
export function readSignInClient(
  request: FastifyRequest,
  cookies: SessionCookieOptions,
): SignInClient {
  return {
    ip: clientIp(request),
    userAgent: request.headers['user-agent'] ?? '',
    knownDeviceToken: readKnownDeviceCookie(request, cookies),
  }
}

/** The user or token of a request, in the form of the audit log. */
export function readAuditActor(request: FastifyRequest): { name: string; ip: string } {
  const { token, signedIn } = request
  const name = token === null ? `user:${signedIn?.user.id}` : `token:${token.id}`
  return { name, ip: clientIp(request) }
}

/** The client's IP address. If a trusted proxy forwards text that is not an address, the socket's address is used. */
export function clientIp(request: FastifyRequest): string {
  return isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? 'unknown') : request.ip
}

/** True if a browser loads a page. It then gets a redirect to the sign-in page instead of a JSON error. */
export function acceptsHtml({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && (headers.accept ?? '').includes('text/html')
}

/** The API key of a request, from X-API-Key or a bearer token. Null if both are present and differ. */
export function readApiKey(headers: IncomingHttpHeaders): string | null {
  const header = headers['x-api-key']
  const bearer = readBearerToken(headers)
  if (typeof header !== 'string') return bearer
  return bearer === null || bearer === header ? header : null
}

/**
 * Marks calls that the service itself makes for an assistant. Its access token is not for the API, but the tools that it
 * is for are calls of the API.
 */
export const IN_PROCESS_HEADERS = { 'x-in-process': randomBytes(32).toString('base64url') }

export function isInProcess(headers: IncomingHttpHeaders): boolean {
  const given = headers['x-in-process']
  return typeof given === 'string' && isSameSecret(given, IN_PROCESS_HEADERS['x-in-process'])
}

function readBearerToken(headers: IncomingHttpHeaders): string | null {
  const match = /^Bearer +(\S+) *$/i.exec(headers.authorization ?? '')
  return match?.[1] ?? null
}

/** A personal token acts with its creator's current rights. */
export function toTokenViewer(token: ApiToken): Viewer {
  const { kind, projects, isTeamOnly, creatorId, creatorRole } = token
  const isScoped = token.scopes !== null
  if (kind === 'service') return { kind: 'service', projects, isTeamOnly, isScoped }
  // A personal token without a creator was refused when its key was verified.
  assert(creatorId !== null && creatorRole !== null)
  return { kind: 'user', userId: creatorId, role: creatorRole, projects, isScoped }
}

export function toUserViewer({ user }: AuthenticatedSession): UserViewer {
  return { kind: 'user', userId: user.id, role: user.role, projects: null }
}

/** The viewer of a request to a route that needs an API key or a session. */
export function requireViewer({ viewer }: Pick<FastifyRequest, 'viewer'>): Viewer {
  assert(viewer)
  return viewer
}
