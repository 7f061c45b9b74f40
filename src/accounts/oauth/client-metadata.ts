import { z } from 'zod'
import { toPlainLine } from '../../lib/text/plain-text.ts'
import { OAuthError } from './oauth-error.ts'
import { findRedirectUriProblem } from './redirect-uris.ts'

const MAX_NAME_LENGTH = 80
const MAX_REDIRECT_URIS = 20

/** What an assistant says about itself, in a registration or in its metadata document. Other fields are ignored. */
const Metadata = z.object({
  redirect_uris: z.array(z.string()).min(1).max(MAX_REDIRECT_URIS),
  client_name: z.string().max(1_000).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
})

export type ClientMetadata = { name: string; redirectUris: string[] }

/** Throws `invalid_redirect_uri` or `invalid_client_metadata`. */
export function parseClientMetadata(value: unknown): ClientMetadata {
  const parsed = Metadata.safeParse(value)
  if (!parsed.success) {
    const paths = parsed.error.issues.slice(0, 3).map(({ path }) => path.join('.') || 'document')
    throw new OAuthError('invalid_client_metadata', `Missing or invalid: ${paths.join(', ')}`)
  }
  const { redirect_uris: redirectUris, client_name: clientName = '', ...types } = parsed.data
  for (const uri of redirectUris) {
    const problem = findRedirectUriProblem(uri)
    if (problem !== null) throw new OAuthError('invalid_redirect_uri', problem)
  }
  if (types.grant_types?.includes('authorization_code') === false)
    throw new OAuthError('invalid_client_metadata', 'grant_types lacks authorization_code')
  if (types.response_types?.includes('code') === false)
    throw new OAuthError('invalid_client_metadata', 'response_types lacks code')
  // Invisible characters could reverse or hide a part of the name.
  const name = toPlainLine(clientName.replaceAll(/\p{Cf}/gu, ''), MAX_NAME_LENGTH)
  return { name: name === '' ? new URL(redirectUris[0] ?? '').host : name, redirectUris }
}

/** The URL of a client metadata document. Null if the client id is not one. */
export function parseDocumentUrl(clientId: string): URL | null {
  const url = clientId.length <= 2_048 ? URL.parse(clientId) : null
  if (url === null || url.protocol !== 'https:' || url.href !== clientId) return null
  const { pathname, search, username, password } = url
  const isPlain = pathname !== '/' && search === '' && username === '' && password === ''
  return isPlain && !clientId.includes('#') ? url : null
}

/** The methods to authenticate a client with a secret that both know. A public document cannot contain one. */
const SECRET_METHODS = /^client_secret_/

const Document = z.object({
  client_id: z.string(),
  token_endpoint_auth_method: z.string().optional(),
  client_secret: z.undefined().optional(),
})

/** Throws if the document describes another client. */
export function parseClientDocument(value: unknown, clientId: string): ClientMetadata {
  const parsed = Document.safeParse(value)
  if (!parsed.success || parsed.data.client_id !== clientId)
    throw new OAuthError(
      'invalid_client_metadata',
      'Its client_id is not the address of the document',
    )
  if (SECRET_METHODS.test(parsed.data.token_endpoint_auth_method ?? 'none'))
    throw new OAuthError('invalid_client_metadata', 'It asks for a client secret')
  return parseClientMetadata(value)
}
