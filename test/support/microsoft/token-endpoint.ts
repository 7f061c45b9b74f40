import { createPublicKey, randomBytes } from 'node:crypto'
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose'
import { CLIENT_ID, TENANT_ID, type Tenant } from './tenant.ts'

/*
 * The token endpoint of Microsoft Entra ID for the client credentials grant, written from entra-docs:
 * identity-platform/v2-oauth2-client-creds-grant-flow.md, certificate-credentials.md and reference-error-codes.md, as
 * published in November 2026.
 */

const SIGNING_KEY = randomBytes(32)
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export type TokenAnswer = { status: number; body: object }

/** Answers a request for a token. `origin` is that of this server, `graph` that of Graph. */
export async function answerTokenRequest(
  tenant: Tenant,
  {
    path,
    form,
    origin,
    graph,
  }: { path: string; form: URLSearchParams; origin: string; graph: string },
): Promise<TokenAnswer> {
  const [, tenantId] = /^\/([^/]+)\/oauth2\/v2\.0\/token$/.exec(path) ?? []
  if (tenantId !== TENANT_ID) return refuse('invalid_request', 90002)
  if (form.get('grant_type') !== 'client_credentials')
    return refuse('unsupported_grant_type', 70003)
  if (form.get('client_id') !== CLIENT_ID) return refuse('unauthorized_client', 700016)
  if (form.get('scope') !== `${graph}/.default`) return refuse('invalid_scope', 70011)
  if (tenant.isAppDisabled) return refuse('unauthorized_client', 7000112)
  const now = tenant.now()
  const code = form.has('client_assertion')
    ? await findAssertionProblem(tenant, form, `${origin}${path}`, now)
    : findSecretProblem(tenant, form.get('client_secret') ?? '')
  if (code !== null) return refuse('invalid_client', code)
  const token = await new SignJWT({ roles: tenant.permissions, gen: tenant.tokenGeneration })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setAudience(graph)
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + 3_599_000))
    .sign(SIGNING_KEY)
  return { status: 200, body: { token_type: 'Bearer', expires_in: 3599, access_token: token } }
}

function findSecretProblem({ secrets }: Tenant, value: string): number | null {
  const secret = secrets.find((one) => one.value === value)
  if (secret === undefined) return 7000215
  return secret.expired ? 7000222 : null
}

/** Checks the signature by the certificate that the thumbprint names, the audience, the subject and the times. */
async function findAssertionProblem(
  tenant: Tenant,
  form: URLSearchParams,
  audience: string,
  now: Date,
): Promise<number | null> {
  const assertion = form.get('client_assertion') ?? ''
  if (form.get('client_assertion_type') !== ASSERTION_TYPE) return 70002
  const { 'x5t#S256': thumbprint, alg } = decodeProtectedHeader(assertion)
  const certificate = tenant.certificates.find((one) => one.thumbprint === thumbprint)
  if (certificate === undefined || alg !== 'PS256') return 700027
  try {
    await jwtVerify(assertion, createPublicKey(certificate.publicKeyPem), {
      algorithms: ['PS256'],
      audience,
      issuer: CLIENT_ID,
      subject: CLIENT_ID,
      requiredClaims: ['jti', 'exp', 'nbf'],
      currentDate: now,
      clockTolerance: 300,
    })
    return null
  } catch (error) {
    const isTime =
      error instanceof errors.JWTExpired ||
      (error instanceof errors.JWTClaimValidationFailed && error.claim === 'nbf')
    return isTime ? 700024 : 700027
  }
}

function refuse(error: string, code: number): TokenAnswer {
  const body = {
    error,
    error_description: `AADSTS${code}: The request was refused. Trace ID: 0000aaaa-11bb-cccc-dd22-eeeeee333333`,
    error_codes: [code],
    timestamp: '2026-11-15 02:02:12Z',
    error_uri: `https://login.microsoftonline.com/error?code=${code}`,
  }
  return { status: error === 'invalid_client' ? 401 : 400, body }
}

/** The claims of a token that is valid now; null otherwise. */
export async function readToken(
  tenant: Tenant,
  authorization: string,
  graph: string,
): Promise<{ roles: string[] } | null> {
  try {
    const { payload } = await jwtVerify(authorization.replace(/^Bearer /, ''), SIGNING_KEY, {
      audience: graph,
      currentDate: tenant.now(),
    })
    if (payload['gen'] !== tenant.tokenGeneration) return null
    return { roles: payload['roles'] as string[] }
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
