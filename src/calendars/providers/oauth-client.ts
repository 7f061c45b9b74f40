import { createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { tryParseJson } from '../../lib/text/try-parse-json.ts'
import { ProviderProblem, type ProviderProblemCode } from './problems.ts'
import type { CalendarApp, OAuthEndpoints, ProviderApiParts } from './provider.ts'
import { PROVIDERS } from './providers.ts'
import { sendOrExplain } from './send-or-explain.ts'

/** What a token endpoint gave. */
export type GrantedTokens = {
  access: string
  /** Seconds from now. */
  expiresIn: number
  /** Null if the earlier one stays valid. */
  refresh: string | null
  /** The permissions, as far as the answer names them. */
  scopes: readonly string[] | null
}

export type AuthorizationRequest = { state: string; codeVerifier: string; url: string }

const MAX_TOKEN_BYTES = 100_000
const MAX_TOKEN_CHARS = 20_000

const TokenAnswer = z.object({
  access_token: z.string().min(1).max(MAX_TOKEN_CHARS),
  expires_in: z.coerce.number().positive(),
  refresh_token: z.string().min(1).max(MAX_TOKEN_CHARS).nullish(),
  scope: z.string().nullish(),
})
const TokenError = z.object({ error: z.string() })

const PROBLEMS: Readonly<Record<string, ProviderProblemCode>> = {
  invalid_grant: 'sign_in_needed',
  interaction_required: 'sign_in_needed',
  consent_required: 'sign_in_needed',
  login_required: 'sign_in_needed',
  invalid_client: 'app_refused',
  unauthorized_client: 'app_refused',
  deleted_client: 'app_refused',
}

/** Builds the provider's page where a person signs in and allows access. PKCE and the state bind the answer to it. */
export function startAuthorization(
  app: CalendarApp,
  { hosts }: Pick<ProviderApiParts, 'hosts'>,
  { redirectUri, address }: { redirectUri: string; address: string | null },
): AuthorizationRequest {
  const endpoints = PROVIDERS[app.provider].endpoints(app, hosts)
  const [state, codeVerifier] = [createSecret(), createSecret()]
  const url = new URL(endpoints.authorize)
  url.search = new URLSearchParams({
    ...endpoints.extras,
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUri,
    scope: endpoints.scopes.join(' '),
    state,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(address !== null && { login_hint: address }),
  }).toString()
  return { state, codeVerifier, url: url.href }
}

export function exchangeCode(
  parts: ProviderApiParts,
  app: CalendarApp,
  { code, redirectUri, codeVerifier }: { code: string; redirectUri: string; codeVerifier: string },
  signal: AbortSignal,
): Promise<GrantedTokens> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri }
  return requestTokens(parts, app, () => ({ ...form, code_verifier: codeVerifier }), signal)
}

export function exchangeRefreshToken(
  parts: ProviderApiParts,
  app: CalendarApp,
  refreshToken: string,
  signal: AbortSignal,
): Promise<GrantedTokens> {
  const form = { grant_type: 'refresh_token', refresh_token: refreshToken }
  return requestTokens(parts, app, ({ scopes }) => ({ ...form, scope: scopes.join(' ') }), signal)
}

/** Ends the access at the provider, if it lets applications do so. */
export async function revokeRefreshToken(
  { http, hosts }: ProviderApiParts,
  app: CalendarApp,
  token: string,
  signal: AbortSignal,
): Promise<void> {
  const { revoke } = PROVIDERS[app.provider].endpoints(app, hosts)
  if (revoke !== null) await sendOrExplain(http, app.provider, revoke, postForm({ token }), signal)
}

/** True if the answer does not say which permissions were given, or names all that are needed. */
export function hasAllScopes(
  app: CalendarApp,
  { hosts }: Pick<ProviderApiParts, 'hosts'>,
  granted: readonly string[] | null,
): boolean {
  const { scopes } = PROVIDERS[app.provider].endpoints(app, hosts)
  if (granted === null) return true
  // Microsoft names its permissions with and without the address of Graph, and never `offline_access`.
  const nameOf = (scope: string) => scope.slice(scope.lastIndexOf('/') + 1).toLowerCase()
  const given = new Set(granted.map(nameOf))
  return scopes.every((scope) => scope === 'offline_access' || given.has(nameOf(scope)))
}

async function requestTokens(
  { http, hosts }: ProviderApiParts,
  app: CalendarApp,
  createForm: (endpoints: OAuthEndpoints) => Record<string, string>,
  signal: AbortSignal,
): Promise<GrantedTokens> {
  const endpoints = PROVIDERS[app.provider].endpoints(app, hosts)
  const credential = { client_id: app.clientId, client_secret: app.clientSecret }
  const request = postForm({ ...createForm(endpoints), ...credential })
  const { status, text, retryAfterMs } = await sendOrExplain(
    http,
    app.provider,
    endpoints.token,
    request,
    signal,
  )
  const body = tryParseJson(text)
  if (status !== 200) {
    if (status === 429)
      throw new ProviderProblem(app.provider, 'throttled', undefined, retryAfterMs)
    if (status >= 500)
      throw new ProviderProblem(app.provider, 'unavailable', String(status), retryAfterMs)
    const parsed = TokenError.safeParse(body)
    // Only a known word of the answer is shown.
    const name = parsed.success ? parsed.data.error.replaceAll(/[^a-z_]/g, '').slice(0, 50) : ''
    throw new ProviderProblem(app.provider, PROBLEMS[name] ?? 'app_refused', name || String(status))
  }
  const parsed = TokenAnswer.safeParse(body)
  if (!parsed.success) throw new ProviderProblem(app.provider, 'bad_answer', 'the access token')
  const { access_token, expires_in, refresh_token, scope } = parsed.data
  return {
    access: access_token,
    expiresIn: expires_in,
    refresh: refresh_token ?? null,
    scopes: scope ? scope.split(' ') : null,
  }
}

function postForm(form: Record<string, string>) {
  return {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: new URLSearchParams(form).toString(),
    maxBytes: MAX_TOKEN_BYTES,
  } as const
}

function createSecret(): string {
  return randomBytes(32).toString('base64url')
}
