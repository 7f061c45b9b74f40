import type { FastifyRequest } from 'fastify'
import type { SignInClient } from '../../../accounts/sign-in/start-session.ts'
import { clientIp } from './client-ip.ts'
import { readKnownDeviceCookie, type SessionCookieOptions } from './session-cookie.ts'

/** Where a request comes from, and whether its browser was used to sign in before. */
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

/** The signed-in user of a request, as it is stored in the audit log. */
export function readSignedInUserAuditActor(request: FastifyRequest): { name: string; ip: string } {
  return { name: `user:${request.signedIn?.user.id}`, ip: clientIp(request) }
}

/** The user or token of a request, as it is stored in the audit log. */
export function readAuditActor(request: FastifyRequest): { name: string; ip: string } {
  const { token } = request
  return token === null
    ? readSignedInUserAuditActor(request)
    : { name: `token:${token.id}`, ip: clientIp(request) }
}
