import type { Presence } from '../db/presence.ts'
import type { Timers } from '../lib/timers.ts'
import type { Posted, PostRequest, Transport } from './transport.ts'

/** What a listener is handed: one callback, to be posted as it is. */
export type Handed = { deliveryId: string; headers: Record<string, string>; body: string }

/** What the receiver behind a listener answered. */
export type ListenerAnswer = Pick<Posted, 'status' | 'error' | 'answer' | 'durationMs'>

/** Developers' machines that asked for callbacks over a stream of their own: no tunnel, no public address. */
export interface Listeners {
  /** Their addresses: `listen:` and a name. */
  addresses(): string[]
  /** Dispose when the stream ends. The newest of a name gets the callbacks. */
  open(name: string, hand: (handed: Handed) => void): Disposable
  /** False: nobody waits for it, here or elsewhere. */
  answer(deliveryId: string, answer: ListenerAnswer): void
  /** A transport that hands callbacks for listeners to them, and all others on. */
  routing(http: Transport): Transport
}

export const LISTENER_SCHEME = 'listen:'
const NAME = /^listen:([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/

/** The name in a `listen:` address, else null. */
export function listenerName(url: string): string | null {
  return NAME.exec(url)?.[1] ?? null
}

type Parts = { presence: Presence; timers: Timers; onOpen(): void }

export function createListeners({ presence, timers, onOpen }: Parts): Listeners {
  const open = new Map<string, Array<(handed: Handed) => void>>()
  const waiting = new Map<string, (answer: ListenerAnswer) => void>()

  const settle = (deliveryId: string, answer: ListenerAnswer): boolean => {
    const resolve = waiting.get(deliveryId)
    waiting.delete(deliveryId)
    resolve?.(answer)
    return resolve !== undefined
  }
  // The answer may come in at another node than the one the stream is connected to.
  presence.onCall((notice) => {
    const message = JSON.parse(notice) as { answer?: ListenerAnswer; deliveryId?: string }
    if (message.answer && message.deliveryId) settle(message.deliveryId, message.answer)
  })

  const post = async (name: string, request: PostRequest, signal: AbortSignal): Promise<Posted> => {
    const hand = open.get(name)?.at(-1)
    const startedAt = timers.now()
    const failed = (error: Posted['error']): ListenerAnswer => {
      return { status: null, error, answer: '', durationMs: timers.now() - startedAt }
    }
    if (hand === undefined) return { ...failed('connection_refused'), retryAfterMs: null }
    const deliveryId = request.headers['x-service-delivery-id'] ?? ''
    const answer = await new Promise<ListenerAnswer>((resolve, reject) => {
      const cancel = timers.after(request.timeoutMs, () => settle(deliveryId, failed('timeout')))
      const giveUp = () => {
        waiting.delete(deliveryId)
        cancel()
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.set(deliveryId, (given) => {
        cancel()
        signal.removeEventListener('abort', giveUp)
        resolve(given)
      })
      hand({ deliveryId, headers: request.headers, body: request.body.toString() })
    })
    return { ...answer, retryAfterMs: null }
  }

  return {
    addresses: () => [...open.keys()].map((name) => `${LISTENER_SCHEME}${name}`),
    open(name, hand) {
      const hands = open.get(name) ?? []
      hands.push(hand)
      open.set(name, hands)
      onOpen()
      return {
        [Symbol.dispose]() {
          hands.splice(hands.indexOf(hand), 1)
          if (hands.length === 0) open.delete(name)
        },
      }
    },
    answer(deliveryId, answer) {
      if (!settle(deliveryId, answer)) presence.call(JSON.stringify({ deliveryId, answer }))
    },
    routing: (http) => ({
      post(request, signal) {
        const name = listenerName(request.url)
        return name === null ? http.post(request, signal) : post(name, request, signal)
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  }
}
