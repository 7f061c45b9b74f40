import { randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { CHALLENGE_SECONDS } from '../../../accounts/sign-in/challenges.ts'
import type * as Undici from 'undici'
import { lazyRequire } from '../../../lib/lazy-require.ts'

/** undici is loaded by the first cookie instead of at startup. */
const undici = lazyRequire('undici') as () => typeof Undici

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
  return readCookie(request, name)
}

export function setSessionCookie(
  reply: FastifyReply,
  { name, secure }: SessionCookieOptions,
  secret: string,
): void {
  addCookie(reply, { name, value: secret, secure, maxAge: WEEK_SECONDS })
}

const YEAR_SECONDS = 365 * 24 * 3_600

/** Recognises the browser when the user signs in again. The cookie stays after signing out. */
export function setKnownDeviceCookie(
  reply: FastifyReply,
  { name, secure }: SessionCookieOptions,
  knownDeviceToken: string,
): void {
  addCookie(reply, {
    name: `${name}-device`,
    value: knownDeviceToken,
    secure,
    maxAge: YEAR_SECONDS,
  })
}

export function readKnownDeviceCookie(
  request: FastifyRequest,
  { name }: SessionCookieOptions,
): string | null {
  return readCookie(request, `${name}-device`)
}

/** Sets the cookies of a user who has just signed in. */
export function setStartedSessionCookies(
  reply: FastifyReply,
  cookies: SessionCookieOptions,
  { secret, knownDeviceToken }: { secret: string; knownDeviceToken: string },
): void {
  setSessionCookie(reply, cookies, secret)
  setKnownDeviceCookie(reply, cookies, knownDeviceToken)
}

/** Binds the answer of a sign-in provider or a passkey to the browser that started the sign-in. */
function setSignInCookie(
  reply: FastifyReply,
  { name, secure }: SessionCookieOptions,
  browser: string,
): void {
  addCookie(reply, { name: `${name}-sign-in`, value: browser, secure, maxAge: CHALLENGE_SECONDS })
}

export function readSignInCookie(
  request: FastifyRequest,
  { name }: SessionCookieOptions,
): string | null {
  return readCookie(request, `${name}-sign-in`)
}

/** This browser's secret, which simultaneous sign-ins in different tabs share. */
export function identifyBrowser(
  request: FastifyRequest,
  reply: FastifyReply,
  cookies: SessionCookieOptions,
): string {
  const browser = readSignInCookie(request, cookies) ?? randomBytes(32).toString('base64url')
  setSignInCookie(reply, cookies, browser)
  return browser
}

export function clearSessionCookie(
  reply: FastifyReply,
  { name, secure }: SessionCookieOptions,
): void {
  addCookie(reply, { name, value: '', secure, maxAge: 0 })
}

function readCookie({ headers: { cookie } }: FastifyRequest, name: string): string | null {
  if (cookie === undefined) return null
  const { getCookies, Headers } = undici()
  return getCookies(new Headers({ cookie }))[name] ?? null
}

/** Adds a cookie that scripts and requests from other sites can't use. */
function addCookie(reply: FastifyReply, cookie: Undici.Cookie): void {
  const { Headers, setCookie } = undici()
  const headers = new Headers()
  setCookie(headers, { path: '/', httpOnly: true, sameSite: 'Lax', ...cookie })
  void reply.header('set-cookie', headers.getSetCookie())
}

/** Query parameters that occur once. A repeated one is treated as missing, because its meaning is unclear. */
export function readSingleParameters(query: unknown): Record<string, string> {
  const entries = Object.entries(query as Record<string, unknown>)
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
