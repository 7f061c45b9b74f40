import type { SecureContext } from 'node:tls'
import type * as Undici from 'undici'
import { lazyRequire } from '../lib/lazy-require.ts'
import { classifyNetworkError, type DeliveryErrorCode } from './network-errors.ts'
import type { NetworkPolicy } from './network-policy.ts'

/** undici is loaded with the first request instead of at startup. */
const undici = lazyRequire('undici') as () => typeof Undici

type Parts = {
  policy: NetworkPolicy
  /** Null to trust the certificate authorities that Node trusts by default. */
  secureContext: SecureContext | null
}

/** Requests whose host names may resolve only to addresses that the network policy allows. */
export function createGuardedFetch({ policy, secureContext }: Parts) {
  // One agent per port, because the guarded lookup is bound to a port.
  const agents = new Map<number, Undici.Agent>()
  const agentFor = ({ port, protocol }: URL): Undici.Agent => {
    const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
    const existing = agents.get(number)
    if (existing !== undefined) return existing
    const agent = new (undici().Agent)({
      connections: 10,
      connect: {
        lookup: policy.guardedLookup(number),
        rejectUnauthorized: true,
        ...(secureContext !== null && { secureContext }),
      },
    })
    agents.set(number, agent)
    return agent
  }
  return {
    /** Follows no redirect, because its address has to be checked first. The caller has checked this one. */
    fetch: (url: string, init: Undici.RequestInit) =>
      undici().fetch(url, { ...init, dispatcher: agentFor(new URL(url)), redirect: 'manual' }),
    async [Symbol.asyncDispose]() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()))
    },
  }
}

export type GuardedFetch = ReturnType<typeof createGuardedFetch>

/**
 * Reads a body of at most this many bytes. Returns null if it is larger. undici has already decompressed it, so a small
 * answer cannot become huge. Throws `BodyError` if the body breaks off.
 */
export async function readLimitedBody(
  response: Undici.Response,
  maxBytes: number,
): Promise<Buffer | null> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of response.body ?? []) {
      const bytes = chunk as Uint8Array
      size += bytes.length
      // Leaving the loop cancels the rest of the body.
      if (size > maxBytes) return null
      chunks.push(bytes)
    }
  } catch (error) {
    throw new BodyError('the body of a response could not be read', { cause: error })
  }
  return Buffer.concat(chunks)
}

/** Failures after the headers are the fault of the answer: each compression has its own error codes. */
class BodyError extends Error {
  override readonly name = 'BodyError'
}

/** Maps the error of a request or of its body to a code. Null means a bug in this service. */
export function classifyFetchError(error: unknown): DeliveryErrorCode | null {
  if (error instanceof BodyError) return classifyBodyError(error.cause)
  // undici's fetch reports a network error as the cause of a TypeError.
  const cause = error instanceof TypeError ? error.cause : error
  // Fetch itself refuses some ports, without an error code.
  if (cause instanceof Error && cause.message === 'bad port') return 'blocked_address'
  return classifyNetworkError(cause)
}

function classifyBodyError(error: unknown): DeliveryErrorCode | null {
  const cause = error instanceof TypeError ? error.cause : error
  const code = classifyNetworkError(cause)
  // The codes of zlib look like those of certificates, but certificates were already checked.
  return code === null || code === 'tls_error' ? 'bad_answer' : code
}
