import type * as Undici from 'undici'
import { errorCode } from '../../../lib/error-code.ts'
import { lazyRequire } from '../../../lib/lazy-require.ts'
import { isProgrammingError } from '../page-session/page-errors.ts'

/** undici is loaded with the first request, not at startup. */
const undici = lazyRequire('undici') as () => typeof Undici

const MAX_BYTES = 64 * 1_024

export type ServerAnswer = {
  statusCode: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

type Question = {
  method?: 'GET' | 'POST'
  headers?: Readonly<Record<string, string>>
  body?: string
  timeoutMs: number
  signal: AbortSignal
}

/** Sends a small request to a listed server, without following redirects. Returns why the server did not answer. */
export async function askServer(url: URL, question: Question): Promise<ServerAnswer | string> {
  const { method = 'GET', headers = {}, body = null, timeoutMs, signal } = question
  const dispatcher = new (undici().Agent)({ maxResponseSize: MAX_BYTES })
  try {
    const answer = await undici().request(url, {
      method,
      headers,
      body,
      dispatcher,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const text = await answer.body.text()
    return { statusCode: answer.statusCode, headers: answer.headers, text }
  } catch (error) {
    if (isProgrammingError(error)) throw error
    return `${url.host} could not be reached (${errorCode(error) || 'no valid response'})`
  } finally {
    void dispatcher.destroy()
  }
}
