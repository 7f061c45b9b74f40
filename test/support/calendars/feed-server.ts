import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** How a feed server answers one path: with a text, or with the function. */
export type FeedAnswer = string | ((response: ServerResponse, headers: IncomingHttpHeaders) => void)

export type FeedServer = AsyncDisposable & {
  /** The address of a path. Like the addresses of real calendars, it contains a secret. */
  urlOf(path: string): string
  answer(path: string, answer: FeedAnswer): void
  /** The headers of all requests to a path. */
  requestsTo(path: string): IncomingHttpHeaders[]
}

/** Part of every address, so that tests can search for it in all output of the service. */
export const SECRET = 'private-4fJq0Zb1y9nB4Q2wKxT5'

/** A real HTTP server on loopback that serves calendars. */
export async function startFeedServer(): Promise<FeedServer> {
  const answers = new Map<string, FeedAnswer>()
  const requests = new Map<string, IncomingHttpHeaders[]>()
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(`/${SECRET}`, '')
    requests.set(path, [...(requests.get(path) ?? []), request.headers])
    const answer = answers.get(path)
    if (answer === undefined) response.writeHead(404).end()
    else if (typeof answer === 'function') answer(response, request.headers)
    else response.writeHead(200, { 'content-type': 'text/calendar' }).end(answer)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    urlOf: (path) => `http://127.0.0.1:${port}/${SECRET}${path}`,
    answer: (path, answer) => void answers.set(path, answer),
    requestsTo: (path) => requests.get(path) ?? [],
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
