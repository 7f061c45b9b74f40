import { z } from 'zod'
import { ServiceError } from '../../errors.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import { addSecondsToDate, type Clock } from '../../lib/time/clock.ts'
import type { AuthenticatedSession } from '../sign-in/sessions.ts'
import { requireRecentSignIn } from '../sign-in/sign-in-methods.ts'
import { invalidAssistantError, type OAuthClient, type OAuthClients } from './clients.ts'
import type { OAuthGrants } from './grants.ts'
import { OAuthError } from './oauth-error.ts'
import { isLoopback, matchesRedirectUri } from './redirect-uris.ts'
import { OAUTH_SCOPES, parseResource, toTokenScopes, type OAuthServer } from './server-metadata.ts'

/** What the consent page shows. */
export type ConsentRequest = {
  assistant: {
    name: string
    /** Where the browser goes with the code. */
    host: string
    /** True if the host is this machine, where any program could listen. */
    isOnThisMachine: boolean
    /** True if the host also publishes the assistant's name. */
    isVerified: boolean
  }
  canWrite: boolean
  /** Proves what the person was shown. Null if the request has a problem that the assistant has to solve. */
  ticket: string | null
  problem: string | null
  /** Where the browser goes if the person refuses, with the error for the assistant. */
  refuseUrl: string
}

type Parts = {
  server: OAuthServer
  clock: Clock
  secretBox: SecretBox
  clients: OAuthClients
  grants: OAuthGrants
}

const TICKET_SECONDS = 600
const TICKET_LABEL = 'oauth consent'
/** SHA-256 in base64url. */
const CODE_CHALLENGE = /^[A-Za-z0-9_-]{43}$/

/** What the person was shown, encrypted, so that the click can be nothing else. */
const Ticket = z.object({
  sessionId: z.string(),
  expiresAt: z.number(),
  clientId: z.string(),
  name: z.string(),
  redirectUri: z.string(),
  isVerified: z.boolean(),
  state: z.string().nullable(),
  codeChallenge: z.string(),
  audience: z.enum(['mcp', 'api']),
  canWrite: z.boolean(),
})

export function createOAuthConsent(parts: Parts) {
  const { server, clock, secretBox, clients, grants } = parts

  const openTicket = (sealed: string, { session }: AuthenticatedSession) => {
    const ticket = readTicket(secretBox, sealed)
    const isCurrent =
      ticket !== null && ticket.sessionId === session.id && ticket.expiresAt > clock.now().getTime()
    if (!isCurrent) throw new ServiceError('consent_outdated')
    return ticket
  }

  return {
    /** Reads an authorization request: the query that the assistant's site sent the browser with. */
    async review(query: string, { session }: AuthenticatedSession): Promise<ConsentRequest> {
      // Like a new API token, so that a stranger at an unlocked computer can't get permanent access.
      requireRecentSignIn(session, clock.now())
      const parameters = readParameters(query)
      const client = await clients.find(parameters.get('client_id') ?? '')
      const redirectUri = findRedirectUri(client, parameters.get('redirect_uri') ?? '')
      const { host, isVerified, isOnThisMachine } = describeTarget(client, redirectUri)
      const state = parameters.get('state') ?? null
      const answer = (error: OAuthError) =>
        addParameters(redirectUri, {
          error: error.code,
          error_description: error.message,
          state,
          iss: server.issuer,
        })
      const shown = {
        assistant: { name: client.name, host, isOnThisMachine, isVerified },
        refuseUrl: answer(new OAuthError('access_denied', 'The person refused')),
      }
      try {
        const request = parseRequest(server, parameters)
        const ticket: z.infer<typeof Ticket> = {
          sessionId: session.id,
          clientId: client.id,
          name: client.name,
          redirectUri,
          expiresAt: addSecondsToDate(clock.now(), TICKET_SECONDS).getTime(),
          isVerified,
          state,
          ...request,
        }
        const sealed = secretBox.seal(JSON.stringify(ticket), TICKET_LABEL).toString('base64url')
        return { ...shown, canWrite: request.canWrite, ticket: sealed, problem: null }
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error
        return {
          ...shown,
          canWrite: false,
          ticket: null,
          problem: error.message,
          refuseUrl: answer(error),
        }
      }
    },

    /** Stores the consent. Returns where the browser goes with the code. */
    async allow(
      sealed: string,
      { canWrite, projects }: { canWrite: boolean; projects: string[] | null },
      signedIn: AuthenticatedSession,
      ip: string,
    ) {
      const ticket = openTicket(sealed, signedIn)
      const { state, redirectUri } = ticket
      if (canWrite && !ticket.canWrite) throw new ServiceError('consent_outdated')
      const grant = { ...ticket, scopes: toTokenScopes(canWrite), projects }
      const code = await grants.create(grant, signedIn, ip)
      return addParameters(redirectUri, { code, state, iss: server.issuer })
    },
  }
}

export type OAuthConsent = ReturnType<typeof createOAuthConsent>

/** A repeated parameter has no clear meaning, so the request is refused. */
function readParameters(query: string): ReadonlyMap<string, string> {
  const all = [...new URLSearchParams(query)]
  const parameters = new Map(all)
  if (all.length > parameters.size)
    throw invalidAssistantError('The request of the assistant repeats a parameter')
  return parameters
}

function findRedirectUri({ redirectUris }: OAuthClient, given: string): string {
  if (redirectUris.some((registered) => matchesRedirectUri(registered, given))) return given
  throw invalidAssistantError(
    'The assistant wants the answer at an address that it has not registered',
    'Do not continue: the link may be a forgery. Start the connection in the assistant itself',
  )
}

function describeTarget({ documentHost }: OAuthClient, redirectUri: string) {
  const url = new URL(redirectUri)
  return { host: url.host, isVerified: url.host === documentHost, isOnThisMachine: isLoopback(url) }
}

/** Throws an error that the assistant gets at its redirect URI. */
function parseRequest(server: OAuthServer, parameters: ReadonlyMap<string, string>) {
  const required = (name: string) => parameters.get(name) ?? ''
  const codeChallenge = required('code_challenge')
  if (required('response_type') !== 'code')
    throw new OAuthError('unsupported_response_type', 'response_type must be code')
  if ((parameters.get('response_mode') ?? 'query') !== 'query')
    throw new OAuthError('invalid_request', 'response_mode must be query')
  if (parameters.has('request') || parameters.has('request_uri'))
    throw new OAuthError('invalid_request', 'Request objects are not supported')
  if (required('code_challenge_method') !== 'S256' || !CODE_CHALLENGE.test(codeChallenge))
    throw new OAuthError('invalid_request', 'PKCE with S256 is required')
  const audience = parseResource(server, parameters.get('resource') ?? null)
  if (audience === null) throw new OAuthError('invalid_target', 'This resource is not here')
  const asked = parameters.get('scope')?.split(' ') ?? Object.keys(OAUTH_SCOPES)
  if (!asked.some((name) => Object.hasOwn(OAUTH_SCOPES, name)))
    throw new OAuthError('invalid_scope', 'scope must contain read or write')
  return { codeChallenge, audience, canWrite: asked.includes('write') }
}

function readTicket(secretBox: SecretBox, sealed: string): z.infer<typeof Ticket> | null {
  try {
    const text = secretBox.open(Buffer.from(sealed, 'base64url'), TICKET_LABEL)
    return Ticket.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Adds parameters without changing the rest of a URI, which clients compare by character. */
function addParameters(uri: string, parameters: Record<string, string | null>): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as [string, string]],
  )
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(given).toString()}`
}
