import { strict as assert } from 'node:assert'
import type { FastifyRequest, InjectOptions } from 'fastify'
import { createClient } from 'hansard/client'
import { once } from '../../lib/once.ts'
import type { Log } from '../../log.ts'
import { TOOLS } from '../../mcp/tools.ts'
import { clientIp } from '../client-ip.ts'
import { keyOf } from '../credentials.ts'
import type { App } from '../type-provider.ts'

type Parts = { version: string; log: Log; openapi: () => object }

/**
 * The Model Context Protocol for assistants, over streamable HTTP and without sessions: any node answers any
 * request. Each tool is a call of the interface with the caller's own key, so scopes and limits hold as ever.
 */
export function assistantRoutes(app: App, parts: Parts): void {
  // Made for the first assistant: many instances never see one, and the protocol takes time to load.
  const handler = once(() => makeHandler(app, parts))
  app.addHook('preClose', async () => {
    const [made] = await Promise.allSettled([handler.made()])
    if (made.status === 'fulfilled') await made.value?.close()
  })

  app.post('/mcp', { config: { access: 'key' } }, async (request, reply) => {
    assert(request.token)
    const { id: clientId, scopes } = request.token
    const authInfo = {
      token: keyOf(request.headers) ?? '',
      clientId,
      scopes: scopes ?? ['read', 'meetings', 'tasks'],
      extra: { ip: clientIp(request) },
    }
    const options = { authInfo, parsedBody: request.body }
    const protocol = await handler.get()
    return reply.send(await protocol.fetch(toWebRequest(request), options))
  })

  app.get('/llms.txt', { config: { access: 'reader' } }, async (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(describe(parts.openapi() as Document)),
  )
}

async function makeHandler(app: App, { version, log }: Parts) {
  const [{ createMcpHandler }, { createAssistantServer }] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('../../mcp/server.ts'),
  ])
  return createMcpHandler(
    ({ authInfo }) => {
      assert(authInfo)
      const { token: apiKey, scopes } = authInfo
      const fetch = fetchInside(app, String(authInfo.extra?.['ip']))
      const client = createClient({ url: 'http://localhost', apiKey, retries: 0, fetch })
      return createAssistantServer({ version, client, scopes })
    },
    {
      onerror: (error) => log.debug({ err: error }, 'assistant refused or failed'),
      // What can be listened for never changes here.
      maxSubscriptions: 0,
    },
  )
}

/** Calls of the interface that do not leave the process, but go through everything that others do. */
function fetchInside(app: App, remoteAddress: string): typeof fetch {
  return async (input, init) => {
    const { method, url } = new Request(input, { method: init?.method ?? 'GET' })
    const { pathname, search } = new URL(url)
    const options: InjectOptions = {
      method,
      url: `${pathname}${search}`,
      headers: init?.headers as Record<string, string>,
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
  // The body was parsed already, and goes beside it.
  return new Request(new URL(url, 'http://localhost'), {
    method: 'POST',
    headers: pairs,
    body: '{}',
  })
}

type Document = {
  info: { title: string; version: string; description: string }
  paths: Record<string, Record<string, { summary: string }>>
}

/** What this instance is, for a language model that is to write a program against it or to use it. */
function describe({ info, paths }: Document): string {
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
