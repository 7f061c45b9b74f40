import type * as OpenIdClient from 'openid-client'
import { discoveryUrlOf, isSameIssuer } from '../sign-in-methods.ts'
import { parsePersonClaims } from './person-claims.ts'
import { ProviderSignInError } from './sign-in-problems.ts'

export type OpenIdProviderOptions = {
  /** The address that the discovery document and every ID token must name, with or without a final slash. */
  issuer: string
  clientId: string
  /** Null for a public client, which only PKCE protects. */
  clientSecret: string | null
  scopes: string
  groupsClaim: string
  /** True if any setting needs groups. Otherwise they are not requested if the ID token has none. */
  needsGroups: boolean
  timeoutMs: number
  fetch: OpenIdClient.CustomFetch
}

export type AuthorizationChecks = {
  state: string
  nonce: string
  codeVerifier: string
  /** In seconds: the person must sign in after this time, even with a session at the provider. Null for any time. */
  loginAfter: number | null
}

/** How long the discovery document is used before it is read again. */
const METADATA_TTL_MS = 600_000
const CLOCK_TOLERANCE_SECONDS = 30

/** An OpenID Connect provider. Every call throws a ProviderSignInError if the provider fails or refuses. */
export function createOpenIdProvider(
  options: OpenIdProviderOptions,
  elapsed: () => number = () => performance.now(),
) {
  const { groupsClaim, needsGroups, scopes } = options
  let cached: { config: OpenIdClient.Configuration; readAt: number } | null = null

  const discover = async (client: typeof OpenIdClient) => {
    if (cached !== null && elapsed() - cached.readAt < METADATA_TTL_MS) return cached.config
    const config = await discoverProvider(client, options).catch((error: unknown) => {
      throw new ProviderSignInError('provider_unavailable', error)
    })
    cached = { config, readAt: elapsed() }
    return config
  }

  /** Loads the client on first use, because most instances have no provider. */
  const withProvider = async <T>(
    work: (client: typeof OpenIdClient, config: OpenIdClient.Configuration) => Promise<T>,
  ): Promise<T> => {
    const client = await import('openid-client')
    try {
      return await work(client, await discover(client))
    } catch (error) {
      throw toSignInError(client, error)
    }
  }

  return {
    /** The provider's page where the person signs in, and what the answer must match. */
    startAuthorization: (redirectUri: string, loginAfter: AuthorizationChecks['loginAfter']) =>
      withProvider(async (client, config) => {
        const checks = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          codeVerifier: client.randomPKCECodeVerifier(),
          loginAfter,
        }
        const url = client.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: scopes,
          state: checks.state,
          nonce: checks.nonce,
          code_challenge: await client.calculatePKCECodeChallenge(checks.codeVerifier),
          code_challenge_method: 'S256',
          ...(loginAfter !== null && { prompt: promptForLink(config), max_age: '0' }),
        })
        return { ...checks, url: url.href }
      }),

    /** Exchanges the code in the URL where the provider sent the browser, and checks the whole answer. */
    finishAuthorization: (
      callbackUrl: URL,
      { state, nonce, codeVerifier, loginAfter }: AuthorizationChecks,
    ) =>
      withProvider(async (client, config) => {
        const tokens = await client.authorizationCodeGrant(config, callbackUrl, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (claims === undefined || tokens.id_token === undefined)
          throw new ProviderSignInError('answer_rejected')
        if (loginAfter !== null) refuseEarlierLogin(claims['auth_time'], loginAfter)
        const missing =
          claims['email'] === undefined || (needsGroups && claims[groupsClaim] === undefined)
        const hasUserInfo = config.serverMetadata().userinfo_endpoint !== undefined
        // Many providers put email and groups only there. The answer must have the same subject.
        const userInfo: Readonly<Record<string, unknown>> =
          missing && hasUserInfo
            ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
            : {}
        // The address and its verification must come from the same answer.
        const source = claims['email'] === undefined ? userInfo : claims
        const { email, email_verified } = source
        const all = { ...userInfo, ...claims, email, email_verified }
        return parsePersonClaims(all, { groupsClaim, idToken: tokens.id_token })
      }),

    /** The provider's page that ends the session there. Null if it has none. */
    endSessionUrl: (idToken: string, returnUrl: string) =>
      withProvider(async (client, config) => {
        if (config.serverMetadata().end_session_endpoint === undefined) return null
        const parameters = { id_token_hint: idToken, post_logout_redirect_uri: returnUrl }
        return client.buildEndSessionUrl(config, parameters).href
      }),
  }
}

export type OpenIdProvider = ReturnType<typeof createOpenIdProvider>

/** Some providers never report the time. Then it is unknown whether they asked the person to sign in again. */
function refuseEarlierLogin(authTime: unknown, loginAfter: number): void {
  if (authTime === undefined) return
  if (typeof authTime === 'number' && authTime >= loginAfter - CLOCK_TOLERANCE_SECONDS) return
  throw new ProviderSignInError('answer_rejected')
}

async function discoverProvider(
  client: typeof OpenIdClient,
  { issuer, clientId, clientSecret, timeoutMs, fetch }: OpenIdProviderOptions,
): Promise<OpenIdClient.Configuration> {
  // With the document's full address, the library skips its check of the issuer, which a final slash would break.
  const documentUrl = discoveryUrlOf(issuer)
  const config = await client.discovery(
    documentUrl,
    clientId,
    { [client.clockTolerance]: CLOCK_TOLERANCE_SECONDS },
    createClientAuthentication(client, clientSecret),
    {
      [client.customFetch]: fetch,
      timeout: timeoutMs / 1000,
      // The setting allows http only for a provider on this machine.
      execute: documentUrl.protocol === 'http:' ? [client.allowInsecureRequests] : [],
    },
  )
  if (!isSameIssuer(config.serverMetadata().issuer, issuer))
    throw new Error(`the discovery document names the issuer ${config.serverMetadata().issuer}`)
  client.enableNonRepudiationChecks(config)
  return config
}

/** Sends the client secret as the provider asks. If it does not say, as a header, which is the standard. */
function createClientAuthentication(
  client: typeof OpenIdClient,
  secret: string | null,
): OpenIdClient.ClientAuth {
  if (secret === null) return client.None()
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)]
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...request)
  }
}

/** Errors of a readable but wrong answer. All others mean that the provider does not work right now. */
const REJECTED_ANSWER_CODES: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_RESPONSE_BODY_ERROR',
])

function toSignInError(client: typeof OpenIdClient, error: unknown): ProviderSignInError {
  if (error instanceof ProviderSignInError) return error
  if (error instanceof client.AuthorizationResponseError)
    return new ProviderSignInError('provider_refused', error)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isRejected = REJECTED_ANSWER_CODES.has(code) || error instanceof client.ResponseBodyError
  return new ProviderSignInError(isRejected ? 'answer_rejected' : 'provider_unavailable', error)
}

const GOOGLE_ISSUER = 'https://accounts.google.com'

/** Makes a person who links an account sign in again. Google refuses that value, so they choose the account instead. */
function promptForLink(config: OpenIdClient.Configuration): string {
  const { issuer, prompt_values_supported: supported } = config.serverMetadata()
  const knowsLogin = Array.isArray(supported)
    ? supported.includes('login')
    : issuer !== GOOGLE_ISSUER
  return knowsLogin ? 'login' : 'select_account'
}
