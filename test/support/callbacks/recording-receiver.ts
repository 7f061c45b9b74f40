import { strict as assert } from 'node:assert'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { CallbackError, verifyCallback, type MeetingEvent } from '../../../receiver/index.js'
import { startLoopbackServer, type LoopbackServer } from './loopback-receivers.ts'
import { eventually } from '../time/eventually.ts'

/** One attempt that arrived whole, in the order of arrival. */
export type ReceivedCallback = {
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
  event: MeetingEvent
  /** What was answered; 0: the connection was cut instead. */
  status: number
}

export type ReceiverReply =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'cut'

export type RecordingReceiver = LoopbackServer & {
  /** Where callbacks can go; the path says what they are about. */
  urlFor(path: string): string
  calls: ReceivedCallback[]
  /** Whatever was not right about what arrived. */
  problems: string[]
  /** Secrets with which callbacks may be signed. */
  trustSecrets(...secrets: string[]): void
  /** Whatever time a callback says it was signed at is right from now on. */
  acceptAnyTimestamp(): void
  /** Decides what is answered from now on. */
  setReply(reply: (call: Omit<ReceivedCallback, 'status'>) => ReceiverReply): void
  /** While it is down every connection is cut before anything is read. */
  setDown(isDown: boolean): void
  /** Of one meeting. */
  callsFor(meetingId: string): ReceivedCallback[]
  /** Waits until enough has arrived. */
  waitUntil(isEnough: (calls: ReceivedCallback[]) => boolean, limitMs?: number): Promise<void>
}

/** A receiver on loopback that checks and keeps whatever arrives. */
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
      const said = reply({ path, headers, body, event })
      const status = said === 'cut' ? 0 : said.status
      calls.push({ path, headers, body, event, status })
      if (said === 'cut') return request.socket.destroy()
      return response.writeHead(said.status, said.headers).end(said.body)
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

/** Null when the sender went away before the end. */
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
    // Both signatures, each by itself.
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

/** What the headers of an attempt must say about its event. */
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
