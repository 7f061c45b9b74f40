import { createPrivateKey, randomUUID } from 'node:crypto'
import { z } from 'zod'
import { MINUTE_MS } from '../../lib/time/durations.ts'
import type { ApiHttp, ApiResponse } from '../../network/api-requests.ts'
import { ReadProblem, type ProblemCode } from '../problems.ts'
import type { MicrosoftCredential } from './credential.ts'
import type { MicrosoftHosts } from '../../network/microsoft-hosts.ts'
import { describeClockDifference, sendRequest } from '../provider.ts'

/** The application as which this service signs in. */
export type MicrosoftApp = {
  tenant: string
  clientId: string
  credential: MicrosoftCredential
  hosts: MicrosoftHosts
}

export type AccessToken = {
  text: string
  expiresAt: Date
  /** The application permissions with consent. Null if the token does not say. */
  permissions: readonly string[] | null
  serverTime: Date | null
}

const MAX_TOKEN_BYTES = 100_000
const ASSERTION_MS = 5 * MINUTE_MS

const TokenResponse = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
})
const TokenError = z.object({
  error: z.string(),
  error_codes: z.array(z.number().int()).optional(),
})
const TokenClaims = z.object({ roles: z.array(z.string()) })

/** The AADSTS codes that say what an administrator has to do. */
const PROBLEMS_BY_CODE: Readonly<Record<number, ProblemCode>> = {
  7000215: 'secret_wrong',
  7000216: 'secret_wrong',
  7000222: 'secret_expired',
  700027: 'certificate_refused',
  700024: 'clock_wrong',
  700016: 'app_not_found',
  7000112: 'app_not_found',
  90002: 'tenant_not_found',
  900023: 'tenant_not_found',
}

/** Requests an access token with the client credentials grant. Throws a `ReadProblem` that says why there is none. */
export async function requestAccessToken(
  http: ApiHttp,
  app: MicrosoftApp,
  signal: AbortSignal,
): Promise<AccessToken> {
  const url = `${app.hosts.login}/${encodeURIComponent(app.tenant)}/oauth2/v2.0/token`
  const now = http.clock.now()
  const form = {
    grant_type: 'client_credentials',
    client_id: app.clientId,
    scope: `${app.hosts.graph}/.default`,
    ...(app.credential.kind === 'secret'
      ? { client_secret: app.credential.secret }
      : {
          client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
          client_assertion: await signAssertion(app.clientId, app.credential, url, now),
        }),
  }
  const response = await sendRequest(
    http,
    url,
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
      maxBytes: MAX_TOKEN_BYTES,
    },
    signal,
  )
  if (response.status !== 200) throw toProblem(response, now)
  const parsed = TokenResponse.safeParse(parseJson(response.text))
  if (!parsed.success) throw new ReadProblem('bad_answer', 'the access token')
  const { access_token: text, expires_in: seconds } = parsed.data
  return {
    text,
    expiresAt: new Date(now.getTime() + seconds * 1_000),
    permissions: readPermissions(text),
    serverTime: response.serverTime,
  }
}

/** As documented in entra-docs, identity-platform/certificate-credentials.md: PS256 with the certificate's SHA-256. */
async function signAssertion(
  clientId: string,
  { privateKey, thumbprint }: Extract<MicrosoftCredential, { kind: 'certificate' }>,
  audience: string,
  now: Date,
): Promise<string> {
  // Loaded with the first certificate instead of at startup.
  const { SignJWT } = await import('jose')
  return new SignJWT({})
    .setProtectedHeader({ alg: 'PS256', typ: 'JWT', 'x5t#S256': thumbprint })
    .setAudience(audience)
    .setIssuer(clientId)
    .setSubject(clientId)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setNotBefore(now)
    .setExpirationTime(new Date(now.getTime() + ASSERTION_MS))
    .sign(createPrivateKey(privateKey))
}

/**
 * The claim `roles` of an access token. The signature is not checked: Graph checks it, and here it only improves the
 * text about a permission that is missing.
 */
function readPermissions(token: string): readonly string[] | null {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()
  const claims = TokenClaims.safeParse(parseJson(payload))
  return claims.success ? claims.data.roles : null
}

function toProblem({ status, text, retryAfterMs, serverTime }: ApiResponse, now: Date) {
  if (status === 429) return new ReadProblem('throttled', null, retryAfterMs)
  if (status >= 500) return new ReadProblem('unavailable', String(status), retryAfterMs)
  const parsed = TokenError.safeParse(parseJson(text))
  if (!parsed.success) return new ReadProblem('bad_answer', `status ${status} of the sign-in`)
  const { error, error_codes: codes = [] } = parsed.data
  const known = codes.map((code) => PROBLEMS_BY_CODE[code]).find((code) => code !== undefined)
  if (known === 'clock_wrong')
    return new ReadProblem('clock_wrong', describeClockDifference(serverTime, now) ?? 'minutes')
  if (known !== undefined) return new ReadProblem(known)
  const [code] = codes
  // Nothing of the answer but a number or a known word is shown or logged.
  const name = code !== undefined ? `AADSTS${code}` : error.replaceAll(/[^a-z_]/g, '').slice(0, 50)
  return new ReadProblem('token_refused', name)
}

/** Undefined for a text that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
