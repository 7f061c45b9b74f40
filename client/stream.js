import { sendRequest, createRequestTimeout, canRetry, sleep, backoffMs } from './request.js'
import { HansardError } from './errors.js'
import { createMessageParser } from './server-sent-events.js'

/** The service says something every 15 s; a stream that is silent for longer leads nowhere any more. */
const SILENCE_TIMEOUT_MS = 45_000

/**
 * What a stream tells, each message once, over as many connections as it takes. Ends when the service says
 * that there is no more; fails when it refuses, or was not heard of for `patienceMs`.
 */
export async function* followWithReconnect(client, call, { signal, patienceMs, partials }) {
  const state = { lastId: '', failures: 0, heardAt: Date.now() }
  for (;;) {
    try {
      for await (const value of readConnection(client, call, state, signal)) {
        if (partials || value.type !== 'caption_partial') yield value
      }
      return
    } catch (error) {
      if (!(error instanceof HansardError) || !canRetry(error, true)) throw error
      if (Date.now() - state.heardAt > patienceMs) throw error
      await sleep(error.retryAfterMs ?? backoffMs(state.failures), signal)
      state.failures += 1
    }
  }
}

/** One connection: returns when there is no more to come, and throws when it breaks. */
async function* readConnection(client, call, state, signal) {
  const limit = createRequestTimeout(signal)
  const take = createMessageParser()
  const decoder = new TextDecoder()
  try {
    limit.start(call.timeoutMs)
    const resume = state.lastId === '' ? {} : { 'last-event-id': state.lastId }
    const headers = { ...call.headers, accept: 'text/event-stream', ...resume }
    const response = await sendRequest(client, { ...call, headers }, limit.signal)
    if (response.status === 204) return
    if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) {
      throw new HansardError('not_this_service', { status: response.status })
    }
    const body = response.body.getReader()
    for (;;) {
      // Only while we read: a caller who takes his time over a message is not the silence of the service.
      limit.start(SILENCE_TIMEOUT_MS)
      const { done, value } = await body.read()
      limit.stop()
      if (done) throw new HansardError('no_connection', { message: 'The stream has ended' })
      state.heardAt = Date.now()
      for (const { id, event, data } of take(decoder.decode(value, { stream: true }))) {
        if (id !== '') state.lastId = id
        if (data === undefined) continue
        state.failures = 0
        if (event === 'open') continue
        yield call.hasNames ? { event, data: parseMessage(data) } : parseMessage(data)
        // Where messages have names, this one is the last.
        if (call.hasNames && event === 'end') return
      }
      state.heardAt = Date.now()
    }
  } catch (error) {
    throw limit.failureOf(error)
  } finally {
    // Also when the caller has had enough: nobody reads on.
    limit.end()
  }
}

function parseMessage(data) {
  try {
    return JSON.parse(data)
  } catch (error) {
    throw new HansardError('not_this_service', { cause: error })
  }
}
