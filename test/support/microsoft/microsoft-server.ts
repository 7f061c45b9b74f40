import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { MicrosoftHostsByCloud } from '../../../src/connections/microsoft/hosts.ts'
import { systemClock, type Clock } from '../../../src/lib/time/clock.ts'
import { answerGraphRequest, type GraphAnswer } from './graph-endpoints.ts'
import { createTenant, type Tenant } from './tenant.ts'
import { answerTokenRequest } from './token-endpoint.ts'

/** A request that the server got, without the host. */
export type MicrosoftRequest = { method: string; path: string }

/** Answers instead of the server. Undefined lets the server answer. */
type Fault = (
  request: MicrosoftRequest,
) => GraphAnswer | 'hang' | 'drop' | undefined | Promise<GraphAnswer | 'hang' | 'drop' | undefined>

export type MicrosoftServer = AsyncDisposable & {
  tenant: Tenant
  hosts: MicrosoftHostsByCloud
  /** All requests so far. */
  requests: MicrosoftRequest[]
  /** Called for each request; null for no faults. */
  fault: Fault | null
}

/** One tenant of Microsoft 365 on loopback: its token endpoint and Microsoft Graph. */
export async function startMicrosoftServer(clock: Clock = systemClock): Promise<MicrosoftServer> {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hosts = { login: origin, graph: origin }
  const opened: MicrosoftServer = {
    tenant: createTenant(() => clock.now()),
    hosts: { global: hosts, 'us-gov-high': hosts, 'us-gov-dod': hosts },
    requests: [],
    fault: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', origin)
    const body = await text(request)
    const seen = {
      method: request.method ?? '',
      path: `${decodeURIComponent(url.pathname)}${url.search}`,
    }
    opened.requests.push(seen)
    const faulty = await opened.fault?.(seen)
    if (faulty === 'hang') return
    if (faulty === 'drop') return void response.destroy()
    const { status, body: content, headers } = faulty ?? (await answerRequest(request, url, body))
    response.writeHead(status, {
      'content-type': 'application/json',
      date: opened.tenant.now().toUTCString(),
      ...headers,
    })
    response.end(typeof content === 'string' ? content : JSON.stringify(content))
  }

  function answerRequest(
    { headers }: IncomingMessage,
    url: URL,
    body: string,
  ): Promise<GraphAnswer> {
    const { tenant } = opened
    if (url.pathname.startsWith('/v1.0/'))
      return answerGraphRequest(tenant, origin, url, headers.authorization ?? '')
    const form = new URLSearchParams(body)
    return answerTokenRequest(tenant, { path: url.pathname, form, origin, graph: origin })
  }
  return opened
}
