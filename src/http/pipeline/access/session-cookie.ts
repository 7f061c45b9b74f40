import type { FastifyReply, FastifyRequest } from 'fastify'
import '@fastify/cookie'

export type SessionCookieOptions = { name: string; secure: boolean }

const WEEK_SECONDS = 7 * 24 * 3_600

/** The prefix __Host- binds the cookie to this host. Browsers reject that prefix over plain http. */
export function sessionCookieOptions(publicUrl: string | undefined): SessionCookieOptions {
  return publicUrl?.startsWith('https:')
    ? { name: '__Host-hansard', secure: true }
    : { name: 'hansard', secure: false }
}

export function readSessionCookie(
  request: FastifyRequest,
  { name }: SessionCookieOptions,
): string | null {
  return request.cookies[name] ?? null
}

export function setSessionCookie(
  reply: FastifyReply,
  { name, secure }: SessionCookieOptions,
  secret: string,
): void {
  void reply.setCookie(name, secret, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: WEEK_SECONDS,
  })
}

const YEAR_SECONDS = 365 * 24 * 3_600

/** Lets the browser be recognised when the user signs in again. It stays after signing out. */
export function setKnownDeviceCookie(
  reply: FastifyReply,
  { name, secure }: SessionCookieOptions,
  knownDeviceToken: string,
): void {
  void reply.setCookie(`${name}-device`, knownDeviceToken, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: YEAR_SECONDS,
  })
}

export function readKnownDeviceCookie(
  request: FastifyRequest,
  { name }: SessionCookieOptions,
): string | null {
  return request.cookies[`${name}-device`] ?? null
}

export function clearSessionCookie(
  reply: FastifyReply,
  { name, secure }: SessionCookieOptions,
): void {
  void reply.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'lax', secure })
}
