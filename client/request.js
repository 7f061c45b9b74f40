import { HansardError, errorFromResponse } from './errors.js'

/** Refused at the door: nothing has happened yet, so any call may be made again. */
const NOT_PROCESSED_CODES = new Set(['too_many_requests', 'shutting_down', 'at_capacity'])
/** Perhaps better soon; whether the call has had an effect is not known. */
const TRANSIENT_CODES = new Set([
  'no_connection',
  'timeout',
  'request_in_progress',
  'request_timeout',
])
const MIN_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 10_000

/** The whole answer to a call, after as many attempts as it may take. */
export async function requestWithRetry(client, call, signal) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await requestOnce(client, call, signal)
    } catch (error) {
      if (!(error instanceof HansardError) || attempt >= call.retries) throw error
      if (!canRetry(error, call.isRepeatable)) throw error
      const waitMs = error.retryAfterMs ?? backoffMs(attempt)
      // Who would have to wait that long decides for himself; the error says how long.
      if (waitMs > client.maxWaitMs) throw error
      await sleep(waitMs, signal)
    }
  }
}

async function requestOnce(client, call, signal) {
  const limit = createRequestTimeout(signal)
  limit.start(call.timeoutMs)
  try {
    const response = await sendRequest(client, call, limit.signal)
    if (call.isBinary) return await response.blob()
    const text = await response.text()
    const isJson = (response.headers.get('content-type') ?? '').startsWith('application/json')
    return isJson ? JSON.parse(text) : text
  } catch (error) {
    if (error instanceof SyntaxError) throw new HansardError('not_this_service', { cause: error })
    throw limit.failureOf(error)
  } finally {
    limit.stop()
  }
}

/** One attempt: a success whose head is there, or a HansardError. The signal holds for the body too. */
export async function sendRequest(client, call, signal) {
  const response = await client.fetch(call.url, {
    method: call.method,
    headers: { 'x-api-key': client.apiKey, ...call.headers },
    ...(call.body === undefined ? {} : { body: call.body }),
    // The key is meant for this address and no other.
    redirect: 'manual',
    credentials: 'omit',
    cache: 'no-store',
    signal,
  })
  if (!response.ok) throw await errorFromResponse(response)
  return response
}

/** Ends what hangs, and tells that apart from what the caller ended. */
export function createRequestTimeout(signal) {
  const late = new AbortController()
  let timer
  return {
    signal: signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]),
    start(ms) {
      clearTimeout(timer)
      timer = setTimeout(() => late.abort(new HansardError('timeout')), ms)
    },
    stop: () => clearTimeout(timer),
    end() {
      clearTimeout(timer)
      late.abort()
    },
    failureOf(error) {
      if (signal?.aborted) return signal.reason
      if (error instanceof HansardError) return error
      return new HansardError(late.signal.aborted ? 'timeout' : 'no_connection', { cause: error })
    },
  }
}

export function canRetry({ code, status }, isRepeatable) {
  return (
    NOT_PROCESSED_CODES.has(code) || (isRepeatable && (TRANSIENT_CODES.has(code) || status >= 500))
  )
}

/** Longer after each failure, and not the same for everybody. */
export function backoffMs(attempt) {
  const most = Math.min(MAX_BACKOFF_MS, MIN_BACKOFF_MS * 2 ** attempt)
  return most / 2 + (Math.random() * most) / 2
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
