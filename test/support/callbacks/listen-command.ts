import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { ROOT } from '../../../src/config/load-config.ts'
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

const LAUNCHER = join(ROOT, 'bin/hansard.mjs')
const CONNECTED = /^Listening as /m

/** Starts `hansard listen` and waits until it is connected. Killed when the test is done with it. */
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
  const isOver = () => child.exitCode !== null || child.signalCode !== null
  const listener: ListenProcess = {
    stdout: () => stdout,
    stderr: () => stderr,
    lines: () => stdout.split('\n').filter((line) => line !== ''),
    kill: (signal) => void child.kill(signal),
    exited,
    async [Symbol.asyncDispose]() {
      if (!isOver()) child.kill('SIGKILL')
      await exited
    },
  }
  await eventually(() => (CONNECTED.test(stderr) || isOver() ? true : null))
  if (CONNECTED.test(stderr)) return listener
  throw new Error(`hansard listen ended at once; it said: ${stderr}`)
}

/** A way to the service that can be cut and that leads where the test wants. */
export async function openHttpProxy(choose: (request: IncomingMessage) => string) {
  const sockets = new Set<Socket>()
  const pass = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, headers, url = '/' } = incoming
    const onwards = request(new URL(url, choose(incoming)), { method, headers, agent: false })
    onwards.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      outgoing.flushHeaders()
      answer.pipe(outgoing)
      answer.on('error', () => outgoing.destroy())
    })
    onwards.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onwards.destroy())
    incoming.pipe(onwards)
  }
  const server = createServer(pass)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const way = await startLoopbackServer(server)
  return Object.assign(way, {
    url: new URL(way.url).origin,
    /** Whoever is connected now is so no more. */
    cut() {
      for (const socket of sockets) socket.destroy()
    },
  })
}
