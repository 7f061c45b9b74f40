// Receives callbacks and prints one line for each event. Node 24 runs it as it is:
//   SIGNING_SECRET=ss_… PORT=3000 node receiver.ts
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CallbackError, verifyCallback, type MeetingEvent } from 'hansard/receiver'

const MAX_BYTES = 1024 * 1024

/** One secret, or both of them with a space between during a rotation. */
const secrets = (process.env['SIGNING_SECRET'] ?? '').split(' ').filter((secret) => secret !== '')
if (secrets.length === 0) {
  process.stderr.write('SIGNING_SECRET is not set\n')
  process.exit(1)
}

/** What was handled. A program that keeps events has a unique index on these two columns instead. */
const handled = new Set<string>()

const server = createServer((request, response) => {
  answer(request).then(
    (status) => response.writeHead(status).end(),
    // The connection broke before the whole body was here: there is nobody to answer.
    () => response.destroy(),
  )
})
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  process.stdout.write(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})

async function answer(request: IncomingMessage): Promise<number> {
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

/** The bytes exactly as they came: the signature is over them, not over parsed JSON. */
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
  // Last, so that an event whose handling failed is handled when it comes again.
  handled.add(key)
}

/** Names and texts come from a meeting: in JSON they cannot break the line. */
function summary(event: MeetingEvent): string {
  if (event.type === 'meeting_status') return event.payload.status
  if (event.type === 'segment_finalized') {
    return JSON.stringify(`${event.payload.speaker}: ${event.payload.text}`)
  }
  return JSON.stringify(event.payload)
}
