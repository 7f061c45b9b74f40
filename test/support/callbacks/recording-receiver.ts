import { strict as assert } from 'node:assert'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { CallbackError, verifyCallback, type MeetingEvent } from '../../../receiver/index.js'
import { startLoopbackServer, type LoopbackServer } from './loopback-receivers.ts'
import { eventually } from '../time/eventually.ts'

/** One callback that the receiver read completely. */
export type ReceivedCallback = {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  event: MeetingEvent
  /** The status of the response; 0 if the connection was cut instead. */
  status: number
}

export type ReceiverReply =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'cut'

export type RecordingReceiver = LoopbackServer & {
  /** A callback URL of this receiver with the given path. */
  urlFor(path: string): string
  /** In the order of arrival. */
  calls: ReceivedCallback[]
  /** Callbacks whose signature could not be verified. */
  problems: string[]
  /** Adds secrets that callbacks may be signed with. */
  trustSecrets(...secrets: string[]): void
  /** Turns off the check of the signature time. */
  acceptAnyTimestamp(): void
  /** Sets the response to every further callback. */
  setReply(reply: (call: Omit<ReceivedCallback, 'status'>) => ReceiverReply): void
  /** While the receiver is down, it closes every connection without reading. */
  setDown(isDown: boolean): void
  callsFor(meetingId: string): ReceivedCallback[]
  /** Waits until the calls satisfy the condition. */
  waitUntil(isEnough: (calls: ReceivedCallback[]) => boolean, limitMs?: number): Promise<void>
}

/** A receiver on the loopback interface that verifies and records every callback. */
export async function openRecordingReceiver(...secrets: string[]): Promise<RecordingReceiver> {
  const calls: ReceivedCallback[] = []
  const problems: string[] = []
  const trusted = [...secrets]
  let reply: (call: Omit<ReceivedCallback, 'status'>) => ReceiverReply = () => ({ status: 204 })
  let isDown = false
  let toleranceSeconds: number | null = 300

  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    void readWholeBody(request).then((body) => {
      if (body === null || isDown) return request.socket.destroy()
      const { url: path = '', headers } = request
      const event = verifySignatures(body, headers, trusted, problems, toleranceSeconds)
      if (event === null) return response.writeHead(401).end()
      const chosen = reply({ path, headers, body, event })
      const status = chosen === 'cut' ? 0 : chosen.status
      calls.push({ path, headers, body, event, status })
      if (chosen === 'cut') return request.socket.destroy()
      return response.writeHead(chosen.status, chosen.headers).end(chosen.body)
    })
  })
  server.on('connection', (socket) => {
    if (isDown) socket.destroy()
  })
  const receiver = await startLoopbackServer(server)
  return Object.assign(receiver, {
    calls,
    problems,
    urlFor: (path: string) => new URL(path, receiver.url).href,
    trustSecrets: (...more: string[]) => void trusted.push(...more),
    acceptAnyTimestamp() {
      toleranceSeconds = null
    },
    setReply(given: typeof reply) {
      reply = given
    },
    setDown(given: boolean) {
      isDown = given
    },
    callsFor: (meetingId: string) => calls.filter(({ event }) => event.meetingId === meetingId),
    async waitUntil(isEnough: (calls: ReceivedCallback[]) => boolean, limitMs?: number) {
      await eventually(() => (isEnough(calls) ? true : null), limitMs)
    },
  })
}

/** Null if the sender disconnected before the end of the body. */
async function readWholeBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  try {
    for await (const chunk of request) chunks.push(chunk as Buffer)
  } catch (error) {
    if (request.destroyed) return null
    throw error
  }
  return Buffer.concat(chunks)
}

function verifySignatures(
  body: Buffer,
  headers: IncomingHttpHeaders,
  secrets: readonly string[],
  problems: string[],
  toleranceSeconds: number | null,
): MeetingEvent | null {
  try {
    // Each of the two signatures must be valid without the other.
    const { 'webhook-signature': _, ...plain } = headers
    const { 'x-service-signature': __, ...timed } = headers
    verifyCallback(body, plain, secrets)
    return verifyCallback(body, timed, secrets, { toleranceSeconds })
  } catch (error) {
    if (!(error instanceof CallbackError)) throw error
    problems.push(`${error.code}: ${body.toString().slice(0, 200)}`)
    return null
  }
}

/** Asserts that the headers of a callback match its event. */
export function assertCallbackHeaders({ headers, event, body }: ReceivedCallback): void {
  const { meetingId, sequence, type } = event
  assert.partialDeepStrictEqual(headers, {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'x-service-event': type,
    'x-service-meeting-id': meetingId,
    'webhook-id': `${meetingId}_${sequence}`,
  })
  assert.match(String(headers['x-service-signature']), /^sha256=[0-9a-f]{64}$/)
  assert.match(String(headers['x-service-delivery-id']), /^\w{8,}$/)
  assert.match(String(headers['x-service-previous-sequence']), /^\d+$/)
}
