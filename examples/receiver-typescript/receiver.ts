// Receives callbacks and prints one line for each event. Node 24 runs this file directly:
//   SIGNING_SECRET=ss_… PORT=3000 node receiver.ts
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CallbackError, verifyCallback, type MeetingEvent } from 'hansard/receiver'

const MAX_BYTES = 1024 * 1024

/** One signing secret, or two separated by a space during a rotation. */
const secrets = (process.env['SIGNING_SECRET'] ?? '').split(' ').filter((secret) => secret !== '')
if (secrets.length === 0) {
  process.stderr.write('SIGNING_SECRET is not set\n')
  process.exit(1)
}

/** The events handled so far. A program with a database would use a unique index on these two columns instead. */
const handled = new Set<string>()

const server = createServer((request, response) => {
  respond(request).then(
    (status) => response.writeHead(status).end(),
    // The connection broke before the whole body arrived, so no response can be sent.
    (error) => {
      process.stderr.write(`${String(error)}\n`)
      response.destroy()
    },
  )
})
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})

/** Handles one callback and returns the HTTP status of the response. */
async function respond(request: IncomingMessage): Promise<number> {
  if (request.method !== 'POST') return 405
  const body = await readBody(request)
  if (body === null) return 413
  try {
    handle(verifyCallback(body, request.headers, secrets))
    return 204
  } catch (error) {
    if (error instanceof CallbackError) return error.status
    process.stderr.write(`${String(error)}\n`)
    return 500
  }
}

/** Reads the body as bytes, because the signature covers the bytes and not the parsed JSON. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= MAX_BYTES) chunks.push(chunk)
  }
  return size > MAX_BYTES ? null : Buffer.concat(chunks)
}

function handle(event: MeetingEvent): void {
  const key = `${event.meetingId}_${event.sequence}`
  if (handled.has(key)) return
  process.stdout.write(`${event.meetingId} ${event.sequence} ${event.type} ${summary(event)}\n`)
  // Added last, so that an event whose handling failed is handled again when it is retried.
  handled.add(key)
}

/** Speakers choose names and texts. As JSON they cannot contain line breaks. */
function summary(event: MeetingEvent): string {
  if (event.type === 'meeting_status') return event.payload.status
  if (event.type === 'segment_finalized') {
    return JSON.stringify(`${event.payload.speaker}: ${event.payload.text}`)
  }
  return JSON.stringify(event.payload)
}
