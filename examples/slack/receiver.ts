// Posts the recap of each meeting to a channel of Slack. Node 24 runs this file directly:
//   SIGNING_SECRET=ss_… SLACK_WEBHOOK_URL=https://hooks.slack.com/services/… PORT=3000 node receiver.ts
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { CallbackError, verifyCallback } from 'hansard/receiver'
import { formatMessage, type SlackMessage } from './slack-message.ts'

const MAX_BYTES = 1024 * 1024
/** Shorter than the 10 s in which the service expects a response. */
const SLACK_TIMEOUT_MS = 8_000

type Response = { status: number; headers?: Record<string, string> }

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

/** The events posted so far. A program with a database would use a unique index on these two columns instead. */
const handled = new Set<string>()

const server = createServer((request, response) => {
  respond(request).then(
    ({ status, headers }) => response.writeHead(status, headers).end(),
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

/**
 * Answers after Slack has accepted the message: while Slack cannot be reached, the service keeps the event and sends it
 * again, and later events of the meeting wait. So this program needs no queue.
 */
async function respond(request: IncomingMessage): Promise<Response> {
  if (request.method !== 'POST') return { status: 405 }
  const body = await readBody(request)
  if (body === null) return { status: 413 }
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
    if (error instanceof CallbackError) return { status: error.status }
    process.stderr.write(`${String(error)}\n`)
    return { status: 502 }
  }
}

/** Posts a message. The returned status tells the service whether and when to send the event again. */
async function post(message: SlackMessage): Promise<Response> {
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
