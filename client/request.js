import { HansardError, errorFromResponse } from './errors.js'

/** The service rejected the call before processing it, so every call can be retried. */
const NOT_PROCESSED_CODES = new Set(['too_many_requests', 'shutting_down', 'at_capacity'])
/** After these transient errors, the call may or may not have had an effect. */
const TRANSIENT_CODES = new Set([
  'no_connection',
  'timeout',
  'request_in_progress',
  'request_timeout',
])
const MIN_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 10_000

/** Sends a request, retries it after transient errors, and returns the response body. */
export async function requestWithRetry(client, call, signal) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await requestOnce(client, call, signal)
    } catch (error) {
      if (!(error instanceof HansardError) || attempt >= call.retries) throw error
      if (!canRetry(error, call.isRepeatable)) throw error
      const waitMs = error.retryAfterMs ?? backoffMs(attempt)
      // If the wait is longer, the caller decides. The error has `retryAfterMs`.
      if (waitMs > client.maxWaitMs) throw error
      await sleep(waitMs, signal)
    }
  }
}

async function requestOnce(client, call, signal) {
  const timeout = createRequestTimeout(signal)
  timeout.start(call.timeoutMs)
  try {
    const response = await sendRequest(client, call, timeout.signal)
    if (call.isBinary) return await response.blob()
    if (response.status === 204) return undefined
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
    return isJson ? JSON.parse(text) : text
  } catch (error) {
    if (error instanceof SyntaxError) throw new HansardError('not_this_service', { cause: error })
    throw timeout.toFailure(error)
  } finally {
    timeout.stop()
  }
}

/** Sends one request. Returns a successful response before its body is read; otherwise throws a HansardError. */
export async function sendRequest(client, call, signal) {
  const response = await client.fetch(call.url, {
    method: call.method,
    headers: { 'x-api-key': client.apiKey, ...call.headers },
    ...(call.body === undefined ? {} : { body: call.body }),
    // A redirect must not send the API key to another address.
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
    signal,
  })
  if (!response.ok) throw await errorFromResponse(response)
  return response
}

/** A timeout for one request. `toFailure` distinguishes the timeout from an abort by the caller. */
export function createRequestTimeout(signal) {
  const timedOut = new AbortController()
  let timer
  return {
    signal: signal === undefined ? timedOut.signal : AbortSignal.any([timedOut.signal, signal]),
    start(ms) {
      clearTimeout(timer)
      timer = setTimeout(() => timedOut.abort(new HansardError('timeout')), ms)
    },
    stop: () => clearTimeout(timer),
    abort() {
      clearTimeout(timer)
      timedOut.abort()
    },
    toFailure(error) {
      if (signal?.aborted) return signal.reason
      if (error instanceof HansardError) return error
      const code = timedOut.signal.aborted ? 'timeout' : 'no_connection'
      return new HansardError(code, { cause: error })
    },
  }
}

export function canRetry({ code, status }, isRepeatable) {
  return (
    NOT_PROCESSED_CODES.has(code) || (isRepeatable && (TRANSIENT_CODES.has(code) || status >= 500))
  )
}

/** Exponential back-off with jitter. */
export function backoffMs(attempt) {
  const maxMs = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** attempt)
  return maxMs / 2 + (Math.random() * maxMs) / 2
}

export function sleep(ms, signal) {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
