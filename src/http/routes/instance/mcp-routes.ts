import { strict as assert } from 'node:assert'
import type { FastifyRequest, InjectOptions } from 'fastify'
import { createClient } from 'hansard/client'
import { createLazyValue } from '../../../lib/async/sharing.ts'
import type { Log } from '../../../log.ts'
import { requireToolOperations } from '../../../mcp/define-tool.ts'
import { TOOLS } from '../../../mcp/tool-table.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { IN_PROCESS_HEADERS, readApiKey, clientIp } from '../../pipeline/access/caller.ts'

/** The transcript of a long meeting, with its JSON escapes. The key is checked before the body is read. */
const MAX_MCP_BODY_BYTES = 4 * 1024 * 1024

type Parts = { version: string; log: Log; openapi: () => object }

/**
 * The Model Context Protocol for assistants, over streamable HTTP and without sessions, so any node can serve any
 * request. Each tool calls the API with the assistant's API key, so the key's scopes and rate limits apply.
 */
export function mcpRoutes(app: FastifyApp, parts: Parts): void {
  requireToolOperations(TOOLS, createClient({ url: 'http://localhost', apiKey: 'none' }))
  // Created for the first request: the protocol is slow to load, and many instances never serve an assistant.
  const handler = createLazyValue(() => createProtocolHandler(app, parts))
  app.addHook('preClose', async () => {
    try {
      await (await handler.peek())?.close()
    } catch (error) {
      // The server closes anyway, even if the handler could never be created.
      parts.log.warn({ err: error }, 'failed to close the MCP handler')
    }
  })

  const options = {
    bodyLimit: MAX_MCP_BODY_BYTES,
    // The transcript of the import tool.
    config: { access: 'key', subject: 'list', longTextField: 'content', audience: 'mcp' },
  } as const
  app.post('/mcp', options, async (request, reply) => {
    assert(request.token)
    const { id: clientId, scopes } = request.token
    const authInfo = {
      token: readApiKey(request.headers) ?? '',
      clientId,
      scopes: scopes ?? ['read', 'meetings', 'tasks'],
      extra: { ip: clientIp(request) },
    }
    const call = { authInfo, parsedBody: request.body }
    const protocol = await handler.get()
    return reply.send(await protocol.fetch(toWebRequest(request), call))
  })

  app.get(
    '/llms.txt',
    { config: { access: 'key_or_session', subject: 'none' } },
    async (_request, reply) =>
      reply
        .type('text/plain; charset=utf-8')
        .send(writeLlmsText(parts.openapi() as OpenApiDocument)),
  )
}

async function createProtocolHandler(app: FastifyApp, { version, log }: Parts) {
  const [{ createMcpHandler }, { createMcpServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../../mcp/mcp-server.ts'),
  ])
  return createMcpHandler(
    ({ authInfo }) => {
      assert(authInfo)
      const { token: apiKey, scopes } = authInfo
      const fetch = createInProcessFetch(app, String(authInfo.extra?.['ip']))
      const client = createClient({ url: 'http://localhost', apiKey, retries: 0, fetch })
      return createMcpServer({ version, client, scopes })
    },
    {
      onerror: (error) => log.debug({ err: error }, 'failed to handle MCP request'),
      // The lists of tools, resources and prompts never change, so subscriptions are useless.
      maxSubscriptions: 0,
    },
  )
}

/** A fetch that calls the API inside this process, through the same pipeline as requests over the network. */
function createInProcessFetch(app: FastifyApp, remoteAddress: string): typeof fetch {
  return async (input, init) => {
    const { method, url } = new Request(input, { method: init?.method ?? 'GET' })
    const { pathname, search } = new URL(url)
    const options: InjectOptions = {
      method,
      url: `${pathname}${search}`,
      headers: { ...(init?.headers as Record<string, string>), ...IN_PROCESS_HEADERS },
      ...(init?.body !== undefined && init.body !== null && { payload: init.body as string }),
      remoteAddress,
    }
    const { statusCode: status, headers, rawPayload } = await app.inject(options)
    const pairs = Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as [string, string]],
    )
    return new Response(status === 204 ? null : new Uint8Array(rawPayload), {
      status,
      headers: pairs,
    })
  }
}

function toWebRequest({ headers, url }: FastifyRequest): Request {
  const pairs = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'content-length'
      ? []
      : [[name, String(value)] as [string, string]],
  )
  // The protocol handler gets the parsed body separately, so this body is a placeholder.
  return new Request(new URL(url, 'http://localhost'), {
    method: 'POST',
    headers: pairs,
    body: '{}',
  })
}

type OpenApiDocument = {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, { summary: string }>>
}

/** Describes this instance for a language model that uses it or writes a program for it. */
function writeLlmsText({ info, paths }: OpenApiDocument): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) => `- ${method.toUpperCase()} ${path}: ${summary}`,
    ),
  )
  return [
    `# ${info.title} ${info.version}`,
    '',
    `> ${info.description}`,
    '',
    'Every call needs an API key: `X-API-Key: sk_…` or `Authorization: Bearer sk_…`.',
    '',
    '## Assistants',
    '',
    'POST /mcp speaks the Model Context Protocol (streamable HTTP, no sessions) with the same keys;',
    '`hansard mcp` is the same over standard input and output. Tools:',
    '',
    ...TOOLS.map(({ name, description }) => `- ${name}: ${description}`),
    '',
    'Resources: hansard://projects/{project}/documents/{+path}, hansard://meetings/{meetingId}/transcript.',
    '',
    '## Programs',
    '',
    '/openapi.json describes everything (OpenAPI 3.1, the callbacks as webhooks); /docs is the same for people.',
    'For TypeScript and JavaScript there is the package export `hansard/client`.',
    '',
    ...operations,
    '',
  ].join('\n')
}
