import { sendRequest, createRequestTimeout, canRetry, sleep, backoffMs } from './request.js'
import { HansardError } from './errors.js'
import { createMessageParser } from './server-sent-events.js'

/** The service sends at least a heartbeat every 15 s, so a stream that is silent for longer is broken. */
const SILENCE_TIMEOUT_MS = 45_000
/** The last message of a stream with named messages. */
const LAST_EVENTS = new Set(['end', 'done'])

/**
 * Yields each message of a stream once, and reconnects as often as needed. Returns when the service ends the stream.
 * Throws if the service rejects the call, or is unreachable for `patienceMs`. A stream that answers a request with a
 * body is not opened again.
 */
export async function* followWithReconnect(client, call, { signal, patienceMs, partials }) {
  const state = { lastId: '', failures: 0, lastReceivedAt: Date.now(), hasMessages: false }
  for (;;) {
    try {
      for await (const value of readConnection(client, call, state, signal)) {
        if (partials || value.type !== 'caption_partial') yield value
      }
      return
    } catch (error) {
      if (!(error instanceof HansardError) || !canRetry(error, call.isRepeatable)) throw error
      // A call with effects was processed if it has sent a message, whatever the error says.
      if (state.hasMessages && !call.isRepeatable) throw error
      if (Date.now() - state.lastReceivedAt > patienceMs) throw error
      await sleep(error.retryAfterMs ?? backoffMs(state.failures), signal)
      state.failures += 1
    }
  }
}

/** Reads one connection. Returns when the stream is complete; throws when the connection breaks. */
async function* readConnection(client, call, state, signal) {
  const timeout = createRequestTimeout(signal)
  const parse = createMessageParser()
  const decoder = new TextDecoder()
  try {
    timeout.start(call.timeoutMs)
    const resume = state.lastId === '' ? {} : { 'last-event-id': state.lastId }
    const headers = { ...call.headers, accept: 'text/event-stream', ...resume }
    const response = await sendRequest(client, { ...call, headers }, timeout.signal)
    if (response.status === 204) return
    if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
      throw new HansardError('not_this_service', { status: response.status })
    }
    const body = response.body.getReader()
    for (;;) {
      // The timeout runs only during a read, so that a slow consumer does not look like a silent service.
      timeout.start(SILENCE_TIMEOUT_MS)
      const { done, value } = await body.read()
      timeout.stop()
      if (done) throw new HansardError('no_connection', { message: 'The stream was interrupted' })
      state.lastReceivedAt = Date.now()
      for (const { id, event, data } of parse(decoder.decode(value, { stream: true }))) {
        if (id !== '') state.lastId = id
        if (data === undefined) continue
        state.failures = 0
        if (event === 'open') continue
        if (call.hasNames && event === 'error') throw toStreamError(parseMessage(data))
        state.hasMessages = true
        yield call.hasNames ? { event, data: parseMessage(data) } : parseMessage(data)
        if (call.hasNames && LAST_EVENTS.has(event)) return
      }
      state.lastReceivedAt = Date.now()
    }
  } catch (error) {
    throw timeout.toFailure(error)
  } finally {
    // Also runs when the caller stops reading, because the connection must then be closed.
    timeout.abort()
  }
}

/** The service could not continue. The message has the form of an error response. */
function toStreamError({ code, error: message, requestId, hint }) {
  return new HansardError(code, { message, requestId, hint })
}

function parseMessage(data) {
  try {
    return JSON.parse(data)
  } catch (error) {
    throw new HansardError('not_this_service', { cause: error })
  }
}
