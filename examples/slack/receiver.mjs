// Posts the recap of each meeting to a channel of Slack. For Node 20 and newer:
//   SIGNING_SECRET=ss_… SLACK_WEBHOOK_URL=https://hooks.slack.com/services/… PORT=3000 node receiver.mjs
import { createServer } from 'node:http'
import { CallbackError, verifyCallback } from 'hansard/receiver'
import { formatMessage } from './slack-message.mjs'

const MAX_BYTES = 1024 * 1024
/** The service expects a response within 10 s, so this is shorter. */
const SLACK_TIMEOUT_MS = 8_000

/** @typedef {{ status: number, headers?: Record<string, string>, text?: string }} Response */

const secrets = (process.env['SIGNING_SECRET'] ?? '').split(' ').filter((secret) => secret !== '')
const webhookUrl = process.env['SLACK_WEBHOOK_URL'] ?? ''
const options = {
  withSegments: process.env['SLACK_SEGMENTS'] === 'on',
  consoleUrl: process.env['HANSARD_URL'],
}
if (secrets.length === 0 || !URL.canParse(webhookUrl)) {
  process.stderr.write('SIGNING_SECRET or SLACK_WEBHOOK_URL is not set\n')
  process.exit(1)
}

/**
 * The events posted so far. A program with a database would use a unique index on these two columns instead.
 * @type {Set<string>}
 */
const handled = new Set()

const server = createServer((request, response) => {
  respond(request).then(
    ({ status, headers, text }) => response.writeHead(status, headers).end(text),
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
 * Answers after Slack has accepted the message. While Slack cannot be reached, the service keeps the event and sends it
 * again, and later events of the meeting wait. So this program needs no queue.
 * @param {import('node:http').IncomingMessage} request
 * @returns {Promise<Response>}
 */
async function respond(request) {
  if (request.method !== 'POST') return refuse(request, 405, 'Callbacks are POST requests')
  const body = await readBody(request)
  if (body === null) return refuse(request, 413, 'The body is larger than 1 MiB')
  try {
    const event = verifyCallback(body, request.headers, secrets)
    const key = `${event.meetingId}_${event.sequence}`
    const message = handled.has(key) ? null : formatMessage(event, options)
    if (message === null) return { status: 204 }
    const response = await post(message)
    // Added last, so that an event that Slack did not accept is posted when it is retried.
    if (response.status === 204) handled.add(key)
    return response
  } catch (error) {
    if (error instanceof CallbackError) return refuse(request, error.status, error.message)
    process.stderr.write(`${String(error)}\n`)
    return { status: 502 }
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
 * Posts a message. The returned status tells the service whether and when to send the event again.
 * @param {import('./slack-message.mjs').SlackMessage} message
 * @returns {Promise<Response>}
 */
async function post(message) {
  const response = await fetch(webhookUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(message),
    redirect: 'error',
    signal: AbortSignal.timeout(SLACK_TIMEOUT_MS),
  })
  const text = await response.text()
  if (response.ok) return { status: 204 }
  process.stderr.write(`Slack answered ${response.status}: ${JSON.stringify(text.slice(0, 200))}\n`)
  if (response.status === 429) {
    const retryAfter = response.headers.get('retry-after') ?? '1'
    return { status: 503, headers: { 'retry-after': retryAfter } }
  }
  // Slack refuses this message, so the service gives up on it after a few attempts. Other errors can be fixed.
  return { status: response.status === 400 ? 422 : 502 }
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
