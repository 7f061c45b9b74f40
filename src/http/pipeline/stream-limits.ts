import type { FastifyRequest } from 'fastify'
import { ServiceError } from '../../errors.ts'
import { clientIp } from './access/client-ip.ts'

/** How many event streams may be open at a time on this node. */
export type OpenStreamLimits = {
  /** Of one API key or one signed-in user. */
  perCaller: number
  /** From one IP address. */
  perAddress: number
  perNode: number
}

export interface OpenStreamCounter {
  /** Counts a stream until it is disposed. Throws 429 when a limit is reached. */
  open(request: FastifyRequest): Disposable
}

/** A client that was refused should wait this long before it tries again. */
const RETRY_AFTER_SECONDS = 10

export function createOpenStreamCounter(limits: OpenStreamLimits): OpenStreamCounter {
  const counts = new Map<string, number>()
  const countOf = (key: string) => counts.get(key) ?? 0
  let total = 0
  return {
    open(request) {
      const scopes = [
        { key: callerKey(request), limit: limits.perCaller, who: 'This caller has' },
        { key: `address:${clientIp(request)}`, limit: limits.perAddress, who: 'This address has' },
      ]
      if (total >= limits.perNode) throw tooManyStreams('The service has', limits.perNode)
      for (const { key, limit, who } of scopes) {
        if (countOf(key) >= limit) throw tooManyStreams(who, limit)
      }
      total += 1
      for (const { key } of scopes) counts.set(key, countOf(key) + 1)
      let isOpen = true
      return {
        [Symbol.dispose]() {
          if (!isOpen) return
          isOpen = false
          total -= 1
          for (const { key } of scopes) {
            if (countOf(key) > 1) counts.set(key, countOf(key) - 1)
            else counts.delete(key)
          }
        },
      }
    },
  }
}

function callerKey({ token, signedIn }: FastifyRequest): string {
  return token === null ? `user:${signedIn?.user.id ?? ''}` : `token:${token.id}`
}

function tooManyStreams(who: string, limit: number): ServiceError {
  return new ServiceError('too_many_requests', {
    text: `${who} ${limit} event streams open, which is the maximum. Close one first`,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  })
}
