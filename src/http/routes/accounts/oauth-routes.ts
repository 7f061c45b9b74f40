import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { OAuthArea } from '../../../accounts/area.ts'
import type { IssuedTokens, TokenRequest } from '../../../accounts/oauth/grants.ts'
import { OAuthError } from '../../../accounts/oauth/oauth-error.ts'
import {
  AUDIENCE_PATHS,
  describeResource,
  describeServer,
  parseResource,
  type OAuthAudience,
} from '../../../accounts/oauth/server-metadata.ts'
import { ipToRateLimitKey } from '../../../accounts/sign-in/sign-in-throttle.ts'
import { ServiceError } from '../../../errors.ts'
import type { Clock } from '../../../lib/time/clock.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineConsoleRoutes } from '../../pipeline/define-routes.ts'
import { clientIp } from '../../pipeline/access/caller.ts'
import { acceptOnlyEmptyBodies } from '../../pipeline/json-body.ts'
import type { RequestCounter } from '../../pipeline/rate-limit.ts'
import {
  AllowAssistantBody,
  AllowedAssistantResponse,
  ReviewAssistantBody,
  ReviewedAssistantResponse,
} from '../../shapes/oauth.ts'

type Parts = {
  /** Null if assistants can't connect. The paths then lead nowhere. */
  oauth: OAuthArea | null
  counts: Pick<RequestCounter, 'add'>
  clock: Clock
  hasLimits: boolean
}

const FORM_TYPE = 'application/x-www-form-urlencoded'
const MAX_FORM_BYTES = 8_192
const MAX_REGISTRATION_BYTES = 16_384
const MAX_AUTHORIZATION_QUERY = 4_096
/** Requests per minute from one address. The service of an assistant may serve many people from one address. */
const REQUESTS_PER_MINUTE = { register: 20, token: 300 } as const
/** RFC 7636. */
const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/
const OPEN = { access: 'open', subject: 'none' } as const

/** The authorization server for assistants: OAuth 2.1 with public clients, for which PKCE is the proof. */
export function oauthRoutes(app: FastifyApp, parts: Parts): void {
  const routes = defineConsoleRoutes(app)

  const { oauth } = parts
  if (oauth !== null) {
    app.decorate('oauthServer', oauth.server)
    metadataRoutes(app, oauth)
    // Only in this Fastify scope do errors have the form that OAuth clients understand.
    void app.register(async (scope: FastifyApp) => {
      scope.setErrorHandler<FastifyError>((error, _request, reply) => {
        if (!(error instanceof OAuthError)) throw error
        return reply
          .code(error.status)
          .send({ error: error.code, error_description: error.message })
      })
      registrationRoute(scope, oauth, parts)
      await scope.register(async (forms: FastifyApp) => tokenRoutes(forms, oauth, parts))
    })
  }
  // The page of the console that asks the person, and what it calls.
  // The console's router reads parameters as JSON, so it gets the query in a form that it can't change.
  app.get('/oauth/authorize', { config: OPEN }, async ({ url }, reply) => {
    if (oauth === null) throw new ServiceError('not_found')
    const query = url.slice(url.indexOf('?') + 1 || url.length)
    if (query.length > MAX_AUTHORIZATION_QUERY) throw new ServiceError('url_too_long')
    return reply.redirect(`/connect?request=q${Buffer.from(query).toString('base64url')}`, 303)
  })

  routes.post('/assistants/review', {
    body: ReviewAssistantBody,
    response: ReviewedAssistantResponse,
    handler: async ({ body, signedIn }) => {
      const query = Buffer.from(body.request.slice(1), 'base64url').toString('utf8')
      return requireOAuth(oauth).consent.review(query, signedIn)
    },
  })

  routes.post('/assistants/allow', {
    body: AllowAssistantBody,
    response: AllowedAssistantResponse,
    handler: async (request) => {
      const { body, signedIn } = request
      const choice = { canWrite: body.canWrite, projects: body.projects ?? null }
      const { consent } = requireOAuth(oauth)
      return {
        redirectUrl: await consent.allow(body.ticket, choice, signedIn, clientIp(request)),
      }
    },
  })
}

function metadataRoutes(app: FastifyApp, { server }: OAuthArea): void {
  app.get('/.well-known/oauth-authorization-server', { config: OPEN }, async () =>
    describeServer(server),
  )
  const prefix = '/.well-known/oauth-protected-resource'
  const resources: Array<[string, OAuthAudience]> = [
    [prefix, 'mcp'],
    [`${prefix}${AUDIENCE_PATHS.mcp}`, 'mcp'],
    [`${prefix}${AUDIENCE_PATHS.api}`, 'api'],
  ]
  for (const [url, audience] of resources)
    app.get(url, { config: OPEN }, async () => describeResource(server, audience))
}

function registrationRoute(app: FastifyApp, { server, clients }: OAuthArea, parts: Parts): void {
  if (!server.acceptsRegistration) return
  const options = { config: OPEN, bodyLimit: MAX_REGISTRATION_BYTES }
  app.post('/oauth/register', options, async (request, reply) => {
    limitRequests(parts, 'register', request)
    const { id, name, redirectUris, createdAt } = await clients.register(request.body)
    return reply.code(201).send({
      client_id: id,
      client_id_issued_at: Math.floor(createdAt.getTime() / 1_000),
      client_name: name,
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    })
  })
}

function tokenRoutes(scope: FastifyApp, { server, grants }: OAuthArea, parts: Parts): void {
  scope.removeAllContentTypeParsers()
  const form = { parseAs: 'string', bodyLimit: MAX_FORM_BYTES } as const
  scope.addContentTypeParser(FORM_TYPE, form, (_request, body, done) => done(null, body))
  acceptOnlyEmptyBodies(
    scope,
    () => new ServiceError('unsupported_media_type', { text: `Send the body as ${FORM_TYPE}` }),
  )
  const readRequest = (request: FastifyRequest): [Map<string, string>, TokenRequest] => {
    limitRequests(parts, 'token', request)
    const fields = readForm(request.body)
    const resource = fields.get('resource')
    const audience = resource === undefined ? undefined : parseResource(server, resource)
    return [fields, { clientId: fields.get('client_id') ?? null, audience, ip: clientIp(request) }]
  }

  scope.post('/oauth/token', { config: OPEN }, async (request, reply) => {
    const [fields, call] = readRequest(request)
    const grantType = fields.get('grant_type')
    if (grantType === 'refresh_token') {
      const token = requireField(fields, 'refresh_token')
      return sendTokens(reply, await grants.refresh(token, fields.get('scope') ?? null, call))
    }
    if (grantType !== 'authorization_code')
      throw new OAuthError(
        'unsupported_grant_type',
        'grant_type must be authorization_code or refresh_token',
      )
    const verifier = fields.get('code_verifier') ?? ''
    if (!CODE_VERIFIER.test(verifier))
      throw new OAuthError('invalid_request', 'Send code_verifier with 43 to 128 characters')
    const proof = { verifier, redirectUri: fields.get('redirect_uri') ?? null }
    return sendTokens(reply, await grants.redeemCode(requireField(fields, 'code'), proof, call))
  })

  scope.post('/oauth/revoke', { config: OPEN }, async (request, reply) => {
    const [fields, call] = readRequest(request)
    await grants.revoke(requireField(fields, 'token'), call)
    return reply.send({})
  })
}

function requireOAuth(oauth: OAuthArea | null): OAuthArea {
  if (oauth !== null) return oauth
  throw new ServiceError('invalid_assistant_request', {
    text: 'Assistants cannot connect to this instance',
    hint: 'An operator can allow it with HANSARD_ASSISTANTS, and with an https address in HANSARD_PUBLIC_URL',
  })
}

function limitRequests(
  { counts, clock, hasLimits }: Parts,
  what: keyof typeof REQUESTS_PER_MINUTE,
  request: FastifyRequest,
): void {
  const limit = REQUESTS_PER_MINUTE[what]
  const key = `oauth_${what}:${ipToRateLimitKey(clientIp(request))}`
  if (!hasLimits || counts.add(key) <= limit) return
  throw new ServiceError('too_many_requests', {
    text: `This address sent more than ${limit} requests per minute`,
    retryAfterSeconds: 60 - clock.now().getUTCSeconds(),
  })
}

/** A repeated field has no clear meaning, so the request is refused. */
function readForm(body: unknown): Map<string, string> {
  const all = [...new URLSearchParams(typeof body === 'string' ? body : '')]
  const fields = new Map(all)
  if (all.length > fields.size) throw new OAuthError('invalid_request', 'A field is repeated')
  return fields
}

function requireField(fields: ReadonlyMap<string, string>, name: string): string {
  const value = fields.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `Send ${name}`)
  return value
}

function sendTokens(reply: FastifyReply, issued: IssuedTokens): FastifyReply {
  return reply.send({
    access_token: issued.accessToken,
    token_type: 'Bearer',
    expires_in: issued.expiresInSeconds,
    refresh_token: issued.refreshToken,
    scope: issued.scope,
  })
}
