import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import type { Timers } from '../../lib/time/timers.ts'
import { TEST_EVENT_TYPE } from '../test-call.ts'
import type { PostResult, PostRequest, Transport } from '../network/transport.ts'

/** What a listener is handed: one callback, to be posted as it is. */
export type ListenedCallback = {
  deliveryId: string
  headers: Record<string, string>
  body: string
  /** The receiver has to answer within this. */
  timeoutMs: number
}

/** What the receiver behind a listener answered. */
export type ListenerAnswer = Pick<PostResult, 'status' | 'error' | 'answer' | 'durationMs'>

/** The way to one developer's machine. */
export type ListenerStream = {
  send(handed: ListenedCallback): void
  /** It says nothing any more: whoever is there has to connect again. */
  disconnect(): void
}

/** Developers' machines that asked for callbacks over a stream of their own: no tunnel, no public address. */
export interface Listeners {
  /** Their addresses: `listen:` and a name. */
  addresses(): string[]
  /** Dispose when the stream ends. The newest of a name gets the callbacks. */
  connect(name: string, stream: ListenerStream): Disposable
  /** Also of a callback that another node handed out; of one that nobody waits for it is no news. */
  reportAnswer(deliveryId: string, reportAnswer: ListenerAnswer): void
  /** A transport that hands callbacks for listeners to them, and all others on. */
  wrapTransport(http: Transport): Transport
}

/** No attempt was made, so none is counted: the lane is given back until somebody listens, here or elsewhere. */
export class NoListenerError extends Error {
  override readonly name = 'NoListenerError'
}

export const LISTENER_SCHEME = 'listen:'
const LISTENER_URL = /^listen:([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/
/** A listener tells of a receiver that does not answer; one that does not even tell that is gone. */
const ANSWER_GRACE_MS = 5_000
/** So much fits into a call to the other nodes, however it has to be escaped. */
const MAX_NOTIFY_CHARACTERS = 1_000

/** The name in a `listen:` address, else null. */
export function listenerName(url: string): string | null {
  return url.startsWith(LISTENER_SCHEME) ? (LISTENER_URL.exec(url)?.[1] ?? null) : null
}

type Parts = { presence: NodeMembership; timers: Timers; onOpen(url: string): void }
type PendingAnswer = { stream: ListenerStream; settle(answer: ListenerAnswer): void }

export function createListeners({ presence, timers, onOpen }: Parts): Listeners {
  const open = new Map<string, ListenerStream[]>()
  const waiting = new Map<string, PendingAnswer>()

  // The answer may come in at another node than the one the stream is connected to.
  presence.onMessage('listener_answer', ({ deliveryId, answer }) =>
    waiting.get(deliveryId)?.settle(answer),
  )

  const handOver = (stream: ListenerStream, request: PostRequest, signal: AbortSignal) => {
    const { headers, timeoutMs } = request
    const deliveryId = headers['x-service-delivery-id'] ?? ''
    return new Promise<ListenerAnswer>((resolve, reject) => {
      const forget = () => {
        waiting.delete(deliveryId)
        cancel()
        signal.removeEventListener('abort', giveUp)
      }
      const settle = (answer: ListenerAnswer) => {
        forget()
        resolve(answer)
      }
      const giveUp = () => {
        forget()
        reject(signal.reason as Error)
      }
      const cancel = timers.after(timeoutMs + ANSWER_GRACE_MS, () => {
        settle(failedAnswer('timeout', timeoutMs + ANSWER_GRACE_MS))
        stream.disconnect()
      })
      signal.addEventListener('abort', giveUp, { once: true })
      waiting.set(deliveryId, { stream, settle })
      stream.send({ deliveryId, headers, body: request.body.toString(), timeoutMs })
    })
  }
  const post = async (
    name: string,
    request: PostRequest,
    signal: AbortSignal,
  ): Promise<PostResult> => {
    signal.throwIfAborted()
    const stream = open.get(name)?.at(-1)
    if (stream !== undefined) {
      return { ...(await handOver(stream, request, signal)), retryAfterMs: null }
    }
    // A test waits for nobody: that nobody is there is its result.
    if (request.headers['x-service-event'] !== TEST_EVENT_TYPE) {
      throw new NoListenerError(`Nobody listens as ${name}`)
    }
    return { ...failedAnswer('connection_refused', 0), retryAfterMs: null }
  }
  const close = (name: string, stream: ListenerStream) => {
    const others = (open.get(name) ?? []).filter((one) => one !== stream)
    if (others.length > 0) open.set(name, others)
    else open.delete(name)
    const lost = [...waiting.values()].filter((one) => one.stream === stream)
    for (const { settle } of lost) settle(failedAnswer('connection_reset', 0))
  }

  return {
    addresses: () => [...open.keys()].map((name) => `${LISTENER_SCHEME}${name}`),
    connect(name, stream) {
      open.set(name, [...(open.get(name) ?? []), stream])
      onOpen(`${LISTENER_SCHEME}${name}`)
      return { [Symbol.dispose]: () => close(name, stream) }
    },
    reportAnswer(deliveryId, given) {
      const answer = { ...given, answer: toStorableText(given.answer) }
      const mine = waiting.get(deliveryId)
      if (mine !== undefined) return mine.settle(answer)
      const short = {
        ...answer,
        answer: toStorableText(answer.answer.slice(0, MAX_NOTIFY_CHARACTERS)),
      }
      presence.broadcast('listener_answer', { deliveryId, answer: short })
    },
    wrapTransport: (http) => ({
      post(request, signal) {
        const name = listenerName(request.url)
        return name === null ? http.post(request, signal) : post(name, request, signal)
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  }
}

function failedAnswer(error: NonNullable<PostResult['error']>, durationMs: number): ListenerAnswer {
  return { status: null, error, answer: '', durationMs }
}

/** Text that any store takes: one that does not would hold up whatever is written together with it. */
function toStorableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}
