import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client'

const CERTIFICATES = join(import.meta.dirname, '../certificates')
export const LOCALHOST_CERTIFICATE: ServerOptions = {
  key: readFileSync(join(CERTIFICATES, 'key.pem')),
  cert: readFileSync(join(CERTIFICATES, 'localhost.pem')),
}

export type AssistantSite = AsyncDisposable & {
  url: string
  /** Calls a tool of the last connected server. Returns its text. */
  callTool(name: string, args: object): Promise<string>
}

type SiteOptions = {
  /** True if the site publishes who it is, otherwise it registers itself. */
  hasDocument: boolean
  /** The tool that the site calls after connecting. */
  tool: { name: string; arguments: Record<string, unknown> }
}

/**
 * The website of an assistant. It knows nothing about Hansard: a person enters the address of a server, and the public
 * MCP client does the rest.
 */
export async function openAssistantSite({
  hasDocument,
  tool,
}: SiteOptions): Promise<AssistantSite> {
  let connection: Connection | null = null
  const server = createServer(LOCALHOST_CERTIFICATE, (request, response) => {
    const url = new URL(request.url ?? '/', site())
    const answer = async (): Promise<void> => {
      if (url.pathname === '/client.json') {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ client_id: `${site()}/client.json`, ...metadataOf(site()) }))
      } else if (url.pathname === '/connect') {
        connection = createConnection(url.searchParams.get('address') ?? '', site(), hasDocument)
        response.writeHead(302, { location: (await connection.begin()).href }).end()
      } else if (url.pathname === '/callback' && connection !== null) {
        const text = await connection.finish(url.searchParams, tool)
        sendPage(
          response,
          `<h1>Helper</h1><p>Connected. I asked:</p><pre>${escapeHtml(text)}</pre>`,
        )
      } else {
        sendPage(
          response,
          `<h1>Helper</h1><form action="/connect"><label>Server address <input name="address" size="40"></label> <button>Connect</button></form>`,
        )
      }
    }
    answer().catch((error: unknown) =>
      sendPage(response, `<h1>Helper</h1><p>Not connected: ${escapeHtml(String(error))}</p>`),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const site = () => `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: site(),
    async callTool(name, args) {
      if (connection === null) throw new Error('nothing is connected')
      return connection.callTool(name, { ...args })
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

type Connection = ReturnType<typeof createConnection>

function createConnection(address: string, site: string, hasDocument: boolean) {
  const state = randomUUID()
  let client: StoredOAuthClientInformation | undefined
  let tokens: StoredOAuthTokens | undefined
  let verifier = ''
  let discovered: OAuthDiscoveryState | undefined
  let authorizationUrl: URL | null = null
  const authProvider: OAuthClientProvider = {
    redirectUrl: `${site}/callback`,
    ...(hasDocument && { clientMetadataUrl: `${site}/client.json` }),
    clientMetadata: metadataOf(site),
    state: () => state,
    clientInformation: () => client,
    saveClientInformation: (given) => void (client = given),
    tokens: () => tokens,
    saveTokens: (given) => void (tokens = given),
    redirectToAuthorization: (url) => void (authorizationUrl = url),
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    // With it, the client checks that the answer comes from the server that it asked.
    saveDiscoveryState: (given) => void (discovered = given),
    discoveryState: () => discovered,
  }
  const open = () => new StreamableHTTPClientTransport(new URL(address), { authProvider })
  const callTool = async (name: string, args: Record<string, unknown>) => {
    const program = new Client({ name: 'helper', version: '1' })
    await program.connect(open())
    const result = await program.callTool({ name, arguments: args })
    await program.close()
    return (result.content as Array<{ text?: string }>).map(({ text = '' }) => text).join('\n')
  }
  return {
    callTool,
    /** Where the person allows it. */
    async begin(): Promise<URL> {
      try {
        await new Client({ name: 'helper', version: '1' }).connect(open())
      } catch (error) {
        if (!(error instanceof UnauthorizedError)) throw error
      }
      if (authorizationUrl === null) throw new Error('the server asked for no authorization')
      return authorizationUrl
    },
    async finish(answer: URLSearchParams, tool: SiteOptions['tool']): Promise<string> {
      if (answer.get('state') !== state) throw new Error('another browser began this')
      if (answer.has('error')) throw new Error(answer.get('error') ?? '')
      await open().finishAuth(answer)
      return callTool(tool.name, tool.arguments)
    },
  }
}

function metadataOf(site: string) {
  return { client_name: 'Helper', redirect_uris: [`${site}/callback`] }
}

function sendPage(
  response: { setHeader: (name: string, value: string) => unknown; end: (text: string) => unknown },
  body: string,
): void {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(`<!doctype html><meta name="viewport" content="width=device-width"><title>Helper</title>
<style>body{font:16px system-ui;max-width:640px;margin:40px auto;padding:0 16px}pre{white-space:pre-wrap}</style>${body}`)
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
