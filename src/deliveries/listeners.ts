import type { NodeMembership } from '../db/nodes/node-membership.ts'
import type { Timers } from '../lib/time/clock.ts'
import type { LaneRecord } from './lane/lane-record.ts'
import type { PostResult, PostRequest, CallbackTransport } from './transport.ts'
import { TEST_EVENT_TYPE } from './test-callback.ts'

/** A callback for a listener, which posts it unchanged. */
export type CallbackForListener = {
  deliveryId: string
  headers: Record<string, string>
  body: string
  /** The receiver must answer within this time. */
  timeoutMs: number
}

/** The receiver's answer to a callback that a listener posted. */
export type ListenerAnswer = Pick<PostResult, 'status' | 'error' | 'answer' | 'durationMs'>

export type ListenerStream = {
  /** The caller who opened the stream, such as `token:ID`. Only this caller may answer its callbacks. */
  caller: string
  /** True if the caller may answer the callbacks of a meeting. */
  mayAnswer(meetingId: string): Promise<boolean>
  /** True if a token belongs to the caller, who then gets the test events that it signs. */
  ownsToken(tokenId: string): Promise<boolean>
  send(callback: CallbackForListener): void
  /** Closes the stream of a listener that no longer reports answers. The listener must reconnect. */
  disconnect(): void
}

/** Programs that receive callbacks over a stream that they opened, so they need no public address. */
export interface ListenerConnections {
  /** The addresses of the connected listeners: `listen:` and a name. */
  addresses(): string[]
  /** The newest stream of a listener name gets its callbacks. The caller disposes the result when the stream ends. */
  connect(name: string, stream: ListenerStream): Disposable
  /**
   * Passes an answer to the lane that waits for it, even on another node. Ignored if no lane waits for it, or if the
   * callback was sent to another caller.
   */
  reportAnswer(deliveryId: string, caller: string, answer: ListenerAnswer): void
  /** A transport that sends callbacks for `listen:` addresses to listeners, and all other callbacks over HTTP. */
  wrapTransport(http: CallbackTransport): CallbackTransport
}

/** The lane's listener is not connected. No attempt is counted, and no node runs the lane until it connects. */
export class ListenerNotConnectedError extends Error {
  override readonly name: string = 'ListenerNotConnectedError'
}

/** Listeners are connected under the name, but none of them may answer the callbacks of the meeting. */
export class ListenerNotAllowedError extends ListenerNotConnectedError {
  override readonly name = 'ListenerNotAllowedError'
}

export const LISTENER_SCHEME = 'listen:'
const LISTENER_URL = /^listen:([A-Za-z0-9][A-Za-z0-9._-]{0,63})$/
/** A listener reports its receiver's timeout itself. After this extra time the listener is treated as disconnected. */
const ANSWER_GRACE_MS = 5_000
/** An answer of this length fits into one NOTIFY message, no matter how many characters must be escaped. */
const MAX_NOTIFY_CHARACTERS = 1_000

/** Access can change while a listener is connected, so its lanes are tried again after this time. */
const RETRY_MS = 15_000

/** The name in a `listen:` address. Null for any other URL. */
export function parseListenerName(url: string): string | null {
  return url.startsWith(LISTENER_SCHEME) ? (LISTENER_URL.exec(url)?.[1] ?? null) : null
}

type Parts = { membership: NodeMembership; timers: Timers; onConnect(url: string): void }
type PendingAnswer = { stream: ListenerStream; settle(answer: ListenerAnswer): void }

export function createListenerConnections({
  membership,
  timers,
  onConnect,
}: Parts): ListenerConnections {
  const streams = new Map<string, ListenerStream[]>()
  const pending = new Map<string, PendingAnswer>()

  // A listener may report its answer to a node that does not hold its stream.
  membership.onMessage('listener_answer', ({ deliveryId, caller, answer }) =>
    settleIfAsked(deliveryId, caller, answer),
  )

  const settleIfAsked = (deliveryId: string, caller: string, answer: ListenerAnswer) => {
    const asked = pending.get(deliveryId)
    if (asked?.stream.caller === caller) asked.settle(answer)
  }

  const sendAndWait = (stream: ListenerStream, request: PostRequest, signal: AbortSignal) => {
    const { headers, timeoutMs } = request
    const deliveryId = headers['x-service-delivery-id'] ?? ''
    return new Promise<ListenerAnswer>((resolve, reject) => {
      const cleanUp = () => {
        pending.delete(deliveryId)
        cancelTimer()
        signal.removeEventListener('abort', onAbort)
      }
      const settle = (answer: ListenerAnswer) => {
        cleanUp()
        resolve(answer)
      }
      const onAbort = () => {
        cleanUp()
        reject(signal.reason as Error)
      }
      const cancelTimer = timers.after(timeoutMs + ANSWER_GRACE_MS, () => {
        settle(failedAnswer('timeout', timeoutMs + ANSWER_GRACE_MS))
        stream.disconnect()
      })
      signal.addEventListener('abort', onAbort, { once: true })
      pending.set(deliveryId, { stream, settle })
      stream.send({ deliveryId, headers, body: request.body.toString(), timeoutMs })
    })
  }
  /** The newest stream of a name that may answer the callback. A test event has no meeting. */
  const findStream = async (name: string, { headers, tokenId }: PostRequest) => {
    const isTest = headers['x-service-event'] === TEST_EVENT_TYPE
    for (const stream of (streams.get(name) ?? []).toReversed()) {
      const mayAnswer = isTest
        ? await stream.ownsToken(tokenId)
        : await stream.mayAnswer(headers['x-service-meeting-id'] ?? '')
      // The stream may have closed during the check. Then no answer would come.
      if (mayAnswer && streams.get(name)?.includes(stream) === true) return stream
    }
    return undefined
  }
  const post = async (
    name: string,
    request: PostRequest,
    signal: AbortSignal,
  ): Promise<PostResult> => {
    signal.throwIfAborted()
    const stream = await findStream(name, request)
    signal.throwIfAborted()
    if (stream !== undefined) {
      return { ...(await sendAndWait(stream, request, signal)), retryAfterMs: null }
    }
    // A test call does not wait for a listener. Its result says that none is connected.
    if (request.headers['x-service-event'] !== TEST_EVENT_TYPE) {
      const isConnected = streams.has(name)
      throw isConnected
        ? new ListenerNotAllowedError(
            `No listener named ${name} may answer callbacks of the meeting`,
          )
        : new ListenerNotConnectedError(`No listener named ${name} is connected`)
    }
    return { ...failedAnswer('connection_refused', 0), retryAfterMs: null }
  }
  const close = (name: string, stream: ListenerStream) => {
    const others = (streams.get(name) ?? []).filter((one) => one !== stream)
    if (others.length > 0) streams.set(name, others)
    else streams.delete(name)
    const lost = [...pending.values()].filter((one) => one.stream === stream)
    for (const { settle } of lost) settle(failedAnswer('connection_reset', 0))
  }

  return {
    addresses: () => [...streams.keys()].map((name) => `${LISTENER_SCHEME}${name}`),
    connect(name, stream) {
      streams.set(name, [...(streams.get(name) ?? []), stream])
      onConnect(`${LISTENER_SCHEME}${name}`)
      return { [Symbol.dispose]: () => close(name, stream) }
    },
    reportAnswer(deliveryId, caller, reported) {
      const answer = { ...reported, answer: toStorableText(reported.answer) }
      if (pending.has(deliveryId)) return settleIfAsked(deliveryId, caller, answer)
      const shortened = {
        ...answer,
        answer: toStorableText(answer.answer.slice(0, MAX_NOTIFY_CHARACTERS)),
      }
      membership.broadcast('listener_answer', { deliveryId, caller, answer: shortened })
    },
    wrapTransport: (http) => ({
      post(request, signal) {
        const name = parseListenerName(request.url)
        return name === null ? http.post(request, signal) : post(name, request, signal)
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  }
}

function failedAnswer(error: NonNullable<PostResult['error']>, durationMs: number): ListenerAnswer {
  return { status: null, error, answer: '', durationMs }
}

/** Replaces characters that PostgreSQL cannot store. One of them would make a whole batch of writes fail. */
function toStorableText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed()
}

/**
 * Lanes whose listeners are connected to this node but may not answer its callbacks. The lanes stay due, because a
 * listener that may answer can be connected to another node. This node skips them for a while instead of claiming them
 * again at once.
 */
export function createRefusedLanes(now: () => number) {
  const lanes = new Map<string, { url: string; retryAt: number }>()
  return {
    add({ id, url }: Pick<LaneRecord, 'id' | 'url'>): void {
      lanes.set(id, { url, retryAt: now() + RETRY_MS })
    },
    /** Forgets the lanes of a listener name, because another listener connected under it. */
    clear(url: string): void {
      for (const [id, lane] of lanes) if (lane.url === url) lanes.delete(id)
    },
    listIds(): string[] {
      for (const [id, { retryAt }] of lanes) if (retryAt <= now()) lanes.delete(id)
      return [...lanes.keys()]
    },
  }
}
