import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { INSTALLATION_FOLDER } from '../../../src/config/load-config.ts'
import { startLoopbackServer } from './loopback-receivers.ts'
import { eventually } from '../time/eventually.ts'
import type { ExitStatus } from '../service/service-process.ts'

export type ListenProcess = AsyncDisposable & {
  stdout(): string
  stderr(): string
  lines(): string[]
  kill(signal: NodeJS.Signals): void
  exited: Promise<ExitStatus>
}

const LAUNCHER = join(INSTALLATION_FOLDER, 'bin/hansard.mjs')
const CONNECTED = /^Listening as /m

/** Starts `hansard listen` and waits until it is connected. Disposing the result kills the process. */
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
  const child = spawn(process.execPath, [LAUNCHER, 'listen', ...args], { env })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const exited = once(child, 'close').then(([code, signal]): ExitStatus => ({ code, signal }))
  const hasExited = () => child.exitCode !== null || child.signalCode !== null
  const listener: ListenProcess = {
    stdout: () => stdout,
    stderr: () => stderr,
    lines: () => stdout.split('\n').filter((line) => line !== ''),
    kill: (signal) => void child.kill(signal),
    exited,
    async [Symbol.asyncDispose]() {
      if (!hasExited()) child.kill('SIGKILL')
      await exited
    },
  }
  await eventually(() => (CONNECTED.test(stderr) || hasExited() ? true : null))
  if (CONNECTED.test(stderr)) return listener
  throw new Error(`hansard listen exited before it was connected: ${stderr}`)
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
