import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Provider } from 'oidc-provider'

export const CLIENT_ID = 'hansard'
export const CLIENT_SECRET = 'the secret of this client'
const SCOPES = 'openid email profile'

/** What the provider says about each person, by login. The login is the subject. */
export type PersonClaims = {
  name?: string
  email?: string
  email_verified?: boolean
  groups?: string[]
}

/**
 * `working`: answers normally. `down`: closes every connection. `garbage`: answers with text that is not JSON.
 * `endless`: answers with endless JSON text. `impostor`: its discovery document names another issuer.
 */
export type ProviderMode = 'working' | 'down' | 'garbage' | 'endless' | 'impostor'

export type TestOpenIdProvider = AsyncDisposable & {
  issuer: string
  mode: ProviderMode
  people: Record<string, PersonClaims>
  /** Registers the service as a client. Call this before the first sign-in. */
  connect(serviceUrl: string): void
}

/** Starts a real OpenID provider on loopback. Its sign-in page asks only for the login. */
export async function openOpenIdProvider(
  people: Record<string, PersonClaims>,
): Promise<TestOpenIdProvider> {
  let provider: Provider | null = null
  const server = createServer((request, response) => {
    if (opened.mode !== 'working' && !request.url?.startsWith('/interaction/'))
      return misbehave(opened.mode, response)
    if (provider === null) throw new Error('the provider is used before connect')
    void handle(provider, request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const opened: TestOpenIdProvider = {
    issuer,
    mode: 'working',
    people,
    connect(serviceUrl) {
      provider = new Provider(
        issuer,
        createConfiguration(serviceUrl, people, () => provider),
      )
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return opened
}

function misbehave(mode: Exclude<ProviderMode, 'working'>, response: ServerResponse): void {
  const json = (body: string) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  const behaviours: Record<typeof mode, () => unknown> = {
    down: () => response.destroy(),
    garbage: () => json('<html>Bad gateway</html>'),
    endless: () => json(`{"x":"${'x'.repeat(5_000_000)}"}`),
    impostor: () => json(JSON.stringify({ issuer: 'https://id.example.com' })),
  }
  behaviours[mode]()
}

async function handle(
  provider: Provider,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
  if (request.method === 'GET') {
    response.setHeader('content-type', 'text/html')
    response.end(`<!doctype html><title>Provider</title><form method="post">
      <label>Login <input name="login"></label><button>Continue</button>
      <button name="refuse" value="yes">Refuse</button></form>`)
    return
  }
  const form = new URLSearchParams(await text(request))
  const result = form.has('refuse')
    ? { error: 'access_denied', error_description: 'the person said no' }
    : { login: { accountId: form.get('login') } }
  await provider.interactionFinished(request, response, result)
}

function createConfiguration(
  serviceUrl: string,
  people: Record<string, PersonClaims>,
  provider: () => Provider | null,
): object {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    adapter: createMemoryAdapter(),
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    clients: [
      {
        client_id: CLIENT_ID,
        client_secret: CLIENT_SECRET,
        redirect_uris: [`${serviceUrl}/web/sign-in/provider/callback`],
        post_logout_redirect_uris: [`${serviceUrl}/sign-in`],
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'groups'] },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 60,
      AuthorizationCode: 60,
      IdToken: 60,
      Interaction: 600,
      Session: 600,
      Grant: 600,
    },
    features: {
      devInteractions: { enabled: false },
      rpInitiatedLogout: { enabled: true, logoutSource: showLogoutPage },
    },
    interactions: { url: (_ctx: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_ctx: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
    // No one is asked for consent.
    async loadExistingGrant(ctx: GrantContext) {
      const { Grant } = provider() ?? {}
      if (Grant === undefined) return undefined
      const { client, session } = ctx.oidc
      const grant = new Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope(SCOPES)
      await grant.save()
      return grant
    },
  }
}

type GrantContext = { oidc: { client: { clientId: string }; session: { accountId: string } } }

function showLogoutPage(ctx: { body: string }, form: string): void {
  ctx.body = `<!doctype html><title>Provider</title>${form}
    <button form="op.logoutForm" name="logout" value="yes">End the session here too</button>`
}

/** The storage that the provider needs, with one class for all kinds of objects. */
function createMemoryAdapter() {
  type Payload = Record<string, unknown>
  const rows = new Map<string, Payload>()
  return class {
    kind: string
    constructor(kind: string) {
      this.kind = kind
    }
    async upsert(id: string, payload: Payload) {
      rows.set(`${this.kind}:${id}`, payload)
    }
    async find(id: string) {
      return rows.get(`${this.kind}:${id}`)
    }
    async findByUid(uid: string) {
      return [...rows].find(
        ([key, row]) => key.startsWith(`${this.kind}:`) && row['uid'] === uid,
      )?.[1]
    }
    async consume(id: string) {
      const row = rows.get(`${this.kind}:${id}`)
      if (row) row['consumed'] = Math.floor(Date.now() / 1000)
    }
    async destroy(id: string) {
      rows.delete(`${this.kind}:${id}`)
    }
    async revokeByGrantId(grantId: string) {
      for (const [key, row] of rows) if (row['grantId'] === grantId) rows.delete(key)
    }
  }
}
