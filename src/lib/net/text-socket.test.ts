import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { test } from 'node:test'
import { acceptWebSocket } from '../../../stage/server/web-socket.ts'
import { createManualTimers } from '../../../test/support/time/manual-timers.ts'
import { openTextSocket } from './text-socket.ts'

/** A connection of a bot to a server that handles its request for a WebSocket with `accept`. */
async function connect(accept: (...upgrade: Parameters<typeof acceptWebSocket>) => void) {
  const server = createServer()
  const upgraded = Promise.withResolvers<Duplex>()
  server.on('upgrade', (request, socket: Duplex) => {
    accept(request, socket)
    upgraded.resolve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const timers = createManualTimers()
  const opened = Promise.withResolvers<void>()
  const connection = openTextSocket({
    url: new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws`),
    timers,
    maxMessageBytes: 1_000,
    silence: { checkMs: 20_000, limitMs: 60_000 },
    onOpen: opened.resolve,
    onLost: (why) => assert.fail(why),
  })
  const socket = await upgraded.promise
  const ended = once(socket, 'end')
  /** Waits until the bot has ended its side of the socket. */
  const close = async () => {
    await ended
    socket.destroy()
    server.close()
    await once(server, 'close')
  }
  return { connection, timers, opened: opened.promise, close }
}

test('a connection that was closed has no timers, and a second close starts none', async () => {
  const { connection, timers, opened, close } = await connect(acceptWebSocket)
  await opened
  await Promise.all([connection[Symbol.asyncDispose](), connection[Symbol.asyncDispose]()])
  assert.equal(timers.count(), 0)
  await connection[Symbol.asyncDispose]()
  assert.equal(timers.count(), 0)
  await close()
})

test('a server that does not answer the close does not keep the socket open', async () => {
  const { connection, timers, opened, close } = await connect((request, socket) => {
    acceptWebSocket(request, socket)
    socket.removeAllListeners('data').resume()
  })
  await opened
  const closing = connection[Symbol.asyncDispose]()
  timers.advance(2_000)
  await closing
  assert.equal(timers.count(), 0)
  await close()
})

test('a connection can be closed before the server has accepted it', async () => {
  const { connection, timers, close } = await connect((_, socket) => void socket.resume())
  await connection[Symbol.asyncDispose]()
  assert.equal(timers.count(), 0)
  await close()
})

test('a server is not offered compression, with which its last message would be lost', async () => {
  const offered = Promise.withResolvers<unknown>()
  const { connection, opened, close } = await connect((request, socket) => {
    acceptWebSocket(request, socket)
    offered.resolve(request.headers['sec-websocket-extensions'])
  })
  assert.equal(await offered.promise, undefined)
  await opened
  await connection[Symbol.asyncDispose]()
  await close()
})
