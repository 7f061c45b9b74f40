import type { SecureContext } from 'node:tls'
import { tryParseJson } from '../lib/text/try-parse-json.ts'
import { classifyFetchError, createGuardedFetch, readLimitedBody } from './guarded-fetch.ts'
import type { NetworkPolicy } from './network-policy.ts'

/** The JSON value at an address, or a sentence that says why it could not be read. */
export type FetchedJson = { value: unknown } | { problem: string }

type Parts = {
  policy: NetworkPolicy
  /** Null to trust the certificate authorities that Node trusts by default. */
  secureContext: SecureContext | null
  /** The limit for everything together: DNS lookup, connection and the whole body. */
  timeoutMs: number
  /** The limit for the body after decompression. */
  maxBytes: number
}

/** Fetches small JSON documents. Every address must be allowed by the network policy, and no redirect is followed. */
export function createJsonFetcher(parts: Parts) {
  const { policy, timeoutMs, maxBytes } = parts
  const guarded = createGuardedFetch(parts)
  const closing = new AbortController()

  const read = async (url: string, signal: AbortSignal): Promise<FetchedJson> => {
    const headers = { accept: 'application/json', 'user-agent': 'Hansard' }
    const response = await guarded.fetch(url, { headers, signal })
    if (response.status !== 200) {
      await response.body?.cancel()
      return { problem: `The server answered with status ${response.status}` }
    }
    const body = await readLimitedBody(response, maxBytes)
    if (body === null) return { problem: `The document has more than ${maxBytes} bytes` }
    const value = tryParseJson(body.toString('utf8'))
    return value === undefined ? { problem: 'The document is not JSON' } : { value }
  }

  return {
    async fetchJson(url: string): Promise<FetchedJson> {
      closing.signal.throwIfAborted()
      if (policy.checkUrl(url) !== null) return { problem: BLOCKED }
      const timeout = AbortSignal.timeout(timeoutMs)
      try {
        return await read(url, AbortSignal.any([closing.signal, timeout]))
      } catch (error) {
        closing.signal.throwIfAborted()
        if (timeout.aborted) return { problem: TIMEOUT }
        const code = classifyFetchError(error)
        if (code === null) throw error
        return { problem: code === 'blocked_address' ? BLOCKED : 'The server cannot be reached' }
      }
    },
    async [Symbol.asyncDispose]() {
      closing.abort(new Error('the service is stopping'))
      await guarded[Symbol.asyncDispose]()
    },
  }
}

export type JsonFetcher = ReturnType<typeof createJsonFetcher>

const BLOCKED = 'The network rules of this service do not allow this address'
const TIMEOUT = 'The server did not answer in time'
