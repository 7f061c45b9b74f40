// Receives callbacks and prints one line for each event, and on standard error why it refuses a callback. For Node 20 and newer:
//   SIGNING_SECRET=ss_… PORT=3000 node receiver.mjs
import { createServer } from 'node:http'
import { CallbackError, verifyCallback } from 'hansard/receiver'

const MAX_BYTES = 1024 * 1024

/** One signing secret, or two separated by a space during a rotation. */
const secrets = (process.env['SIGNING_SECRET'] ?? '').split(' ').filter((secret) => secret !== '')
if (secrets.length === 0) {
  process.stderr.write('SIGNING_SECRET is not set\n')
  process.exit(1)
}

/**
 * The events handled so far. A program with a database would use a unique index on these two columns instead.
 * @type {Set<string>}
 */
const handled = new Set()

const server = createServer((request, response) => {
  respond(request).then(
    // The service shows the text in its list of deliveries.
    ({ status, text }) => response.writeHead(status).end(text),
    // The connection broke before the whole body arrived, so no response can be sent.
    (error) => {
      process.stderr.write(`${String(error)}\n`)
      response.destroy()
    },
  )
})
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : ''
  process.stdout.write(`Listening on http://127.0.0.1:${port}\n`)
})

/**
 * Handles one callback and returns the response.
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<{ status: number, text?: string }>}
 */
async function respond(request) {
  if (request.method !== 'POST') return refuse(request, 405, 'Callbacks are POST requests')
  const body = await readBody(request)
  if (body === null) return refuse(request, 413, 'The body is larger than 1 MiB')
  try {
    handle(verifyCallback(body, request.headers, secrets))
    return { status: 204 }
  } catch (error) {
    if (error instanceof CallbackError) {
      const hint =
        error.code === 'bad_signature'
          ? '. Is SIGNING_SECRET the secret of the token that started the meeting?'
          : ''
      return refuse(request, error.status, `${error.message}${hint}`)
    }
    process.stderr.write(`${String(error)}\n`)
    return { status: 500 }
  }
}

/**
 * Prints why a callback is refused. Anyone can send headers, so they are printed as JSON, without line breaks.
 * @param {import('node:http').IncomingMessage} request
 * @param {number} status
 * @param {string} text
 */
function refuse({ headers }, status, text) {
  const sent = [headers['x-service-event'], headers['x-service-meeting-id']]
  process.stderr.write(`Refused ${JSON.stringify(sent)} with ${status}: ${text}\n`)
  return { status, text }
}

/**
 * Reads the body as bytes, because the signature covers the bytes and not the parsed JSON.
 * @param {import('node:http').IncomingMessage} request
 */
async function readBody(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= MAX_BYTES) chunks.push(chunk)
  }
  return size > MAX_BYTES ? null : Buffer.concat(chunks)
}

/** @param {import('hansard/receiver').MeetingEvent} event */
function handle(event) {
  const key = `${event.meetingId}_${event.sequence}`
  if (handled.has(key)) return
  process.stdout.write(`${event.meetingId} ${event.sequence} ${event.type} ${summary(event)}\n`)
  // Added last, so that a retry of an event whose handling failed is handled again.
  handled.add(key)
}

/**
 * Speakers choose names and texts, so they are printed as JSON, without line breaks.
 * @param {import('hansard/receiver').MeetingEvent} event
 */
function summary(event) {
  if (event.type === 'meeting_status') return event.payload.status
  if (event.type === 'segment_finalized') {
    return JSON.stringify(`${event.payload.speaker}: ${event.payload.text}`)
  }
  return JSON.stringify(event.payload)
}
