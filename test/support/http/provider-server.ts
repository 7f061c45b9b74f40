import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request that the server got, without the host. */
export type ProviderRequest = { method: string; path: string }

export type ProviderAnswer = {
  status: number
  body: object | string
  headers?: Record<string, string>
}

type FaultyAnswer = ProviderAnswer | 'hang' | 'drop' | undefined

export type ProviderServer = AsyncDisposable & {
  origin: string
  /** All requests so far. */
  requests: ProviderRequest[]
  /** Answers a request instead of the server, if it does not return undefined. Null for no faults. */
  fault: ((request: ProviderRequest) => FaultyAnswer | Promise<FaultyAnswer>) | null
}

type Handler = {
  /** The provider's clock, for the Date header. */
  now(): Date
  answer(request: ProviderCall): ProviderAnswer | Promise<ProviderAnswer>
}

/** A complete request. */
export type ProviderCall = {
  method: string
  url: URL
  headers: IncomingMessage['headers']
  body: string
  authorization: string
}

/** A provider's API on loopback, with requests that tests can count and faults that they can choose. */
export async function startProviderServer(
  createHandler: (origin: string) => Handler,
): Promise<ProviderServer> {
  const server = createServer((request, response) => void respond(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const handler = createHandler(origin)
  const opened: ProviderServer = {
    origin,
    requests: [],
    fault: null,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    const { method } = seen
    const { headers: sent } = request
    const authorization = sent.authorization ?? ''
    const {
      status,
      body: content,
      headers,
    } = faulty ?? (await handler.answer({ method, url, headers: sent, body, authorization }))
    response.writeHead(status, {
      'content-type': 'application/json',
      date: handler.now().toUTCString(),
      ...headers,
    })
    response.end(typeof content === 'string' ? content : JSON.stringify(content))
  }
  return opened
}
