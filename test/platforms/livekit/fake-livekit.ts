import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { acceptWebSocket, type WebSocketConnection } from '../../../stage/server/web-socket.ts'
import { decode, encode, type Field } from '../../../stage/wire/protobuf.ts'
import { eventually } from '../../support/time/eventually.ts'

/** A participant, in the words of the protocol. */
export type FakeMember = {
  sid: string
  identity: string
  name?: string
  isGone?: boolean
  mayWrite?: boolean
  role?: string
  tracks?: ReadonlyArray<{ sid: string; type?: number; encryption?: number }>
}

/** A message of the bot: the field that it sets, and its bytes. */
type Signal = { field: number; body: Uint8Array }

/** A server with the parts of LiveKit's protocol that the bot uses. It sends what a test tells it to send. */
export type FakeLivekit = AsyncDisposable & {
  host: string
  /** All requests, and the queries of all WebSockets. */
  requests: IncomingMessage[]
  queries: URLSearchParams[]
  received: Signal[]
  /** Sends bytes to the last bot that connected. */
  sendBytes(bytes: Uint8Array): void
  sendMembers(...members: FakeMember[]): void
  sendLeave(reason: number, action?: number): void
  sendOffer(sdp: string, id: number): void
  sendCandidate(candidate: object): void
  /** Ends the connection without a message, as a crashed server does. */
  drop(): void
  waitForSignal(field: number, isMet?: (body: Uint8Array) => boolean): Promise<Uint8Array>
}

type Options = {
  /** Answers every request but one for a WebSocket. By default, each token is accepted. */
  answer?: (request: IncomingMessage, response: ServerResponse, body: string) => void
  /** Answers a connection. By default, the bot joins, or resumes. `count` starts at 1. */
  answerConnection?: (count: number, server: FakeLivekit) => void
  self?: Partial<FakeMember>
}

/** Field numbers of the bot's messages. */
export const BOT_SIGNALS = {
  answer: 2,
  trickle: 3,
  subscription: 6,
  leave: 8,
  syncState: 12,
  offer: 1,
}

export async function openFakeLivekit({
  answer = (_, response) => response.end('success'),
  answerConnection,
  self = {},
}: Options = {}): Promise<FakeLivekit> {
  const requests: IncomingMessage[] = []
  const queries: URLSearchParams[] = []
  const received: Signal[] = []
  const sockets = new Set<WebSocketConnection>()
  let connection: WebSocketConnection | null = null
  const http = createServer((request, response) => {
    requests.push(request)
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => answer(request, response, Buffer.concat(chunks).toString()))
  })
  const own: FakeMember = { sid: 'PA_bot', identity: 'bot', name: 'Notes', ...self }
  http.on('upgrade', (request, socket) => {
    requests.push(request)
    const query = new URL(request.url ?? '', 'http://x').searchParams
    queries.push(query)
    connection = acceptWebSocket(request, socket, undefined, (bytes) => {
      for (const [field, [body]] of decode(bytes) ?? [])
        if (body instanceof Uint8Array) received.push({ field, body })
    })
    sockets.add(connection)
    if (answerConnection !== undefined) return answerConnection(queries.length, server)
    if (query.get('reconnect') === '1') server.sendBytes(encode([[19, []]]))
    else server.sendBytes(encodeJoin(own))
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server: FakeLivekit = {
    host: `127.0.0.1:${(http.address() as AddressInfo).port}`,
    requests,
    queries,
    received,
    sendBytes: (bytes) => connection?.send(bytes),
    sendMembers: (...members) =>
      connection?.send(encode([[5, members.map((one) => [1, encodeMember(one)] as const)]])),
    sendLeave: (reason, action = 0) =>
      connection?.send(
        encode([
          [
            8,
            [
              [2, reason],
              [3, action],
            ],
          ],
        ]),
      ),
    sendOffer: (sdp, id) =>
      connection?.send(
        encode([
          [
            3,
            [
              [1, 'offer'],
              [2, sdp],
              [3, id],
            ],
          ],
        ]),
      ),
    sendCandidate: (candidate) =>
      connection?.send(
        encode([
          [
            4,
            [
              [1, JSON.stringify(candidate)],
              [2, 1],
            ],
          ],
        ]),
      ),
    drop: () => connection?.close(),
    waitForSignal: (field, isMet = () => true) =>
      eventually(
        () => received.find((signal) => signal.field === field && isMet(signal.body))?.body ?? null,
      ),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.close()
      http.close()
      http.closeAllConnections()
      await once(http, 'close')
    },
  }
  return server
}

export function encodeJoin(self: FakeMember, ...others: FakeMember[]): Uint8Array {
  const people = others.map((other) => [3, encodeMember(other)] as const)
  return encode([[1, [[2, encodeMember(self)], ...people]]])
}

function encodeMember(member: FakeMember): Field[] {
  const { sid, identity, name = '', isGone = false, mayWrite = true, role, tracks = [] } = member
  return [
    [1, sid],
    [2, identity],
    [3, isGone ? 3 : 2],
    ...tracks.map(
      (track) =>
        [
          4,
          [
            [1, track.sid],
            [2, track.type ?? 0],
            [16, track.encryption ?? 0],
          ],
        ] as const,
    ),
    [9, name],
    [11, [[1, true], ...(mayWrite ? [[3, true] as const] : [])]],
    ...(role === undefined
      ? []
      : [
          [
            15,
            [
              [1, 'room_role'],
              [2, role],
            ],
          ] as const,
        ]),
  ]
}

/** The tracks that the bot asks for in a message. */
export function subscribedTracks(subscription: Uint8Array): string[] {
  const tracks = decode(subscription)?.get(1) ?? []
  return tracks.map((track) => new TextDecoder().decode(track as Uint8Array))
}
