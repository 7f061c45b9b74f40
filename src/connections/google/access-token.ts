import { createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { ApiHttp, ApiResponse } from '../../network/api-requests.ts'
import { ReadProblem } from '../problems.ts'
import { describeClockDifference, sendRequest } from '../provider.ts'
import type { GoogleHosts } from '../../network/google-hosts.ts'
import type { GoogleCredential } from './service-account-key.ts'

/** The scopes of domain-wide delegation, and what each is for. */
export const SCOPES = {
  'meetings.space.readonly': 'transcripts',
  'calendar.events.readonly': 'titles, and which events are private',
} as const
export type GoogleScope = keyof typeof SCOPES

export const SCOPE_PREFIX = 'https://www.googleapis.com/auth/'

export type GoogleApp = { credential: GoogleCredential; hosts: GoogleHosts }

export type AccessToken = { text: string; expiresAt: Date; serverTime: Date | null }

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const MAX_TOKEN_BYTES = 100_000
/** Google accepts at most an hour. A short time limits what a copied assertion is worth. */
const ASSERTION_MS = 5 * MINUTE_MS

const TokenResponse = z.object({
  access_token: z
    .string()
    .min(1)
    .max(10_000)
    .regex(/^[!-~]+$/),
  expires_in: z.number().positive(),
})
const TokenError = z.object({ error: z.string(), error_description: z.string().optional() })

/** Requests a token with which the service account acts for one person, for one scope. Throws a `ReadProblem`. */
export async function requestAccessToken(
  http: ApiHttp,
  app: GoogleApp,
  person: string,
  scope: GoogleScope,
  signal: AbortSignal,
): Promise<AccessToken> {
  const url = `${app.hosts.oauth}/token`
  const now = http.clock.now()
  const assertion = await signAssertion(app.credential, { url, person, scope }, now)
  const response = await sendRequest(
    http,
    url,
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ grant_type: GRANT_TYPE, assertion }).toString(),
      maxBytes: MAX_TOKEN_BYTES,
    },
    signal,
  )
  if (response.status !== 200) throw toProblem(response, scope, now)
  const parsed = TokenResponse.safeParse(tryParseJson(response.text))
  if (!parsed.success) throw new ReadProblem('bad_answer', 'the access token')
  return {
    text: parsed.data.access_token,
    expiresAt: new Date(now.getTime() + parsed.data.expires_in * 1_000),
    serverTime: response.serverTime,
  }
}

async function signAssertion(
  { email, keyId, privateKey }: GoogleCredential,
  { url, person, scope }: { url: string; person: string; scope: GoogleScope },
  now: Date,
): Promise<string> {
  // Loaded with the first request instead of at startup.
  const { SignJWT } = await import('jose')
  return new SignJWT({ scope: `${SCOPE_PREFIX}${scope}` })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: keyId })
    .setIssuer(email)
    .setSubject(person)
    .setAudience(url)
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + ASSERTION_MS))
    .sign(createPrivateKey(privateKey))
}

/** The errors that say that the service account or its key is gone. */
const KEY_ERRORS: ReadonlySet<string> = new Set([
  'invalid_client',
  'deleted_client',
  'disabled_client',
])

/** Google's texts are only compared. None is shown or logged. */
function toProblem(response: ApiResponse, scope: GoogleScope, now: Date): ReadProblem {
  const { status, text, retryAfterMs, serverTime } = response
  if (status === 429) return new ReadProblem('throttled', null, retryAfterMs)
  if (status >= 500) return new ReadProblem('unavailable', String(status), retryAfterMs)
  const parsed = TokenError.safeParse(tryParseJson(text))
  if (!parsed.success) return new ReadProblem('bad_answer', `status ${status} of the sign-in`)
  const { error, error_description: description = '' } = parsed.data
  if (error === 'unauthorized_client' || error === 'access_denied' || error === 'invalid_scope')
    return new ReadProblem('delegation_missing', scope)
  if (KEY_ERRORS.has(error)) return new ReadProblem('key_refused')
  if (error === 'invalid_grant') {
    const difference = describeClockDifference(serverTime, now)
    if (difference !== null) return new ReadProblem('clock_wrong', difference)
    if (/signature|account not found/i.test(description)) return new ReadProblem('key_refused')
    if (/email|user/i.test(description)) return new ReadProblem('organizer_not_found')
  }
  const name = error.replaceAll(/[^a-z_]/g, '').slice(0, 50)
  return new ReadProblem('sign_in_refused', name)
}
