import { ApiError, noAnswer, readApiError } from './api-error.ts'

const TIMEOUT_MS = 30_000

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Api {
  get<T>(path: string): Promise<T>
  /** An answer that is not JSON. */
  getText(path: string): Promise<string>
  post<T>(path: string, body?: object): Promise<T>
  put<T>(path: string, body: object): Promise<T>
  delete<T>(path: string): Promise<T>
}

interface ApiOptions {
  csrfToken: () => string | null
  /** The session has ended on the server; the caller decides where to go. */
  onSignedOut: () => void
}

export function createApi({ csrfToken, onSignedOut }: ApiOptions): Api {
  async function call(method: Method, path: string, body?: object): Promise<Response> {
    try {
      return await send(method, path, body, method === 'GET' ? null : csrfToken())
    } catch (error) {
      if (error instanceof ApiError && error.code === 'not_signed_in') onSignedOut()
      throw error
    }
  }

  return {
    get: async (path) => readAnswer(await call('GET', path)),
    getText: async (path) => (await call('GET', path)).text(),
    post: async (path, body) => readAnswer(await call('POST', path, body)),
    put: async (path, body) => readAnswer(await call('PUT', path, body)),
    delete: async (path) => readAnswer(await call('DELETE', path)),
  }
}

async function send(
  method: Method,
  path: string,
  body: object | undefined,
  csrfToken: string | null,
): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' })
  if (body) headers.set('content-type', 'application/json')
  if (csrfToken) headers.set('x-csrf-token', csrfToken)
  const response = await reach(path, {
    method,
    headers,
    body: body ? JSON.stringify(body) : null,
    credentials: 'same-origin',
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw await readApiError(response)
  return response
}

async function reach(path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(path, init)
  } catch (cause) {
    throw noAnswer(cause)
  }
}

async function readAnswer<T>(response: Response): Promise<T> {
  try {
    return (await response.json()) as T
  } catch (cause) {
    throw new ApiError('The server sent an answer that this page cannot read.', {
      status: response.status,
      code: 'unreadable_answer',
      hint: 'A proxy may stand between you and Hansard. Reload the page.',
      cause,
    })
  }
}
