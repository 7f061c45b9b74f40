import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { startLoopbackServer } from './loopback-receivers.ts'
import { startLoadedCommand, type RunningCommand } from '../service/loaded-commands.ts'

export type ListenProcess = RunningCommand & { lines(): string[] }

const CONNECTED = /^Listening as /m

/** Starts `hansard listen` and waits until it is connected. Disposing the result stops the command. */
export async function startListenCommand(
  service: string,
  apiKey: string,
  args: readonly string[],
): Promise<ListenProcess> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    HANSARD_API_KEY: apiKey,
    HANSARD_URL: service,
  }
  const command = startLoadedCommand(['listen', ...args], env)
  await command.waitForOutput(CONNECTED)
  return { ...command, lines: () => command.stdout().split('\n').filter(Boolean) }
}

/** An HTTP proxy to a service that the test chooses for each request. The test can cut its connections. */
export async function openHttpProxy(chooseTarget: (request: IncomingMessage) => string) {
  const sockets = new Set<Socket>()
  const forward = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, headers, url = '/' } = incoming
    const forwarded = request(new URL(url, chooseTarget(incoming)), {
      method,
      headers,
      agent: false,
    })
    forwarded.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    forwarded.on('error', () => outgoing.destroy())
    outgoing.on('close', () => forwarded.destroy())
    incoming.pipe(forwarded)
  }
  const server = createServer(forward)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const proxy = await startLoopbackServer(server)
  return Object.assign(proxy, {
    url: new URL(proxy.url).origin,
    /** Closes all current connections. */
    cut() {
      for (const socket of sockets) socket.destroy()
    },
  })
}
