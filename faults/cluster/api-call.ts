import { errorMessageOf } from '../../src/lib/error-code.ts'

/** The answer of a node. Status 0 means that none came in time. */
export type ApiAnswer = { status: number; body: Record<string, unknown>; retryAfter: string | null }

export type ApiCallOptions = {
  url: string
  method: string
  path: string
  apiKey: string
  body?: unknown
  headers?: Record<string, string>
  timeoutMs?: number
}

const TIMEOUT_MS = 10_000

/** Calls a node that may be dead or paused. */
export async function callApi(options: ApiCallOptions): Promise<ApiAnswer> {
  const { url, method, path, apiKey, body, headers = {}, timeoutMs = TIMEOUT_MS } = options
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'x-api-key': apiKey,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const parsed = (isJson ? JSON.parse(text) : { text }) as ApiAnswer['body']
    return {
      status: response.status,
      body: parsed,
      retryAfter: response.headers.get('retry-after'),
    }
  } catch (error) {
    // `fetch` throws a TypeError if the connection fails, and a DOMException if the call is aborted.
    if (error instanceof TypeError || error instanceof DOMException)
      return { status: 0, body: { error: errorMessageOf(error.cause ?? error) }, retryAfter: null }
    throw error
  }
}
