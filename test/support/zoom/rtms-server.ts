import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tryParseJson } from '../../../src/lib/text/try-parse-json.ts'
import { acceptWebSocket, type WebSocketConnection } from '../../../stage/server/web-socket.ts'
import { eventually } from '../time/eventually.ts'

export const CLIENT_ID = 'test-client'
export const CLIENT_SECRET = 'test-client-secret'

type Message = { msg_type: number } & Record<string, unknown>
type Side = 'signalling' | 'media'

export type Person = { user_id: number; user_name: string }
export type Utterance = Person & { data: string; start_time: number; end_time: number }

/** Numbers of RTMS_STATUS_CODE. */
const STATUS = { ok: 0, streamId: 2, signature: 3, duplicateSignal: 8, duplicateMedia: 16 }
/** A connection that leaves this many keep-alive requests unanswered is closed. */
const MAX_UNANSWERED = 3

/**
 * A server with the parts of Zoom's Realtime Media Streams that the bot uses, written after the event reference, the data
 * types and the page about failover of developers.zoom.us/docs/rtms, as of the release of 9 May 2026. It checks
 * signatures, allows one connection of each kind, asks for signs of life and buffers what is said without a connection.
 */
export type RtmsServer = Awaited<ReturnType<typeof startRtmsServer>>

type Stream = {
  meetingUuid: string
  people: Person[]
  /** Transcripts that are sent as soon as a client is ready. */
  waiting: object[]
  /** The last ones that were sent. */
  sent: object[]
  isReady: boolean
  connections: Partial<Record<Side, WebSocketConnection>>
  unanswered: Record<Side, number>
}

export async function startRtmsServer() {
  const streams = new Map<string, Stream>()
  const received: Array<Message & { side: Side }> = []
  /** Statuses with which the next handshakes of each side are answered, instead of what the server finds. */
  const refusals: Record<Side, number[]> = { signalling: [], media: [] }
  const options = { mediaUrls: 'all' as 'all' | 'transcript' | 'none', isSilent: false, resent: 0 }
  const sockets = new Set<WebSocketConnection>()
  const counts = { signalling: 0, media: 0 }

  const server = createServer((_request, response) => response.writeHead(404).end())
  server.on('upgrade', (request, socket) => {
    const side: Side = request.url === '/media' ? 'media' : 'signalling'
    let streamId: string | null = null
    const connection = acceptWebSocket(request, socket, (text) => {
      const message = tryParseJson(text) as Message
      received.push({ ...message, side })
      if (options.isSilent) return
      if (message.msg_type === 1 || message.msg_type === 3) {
        const status = refusals[side].shift() ?? checkHandshake(message, side)
        if (status === STATUS.ok) {
          streamId = String(message['rtms_stream_id'])
          const stream = requireStream(streamId)
          stream.connections[side] = connection
          stream.unanswered[side] = 0
          counts[side] += 1
        }
        connection.send(JSON.stringify(answerHandshake(side, status)))
      } else if (streamId !== null) readMessage(requireStream(streamId), message, side)
    })
    sockets.add(connection)
    // A process that was killed ends its connections without a message.
    socket.on('end', () => socket.destroy())
    socket.on('close', () => {
      sockets.delete(connection)
      const stream = streamId === null ? undefined : streams.get(streamId)
      if (stream?.connections[side] === connection) disconnect(stream, side)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const origin = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`

  function requireStream(id: string): Stream {
    const stream = streams.get(id)
    if (stream === undefined) throw new Error(`there is no stream ${id}`)
    return stream
  }
  function checkHandshake(message: Message, side: Side): number {
    const { meeting_uuid: uuid, rtms_stream_id: id, signature } = message
    const stream = typeof id === 'string' ? streams.get(id) : undefined
    if (stream === undefined || stream.meetingUuid !== uuid) return STATUS.streamId
    const expected = createHmac('sha256', CLIENT_SECRET)
      .update(`${CLIENT_ID},${stream.meetingUuid},${String(id)}`)
      .digest('hex')
    if (signature !== expected) return STATUS.signature
    if (stream.connections[side] === undefined) return STATUS.ok
    return side === 'media' ? STATUS.duplicateMedia : STATUS.duplicateSignal
  }
  function answerHandshake(side: Side, status: number): object {
    const media = `${origin}/media`
    return {
      msg_type: side === 'media' ? 4 : 2,
      protocol_version: 1,
      sequence: 0,
      status_code: status,
      reason: status === STATUS.ok ? '' : `refused with ${status}`,
      ...(side === 'signalling' &&
        status === STATUS.ok && {
          media_server: {
            server_urls:
              options.mediaUrls === 'none' ? { audio: media } : { [options.mediaUrls]: media },
          },
        }),
    }
  }
  function readMessage(stream: Stream, message: Message, side: Side): void {
    switch (message.msg_type) {
      case 5:
        if (stream.people.length > 0) sendEvent(stream, 3, { participants: stream.people })
        return
      case 7:
        stream.isReady = stream.connections.media !== undefined
        // What was under way when a connection was lost is sent again.
        if (options.resent > 0) stream.waiting.unshift(...stream.sent.slice(-options.resent))
        flush(stream)
        return
      case 13:
        stream.unanswered[side] = 0
    }
  }
  function sendEvent(stream: Stream, type: number, fields: object): void {
    const event = { event_type: type, timestamp: Date.now(), ...fields }
    send(stream, 'signalling', { msg_type: 6, event })
  }
  function send(stream: Stream, side: Side, message: object): void {
    stream.connections[side]?.send(JSON.stringify(message))
  }
  function disconnect(stream: Stream, side: Side): void {
    const connection = stream.connections[side]
    delete stream.connections[side]
    stream.isReady = false
    connection?.close()
    // Without signalling, Zoom interrupts the media connection too.
    if (side === 'signalling') disconnectMedia(stream)
  }
  function disconnectMedia(stream: Stream): void {
    if (stream.connections.media !== undefined) disconnect(stream, 'media')
  }
  function flush(stream: Stream): void {
    if (!stream.isReady) return
    for (const message of stream.waiting.splice(0)) {
      send(stream, 'media', message)
      stream.sent.push(message)
    }
  }

  return {
    origin,
    signallingUrl: `${origin}/signalling`,
    received,
    refusals,
    options,
    counts,
    /** A stream begins. Its webhook is for the test to send. */
    open(streamId: string, meetingUuid: string, people: readonly Person[] = []): void {
      streams.set(streamId, {
        meetingUuid,
        people: [...people],
        waiting: [],
        sent: [],
        isReady: false,
        connections: {},
        unanswered: { signalling: 0, media: 0 },
      })
    },
    /** Someone speaks. Without a client that is ready, the words wait. */
    say(streamId: string, ...utterances: ReadonlyArray<Partial<Utterance>>): void {
      const stream = requireStream(streamId)
      for (const utterance of utterances) {
        const content = { timestamp: Date.now(), language: 9, ...utterance }
        stream.waiting.push({ msg_type: 17, content })
      }
      flush(stream)
    },
    join(streamId: string, ...people: Person[]): void {
      const stream = requireStream(streamId)
      stream.people.push(...people)
      sendEvent(stream, 3, { participants: people })
    },
    leave(streamId: string, userId: number): void {
      const stream = requireStream(streamId)
      stream.people = stream.people.filter(({ user_id: id }) => id !== userId)
      sendEvent(stream, 4, { participants: [{ user_id: userId }] })
    },
    event: (streamId: string, type: number, fields: object = {}) =>
      sendEvent(requireStream(streamId), type, fields),
    /** Sends any message, or any text. */
    send(streamId: string, side: Side, message: object | string): void {
      const text = typeof message === 'string' ? message : JSON.stringify(message)
      requireStream(streamId).connections[side]?.send(text)
    },
    /** Asks for signs of life, as Zoom does every 10 s. */
    keepAlive(streamId: string): void {
      const stream = requireStream(streamId)
      for (const side of ['signalling', 'media'] as const) {
        if (stream.unanswered[side] >= MAX_UNANSWERED) stream.connections[side]?.close()
        stream.unanswered[side] += 1
        send(stream, side, { msg_type: 12, timestamp: Date.now() })
      }
    },
    unanswered: (streamId: string) => requireStream(streamId).unanswered,
    isReady: (streamId: string) => streams.get(streamId)?.isReady ?? false,
    /** Ends a connection without a message. */
    drop(streamId: string, side: Side): void {
      disconnect(requireStream(streamId), side)
    },
    pause: (streamId: string) =>
      send(requireStream(streamId), 'signalling', { msg_type: 8, state: 5, timestamp: Date.now() }),
    resume: (streamId: string) =>
      send(requireStream(streamId), 'signalling', { msg_type: 8, state: 6, timestamp: Date.now() }),
    /** Ends a stream. Zoom then forgets it. */
    stop(streamId: string, reason: number): void {
      const stream = requireStream(streamId)
      send(stream, 'signalling', { msg_type: 8, state: 4, reason, timestamp: Date.now() })
      streams.delete(streamId)
    },
    waitForReady: (streamId: string) =>
      eventually(() => (streams.get(streamId)?.isReady ? true : null)),
    waitForMessage: (type: number, side?: Side) =>
      eventually(
        () =>
          received.find(
            (message) => message.msg_type === type && (side === undefined || message.side === side),
          ) ?? null,
      ),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.close()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
