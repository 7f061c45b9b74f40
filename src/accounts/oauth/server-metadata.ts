import type { ApiTokenScope } from '../roles.ts'

/** What an access token is for. A token for assistants is refused by the API, and the other way around. */
export type OAuthAudience = 'mcp' | 'api'
export const AUDIENCE_PATHS: Readonly<Record<OAuthAudience, string>> = {
  mcp: '/mcp',
  api: '/api/v1',
}

/** The scopes that clients ask for, and the scopes of the API token that they become. */
export const OAUTH_SCOPES = {
  read: ['read'],
  write: ['meetings', 'tasks'],
} as const satisfies Record<string, readonly ApiTokenScope[]>

/** The authorization server of this instance. */
export type OAuthServer = {
  /** The public URL, without a slash at its end. */
  issuer: string
  /** False if only assistants with a metadata document may connect. */
  acceptsRegistration: boolean
}

export function toTokenScopes(canWrite: boolean): ApiTokenScope[] {
  return canWrite ? [...OAUTH_SCOPES.read, ...OAUTH_SCOPES.write] : [...OAUTH_SCOPES.read]
}

export function toOAuthScope(scopes: readonly ApiTokenScope[] | null): string {
  const names = Object.entries(OAUTH_SCOPES).filter(([, needed]) =>
    needed.every((scope) => scopes === null || scopes.includes(scope)),
  )
  return names.map(([name]) => name).join(' ')
}

export function resourceUrl({ issuer }: OAuthServer, audience: OAuthAudience): string {
  return `${issuer}${AUDIENCE_PATHS[audience]}`
}

/** Where clients find out how to get a token for this resource. */
export function resourceMetadataUrl({ issuer }: OAuthServer, audience: OAuthAudience): string {
  return `${issuer}/.well-known/oauth-protected-resource${AUDIENCE_PATHS[audience]}`
}

/** The audience of a resource indicator. Null for any other resource. Without one, clients mean the assistant's address. */
export function parseResource(server: OAuthServer, resource: string | null): OAuthAudience | null {
  if (resource === null) return 'mcp'
  const audiences = Object.keys(AUDIENCE_PATHS) as OAuthAudience[]
  // Clients add or drop the slash at the end.
  const given = resource.replace(/\/$/, '')
  return audiences.find((audience) => resourceUrl(server, audience) === given) ?? null
}

/** Protected resource metadata (RFC 9728). */
export function describeResource(server: OAuthServer, audience: OAuthAudience) {
  return {
    resource: resourceUrl(server, audience),
    authorization_servers: [server.issuer],
    scopes_supported: Object.keys(OAUTH_SCOPES),
    bearer_methods_supported: ['header'],
    resource_name: 'Hansard',
  }
}

/** Authorization server metadata (RFC 8414). */
export function describeServer({ issuer, acceptsRegistration }: OAuthServer) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/oauth/authorize`,
    token_endpoint: `${issuer}/oauth/token`,
    revocation_endpoint: `${issuer}/oauth/revoke`,
    ...(acceptsRegistration && { registration_endpoint: `${issuer}/oauth/register` }),
    scopes_supported: Object.keys(OAUTH_SCOPES),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  }
}
