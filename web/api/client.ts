import { bindOperations, type Call } from '../../client/call.js'
import type { CallOptions, StreamMessage } from '../../client/index.js'
import { readServerSentEvents } from '../../src/lib/net/server-sent-events.ts'
import { ApiError, toNetworkError, readApiError } from './api-error.ts'
import { OPERATIONS, type ConsoleApi } from './operations.generated.ts'
import { readTextChunks } from './text-chunks.ts'

const TIMEOUT_MS = 30_000
/** The service sends at least a comment every 15 s, so a longer silence means a dead connection. */
const STREAM_IDLE_TIMEOUT_MS = 40_000

/** For things that may not exist. Their error does not have status 404, which browsers log as an error of the page. */
export const MAY_BE_MISSING = { headers: { 'x-missing': 'expected' } }

export interface ApiClient extends ConsoleApi {
  /** The raw response, for callers that need its headers or bytes. */
  send(call: Partial<Call> & { path: string }): Promise<Response>
}

interface ApiOptions {
  csrfToken: () => string | null
  /** Called when the server says that the session has ended. */
  onSignedOut: () => void
}

/** The console's operations in groups, for example `api.tasks.list()`. A failed call throws an ApiError. */
export function createApiClient({ csrfToken, onSignedOut }: ApiOptions): ApiClient {
  async function send(call: Partial<Call>, options: CallOptions = {}): Promise<Response> {
    const { method = 'GET', path = '', body = null } = call
    const headers = new Headers({ accept: 'application/json', ...call.headers })
    const token = method === 'GET' ? null : csrfToken()
    if (token !== null) headers.set('x-csrf-token', token)
    const { timeoutMs = TIMEOUT_MS, signal = AbortSignal.timeout(timeoutMs) } = options
    const init = { method, headers, body, signal, credentials: 'same-origin', cache: 'no-store' }
    const response = await fetch(path, init as RequestInit).catch((cause: unknown) => {
      throw toNetworkError(cause)
    })
    if (response.ok && !response.headers.has('x-error-status')) return response
    const error = await readApiError(response)
    if (error.code === 'not_signed_in') onSignedOut()
    throw error
  }
  async function* openStream(call: Call, { signal }: CallOptions): AsyncGenerator<StreamMessage> {
    const idle = new AbortController()
    let timer = window.setTimeout(() => idle.abort(), STREAM_IDLE_TIMEOUT_MS)
    async function* readChunks(response: Response): AsyncGenerator<string> {
      for await (const chunk of readTextChunks(response)) {
        window.clearTimeout(timer)
        timer = window.setTimeout(() => idle.abort(), STREAM_IDLE_TIMEOUT_MS)
        yield chunk
      }
    }
    try {
      const headers = { ...call.headers, accept: 'text/event-stream' }
      const signals = [idle.signal, ...(signal === undefined ? [] : [signal])]
      const response = await send({ ...call, headers }, { signal: AbortSignal.any(signals) })
      for await (const { event, data } of readServerSentEvents(readChunks(response)))
        yield { event, data: JSON.parse(data) as unknown }
    } catch (error) {
      if (error instanceof ApiError || signal?.aborted) throw error
      throw toNetworkError(error)
    } finally {
      window.clearTimeout(timer)
    }
  }
  const operations = bindOperations(OPERATIONS, ({ streams }, call, options) =>
    streams === undefined ? send(call, options).then(readBody) : openStream(call, options),
  )
  return { ...(operations as ConsoleApi), send }
}

/** The text or JSON of a response; undefined if it has none. A proxy may have replaced it with a page of its own. */
async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  const type = response.headers.get('content-type') ?? ''
  if (type.startsWith('text/') && !type.startsWith('text/html')) return response.text()
  try {
    return await response.json()
  } catch (cause) {
    throw new ApiError('The server sent an invalid response.', {
      status: response.status,
      code: 'unreadable_answer',
      hint: 'A proxy between you and Hansard may have changed it. Reload the page.',
      cause,
    })
  }
}
