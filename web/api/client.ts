import { ApiError, toNetworkError, readApiError } from './api-error.ts'

const TIMEOUT_MS = 30_000

/** For things that may not exist. Their error does not have status 404, which browsers log as an error of the page. */
export const MAY_BE_MISSING = { 'x-missing': 'expected' }

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface ApiClient {
  get<T>(path: string, headers?: Record<string, string>): Promise<T>
  /** For responses that are not JSON. */
  getText(path: string): Promise<string>
  /** `timeoutMs` overrides the default timeout, for slow requests. */
  post<T>(path: string, body?: object, timeoutMs?: number): Promise<T>
  put<T>(path: string, body: object, headers?: Record<string, string>): Promise<T>
  patch<T>(path: string, body: object): Promise<T>
  delete<T>(path: string, headers?: Record<string, string>): Promise<T>
  /** For a response that is a stream of server-sent events. It has no time limit. */
  postForStream(path: string, body: object, signal: AbortSignal): Promise<Response>
  /** The raw response, for callers that need its headers or bytes. */
  getResponse(path: string, headers?: Record<string, string>): Promise<Response>
  putText(path: string, text: string, headers: Record<string, string>): Promise<Response>
}

type SendOptions = {
  body?: string
  type?: string
  headers?: Record<string, string> | undefined
  timeoutMs?: number | undefined
  /** Ends the request. Replaces the time limit. */
  signal?: AbortSignal
}

interface ApiOptions {
  csrfToken: () => string | null
  /** Called when the server says that the session has ended. */
  onSignedOut: () => void
}

export function createApiClient({ csrfToken, onSignedOut }: ApiOptions): ApiClient {
  async function call(method: Method, path: string, sent: SendOptions = {}): Promise<Response> {
    try {
      return await send(method, path, sent, method === 'GET' ? null : csrfToken())
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_signed_in') onSignedOut()
      throw error
    }
  }

  return {
    get: async (path, headers) => readJson(await call('GET', path, { headers })),
    getText: async (path) => (await call('GET', path)).text(),
    post: async (path, body, timeoutMs) =>
      readJson(await call('POST', path, { ...toJsonBody(body), timeoutMs })),
    put: async (path, body, headers) =>
      readJson(await call('PUT', path, { ...toJsonBody(body), headers })),
    patch: async (path, body) => readJson(await call('PATCH', path, toJsonBody(body))),
    delete: async (path, headers) => readJson(await call('DELETE', path, { headers })),
    postForStream: (path, body, signal) =>
      call('POST', path, { ...toJsonBody(body), signal, headers: { accept: 'text/event-stream' } }),
    getResponse: (path, headers) => call('GET', path, { headers }),
    putText: (path, body, headers) =>
      call('PUT', path, { body, type: 'text/markdown; charset=utf-8', headers }),
  }
}

function toJsonBody(body: object | undefined): SendOptions {
  return body ? { body: JSON.stringify(body), type: 'application/json' } : {}
}

async function send(
  method: Method,
  path: string,
  { body, type, headers: extraHeaders, timeoutMs = TIMEOUT_MS, signal }: SendOptions,
  csrfToken: string | null,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json', ...extraHeaders })
  if (type !== undefined) headers.set('content-type', type)
  if (csrfToken) headers.set('x-csrf-token', csrfToken)
  const response = await fetchOrThrow(path, {
    method,
    headers,
    body: body ?? null,
    credentials: 'same-origin',
    cache: 'no-store',
    signal: signal ?? AbortSignal.timeout(timeoutMs),
  })
  if (!response.ok || response.headers.has('x-error-status')) throw await readApiError(response)
  return response
}

async function fetchOrThrow(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (cause) {
    throw toNetworkError(cause)
  }
}

async function readJson<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T
  } catch (cause) {
    throw new ApiError('The server sent an invalid response.', {
      status: response.status,
      code: 'unreadable_answer',
      hint: 'A proxy between you and Hansard may have changed it. Reload the page.',
      cause,
    })
  }
}
