import { createPublicKey, randomBytes } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose'
import type { ProviderAnswer } from '../http/provider-server.ts'
import { DOMAIN, SERVICE_ACCOUNT, type Workspace } from './workspace.ts'

/*
 * The token endpoint of Google for service accounts with domain-wide delegation, written from "Using OAuth 2.0 for Server
 * to Server Applications" and its table of errors, as published in November 2026.
 */

const GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const MAX_ASSERTION_SECONDS = 3_600
const CLOCK_TOLERANCE_SECONDS = 300
const TOKEN_SECONDS = 3_599

export type IssuedToken = {
  person: string
  scopes: string[]
  expiresAt: Date
  generation: number
}

/** Access tokens are opaque. */
export type IssuedTokens = Map<string, IssuedToken>

export async function answerTokenRequest(
  workspace: Workspace,
  tokens: IssuedTokens,
  form: URLSearchParams,
  audience: string,
): Promise<ProviderAnswer> {
  if (form.get('grant_type') !== GRANT_TYPE)
    return refuse('unsupported_grant_type', 'Invalid grant_type')
  const assertion = form.get('assertion') ?? ''
  const claims = await verifyAssertion(workspace, assertion, audience)
  if (typeof claims === 'string') return refuse('invalid_grant', claims)
  const { person, scopes } = claims
  if (scopes.length === 0)
    return refuse('invalid_scope', 'Invalid OAuth scope or ID token audience')
  const isInOrganization = person.endsWith(`@${DOMAIN}`)
  const user = workspace.users.find(({ address }) => address === person)
  if (isInOrganization && user === undefined)
    return refuse('invalid_grant', 'Invalid email or User ID')
  if (user?.isSuspended === true) return refuse('invalid_grant', 'The user account is suspended')
  if (!isInOrganization || !scopes.every((scope) => workspace.delegatedScopes.includes(scope)))
    return refuse(
      'unauthorized_client',
      'Client is unauthorized to retrieve access tokens using this method, or client not authorized for any of the scopes requested.',
      401,
    )
  const text = `ya29.c.${randomBytes(30).toString('base64url')}`
  tokens.set(text, {
    person,
    scopes,
    expiresAt: new Date(workspace.now().getTime() + TOKEN_SECONDS * 1_000),
    generation: workspace.tokenGeneration,
  })
  const body = { access_token: text, expires_in: TOKEN_SECONDS, token_type: 'Bearer' }
  return { status: 200, body }
}

/** The person and the scopes, or Google's description of what is wrong. */
async function verifyAssertion(
  { keys, now }: Workspace,
  assertion: string,
  audience: string,
): Promise<{ person: string; scopes: string[] } | string> {
  const tooLong =
    'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.'
  try {
    const { kid, alg } = decodeProtectedHeader(assertion)
    const key = keys.find(({ id, isDisabled }) => id === kid && !isDisabled)
    if (decodeJwt(assertion).iss !== SERVICE_ACCOUNT) return 'Invalid grant: account not found'
    if (key === undefined || alg !== 'RS256') return 'Invalid JWT Signature.'
    const { payload } = await jwtVerify(assertion, createPublicKey(key.publicKeyPem), {
      algorithms: ['RS256'],
      audience,
      requiredClaims: ['iat', 'exp', 'sub'],
      currentDate: now(),
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
    })
    const { iat = 0, exp = 0, sub: person = '', scope } = payload
    const isEarly = iat > now().getTime() / 1_000 + CLOCK_TOLERANCE_SECONDS
    if (isEarly || exp - iat > MAX_ASSERTION_SECONDS) return tooLong
    return { person, scopes: typeof scope === 'string' ? scope.split(' ') : [] }
  } catch (error) {
    if (error instanceof errors.JWTExpired) return tooLong
    if (error instanceof errors.JWTClaimValidationFailed)
      return 'Invalid JWT: Failed audience check.'
    if (error instanceof errors.JOSEError) return 'Invalid JWT Signature.'
    throw error
  }
}

function refuse(error: string, description: string, status = 400): ProviderAnswer {
  return { status, body: { error, error_description: description } }
}

/** Whose token it is; null if it is not valid now. */
export function readToken(
  { now, tokenGeneration }: Workspace,
  tokens: IssuedTokens,
  authorization: string,
): IssuedToken | null {
  const token = tokens.get(authorization.replace(/^Bearer /, ''))
  const isValid = token?.generation === tokenGeneration && token.expiresAt > now()
  return isValid ? token : null
}
