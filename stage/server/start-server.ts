import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { sendText } from './responses.ts'
import { createCertificate } from './certificate.ts'
import type { StageBackend } from './backend.ts'
import { ALL_HOSTS } from './hosts.ts'
import { handleRequest } from './requests.ts'
import { acceptWebSocket } from './web-socket.ts'

/** Serves all host names on one local port with TLS, because pages and bots check their addresses. */
export async function startStageServer(backend: StageBackend, port: number) {
  const { key, cert, fingerprint } = createCertificate(ALL_HOSTS)
  const server = createServer({ key, cert })
  const upgraded = new Set<Duplex>()

  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    handleRequest(request, response, backend).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendText(response, 500, String(error))
    })
  })
  server.on('upgrade', (request, socket) => {
    upgraded.add(socket)
    socket.on('close', () => upgraded.delete(socket))
    const pageId = new URL(request.url ?? '/', 'https://stage').searchParams.get('page') ?? ''
    backend.attachSocket(pageId, acceptWebSocket(request, socket), socket)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  return {
    port: (server.address() as AddressInfo).port,
    fingerprint,
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      for (const socket of upgraded) socket.destroy()
      await once(server, 'close')
    },
  }
}
