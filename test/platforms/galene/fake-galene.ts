import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { acceptWebSocket, type WebSocketConnection } from '../../../stage/server/web-socket.ts'
import { tryParseJson } from '../../../src/lib/text/try-parse-json.ts'
import { eventually } from '../../support/time/eventually.ts'

export type Message = { type: string } & Record<string, unknown>

/** A server with the parts of Galène's protocol that the bot uses. It sends what a test tells it to send. */
export type FakeGalene = AsyncDisposable & {
  host: string
  groupUrl: string
  /** The paths of all requests, and all messages of the bot. */
  requests: string[]
  received: Message[]
  /** Sends to the last bot that connected. */
  send(...messages: ReadonlyArray<object | string>): void
  /** Ends the connection without a message, as a crashed server does. */
  drop(): void
  waitForMessage(type: string, fields?: object): Promise<Message>
}

type Options = {
  /** Answers the request for `.status`. By default, the group exists. */
  answerStatus?: (response: ServerResponse, host: string) => void
  /** Answers a request to join. By default, the bot is admitted. `count` starts at 1. */
  answerJoin?: (join: Message, count: number) => readonly object[]
}

export const JOINED = {
  type: 'joined',
  kind: 'join',
  group: 'talk',
  username: 'Notes',
  permissions: ['present', 'message'],
  status: { name: 'talk' },
  rtcConfiguration: { iceServers: [] },
}

export async function openFakeGalene({
  answerStatus,
  answerJoin,
}: Options = {}): Promise<FakeGalene> {
  const requests: string[] = []
  const received: Message[] = []
  let connection: WebSocketConnection | null = null
  let joins = 0
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    if (answerStatus !== undefined) return answerStatus(response, host)
    response.end(JSON.stringify({ name: 'talk', location: groupUrl, endpoint: `ws://${host}/ws` }))
  })
  server.on('upgrade', (request, socket) => {
    requests.push(request.url ?? '')
    const accepted = acceptWebSocket(request, socket, (text) => {
      const message = tryParseJson(text) as Message
      received.push(message)
      if (message.type !== 'join' || message['kind'] !== 'join') return
      joins += 1
      for (const answer of answerJoin?.(message, joins) ?? [JOINED])
        accepted.send(JSON.stringify(answer))
    })
    connection = accepted
    accepted.send(JSON.stringify({ type: 'handshake', version: ['2'] }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const groupUrl = `http://${host}/group/talk/`
  return {
    host,
    groupUrl,
    requests,
    received,
    send(...messages) {
      for (const message of messages)
        connection?.send(typeof message === 'string' ? message : JSON.stringify(message))
    },
    drop: () => connection?.close(),
    waitForMessage: (type, fields = {}) =>
      eventually(
        () =>
          received.find(
            (message) =>
              message.type === type &&
              Object.entries(fields).every(([name, value]) => message[name] === value),
          ) ?? null,
      ),
    async [Symbol.asyncDispose]() {
      connection?.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
