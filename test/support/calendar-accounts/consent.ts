import { createHash, randomBytes } from 'node:crypto'

/**
 * The authorization code grant of a provider (RFC 6749 with PKCE, RFC 7636). The person who opens the page consents at
 * once, or refuses. Each provider’s server adds its own addresses and texts of errors.
 */
export type Consent = {
  clientId: string
  clientSecret: string
  redirectUris: string[]
  /** Who signs in next. */
  subject: string
  /** The permissions that the person leaves checked; null for all that are asked for. */
  grantedScopes: string[] | null
  refuses: boolean
  /** True if a refresh token is replaced by a new one with each use, and the old one becomes useless. */
  rotates: boolean
  accessSeconds: number
  /** How many times a refresh token was exchanged. */
  refreshes: number
  /** The page where the provider sends the browser. Throws if the request is not valid. */
  authorize(page: URL): URL
  /** Answers a request to the token endpoint: the tokens, or an error code of OAuth. */
  exchange(form: URLSearchParams, now: Date): Record<string, unknown> | string
  /** The subject of an access token that is valid now. */
  findSubject(authorization: string | undefined, now: Date): string | null
  /** Ends all access of a person, as after the person removed it in their account. */
  revoke(subject: string): void
  /** Ends only the access tokens. */
  expireAccess(): void
  revokeToken(token: string): void
  /** All tokens that were ever given and are valid. */
  listTokens(): string[]
  /** The refresh tokens, the newest last. */
  listRefreshTokens(): string[]
}

type Grant = { subject: string; scope: string }

export function createConsent(clientId: string, clientSecret: string): Consent {
  const codes = new Map<string, Grant & { challenge: string; redirectUri: string }>()
  const refreshTokens = new Map<string, Grant>()
  const accessTokens = new Map<string, Grant & { expiresAt: number }>()
  const newToken = () => randomBytes(24).toString('base64url')

  const consent: Consent = {
    clientId,
    clientSecret,
    redirectUris: [],
    subject: 'ada@example.com',
    grantedScopes: null,
    refuses: false,
    rotates: false,
    accessSeconds: 3_599,
    refreshes: 0,

    authorize({ searchParams: query }) {
      const redirectUri = query.get('redirect_uri') ?? ''
      if (query.get('client_id') !== consent.clientId) throw new Error('invalid client')
      if (!consent.redirectUris.includes(redirectUri)) throw new Error('redirect_uri_mismatch')
      if (query.get('response_type') !== 'code') throw new Error('unsupported_response_type')
      if (query.get('code_challenge_method') !== 'S256') throw new Error('PKCE is missing')
      const answer = new URL(redirectUri)
      answer.searchParams.set('state', query.get('state') ?? '')
      if (consent.refuses) {
        answer.searchParams.set('error', 'access_denied')
        return answer
      }
      const code = newToken()
      codes.set(code, {
        subject: consent.subject,
        scope: consent.grantedScopes?.join(' ') ?? query.get('scope') ?? '',
        challenge: query.get('code_challenge') ?? '',
        redirectUri,
      })
      answer.searchParams.set('code', code)
      return answer
    },

    exchange(form, now) {
      if (form.get('client_id') !== consent.clientId) return 'invalid_client'
      if (form.get('client_secret') !== consent.clientSecret) return 'invalid_client'
      const grant = form.get('grant_type') === 'refresh_token' ? refresh(form) : redeem(form)
      if (grant === null) return 'invalid_grant'
      const access = newToken()
      const expiresAt = now.getTime() + consent.accessSeconds * 1_000
      accessTokens.set(access, { ...grant, expiresAt })
      return {
        token_type: 'Bearer',
        access_token: access,
        expires_in: consent.accessSeconds,
        scope: grant.scope,
        ...(grant.refresh !== null && { refresh_token: grant.refresh }),
      }
    },

    findSubject(authorization, now) {
      const token = accessTokens.get(authorization?.replace(/^Bearer /, '') ?? '')
      return token === undefined || token.expiresAt <= now.getTime() ? null : token.subject
    },
    revoke(subject) {
      for (const tokens of [refreshTokens, accessTokens])
        for (const [token, grant] of tokens) if (grant.subject === subject) tokens.delete(token)
    },
    expireAccess: () => accessTokens.clear(),
    revokeToken(token) {
      const subject = refreshTokens.get(token)?.subject
      if (subject !== undefined) consent.revoke(subject)
    },
    listRefreshTokens: () => [...refreshTokens.keys()],
    listTokens: () => [...refreshTokens.keys(), ...accessTokens.keys()],
  }

  function redeem(form: URLSearchParams): (Grant & { refresh: string }) | null {
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    if (code?.challenge !== challenge || code.redirectUri !== form.get('redirect_uri')) return null
    const refreshToken = newToken()
    refreshTokens.set(refreshToken, code)
    return { ...code, refresh: refreshToken }
  }

  function refresh(form: URLSearchParams): (Grant & { refresh: string | null }) | null {
    consent.refreshes += 1
    const given = form.get('refresh_token') ?? ''
    const grant = refreshTokens.get(given)
    if (grant === undefined) return null
    if (!consent.rotates) return { ...grant, refresh: null }
    refreshTokens.delete(given)
    const next = newToken()
    refreshTokens.set(next, grant)
    return { ...grant, refresh: next }
  }
  return consent
}
