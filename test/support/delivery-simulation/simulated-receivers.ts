import type {
  PostResult,
  PostRequest,
  Transport,
} from '../../../src/deliveries/network/transport.ts'
import type { SeededRandom } from '../meetings/caption-streams.ts'
import type { SimulatedTime, SimulatedProcess } from './simulated-time.ts'
import type { SimulatedLaneHold, InvariantChecker } from './invariant-checker.ts'

/** How a receiver behaves for a while. */
export const RECEIVER_MODES = ['up', 'flaky', 'refuses', 'hangs', 'fails', 'slow'] as const
export type ReceiverMode = (typeof RECEIVER_MODES)[number]

type Answer = Pick<PostResult, 'status' | 'error' | 'retryAfterMs'>

const answer = (status: number, retryAfterMs: number | null = null): Answer => {
  return { status, error: null, retryAfterMs }
}
const noResponse = (error: NonNullable<PostResult['error']>): Answer => {
  return { status: null, error, retryAfterMs: null }
}
const FAULT_RESPONSES = [
  answer(500),
  answer(502),
  answer(401),
  answer(404),
  answer(302),
  answer(429, 5_000),
  answer(503, 900_000),
  noResponse('connection_reset'),
]
const REJECTION_STATUSES = [400, 409, 413, 422, 501]
const TRAVEL_MS = [0, 1, 5, 30, 150]

type Parts = {
  agenda: SimulatedTime
  random: SeededRandom
  watch: InvariantChecker
  wall(host: SimulatedProcess): number
}

/** The receivers of the world, and the way to them. */
export function createSimulatedReceivers({ agenda, random, watch, wall }: Parts) {
  const modes = new Map<string, ReceiverMode>()
  /** By meeting and sequence: how often an event is refused. */
  const refused = new Map<string, number>()
  const gone = new Set<string>()
  let isCalm = false

  const modeOf = (url: string): ReceiverMode => (isCalm ? 'up' : (modes.get(url) ?? 'up'))
  /** What the receiver says; null: nothing for too long. */
  const hear = (
    { row }: SimulatedLaneHold,
    mode: ReceiverMode,
    id: string,
    sequence: number,
  ): Answer | null => {
    const left = refused.get(id) ?? 0
    if (mode === 'hangs') return null
    if (mode === 'fails') return random.pick(FAULT_RESPONSES)
    if (left > 0) {
      refused.set(id, left - 1)
      return answer(random.pick(REJECTION_STATUSES))
    }
    if (gone.has(row.meetingId)) return answer(410)
    if (mode === 'flaky' && random.isLucky(0.2)) return random.pick([null, ...FAULT_RESPONSES])
    const key = `${row.id} ${sequence}`
    if (watch.arrived.has(key)) watch.count('repeated event')
    watch.arrived.add(key)
    // It has the event, but whoever sent it will never know.
    if (mode === 'flaky' && random.isLucky(0.1))
      return random.pick([null, noResponse('connection_reset')])
    return answer(random.pick([200, 202, 204]))
  }

  function post(
    held: SimulatedLaneHold,
    host: SimulatedProcess,
    request: PostRequest,
    signal: AbortSignal,
  ): Promise<PostResult> {
    return new Promise((resolve, reject) => {
      const startedAt = agenda.now()
      const { headers } = request
      const id = headers['webhook-id'] ?? ''
      const sequence = Number(id.split('_').at(-1))
      const isPartial = headers['x-service-event'] === 'caption_partial'
      let isOver = false
      const end = () => {
        isOver = true
        cancel()
        signal.removeEventListener('abort', giveUp)
        watch.onEnd(held, request, host.pausedUntil)
      }
      const finish = (given: Answer) => {
        if (isOver) return
        end()
        const isTaken = given.status !== null && given.status < 300
        if (isTaken && !isPartial) held.accepted = sequence
        const isRefusal = given.status === 410 || REJECTION_STATUSES.includes(given.status ?? 0)
        held.lastResponseWasFault = !isTaken && !isRefusal
        watch.log(`${held.row.id} ${sequence} → ${given.status ?? given.error}`)
        resolve({ ...given, answer: '', durationMs: agenda.now() - startedAt })
      }
      const giveUp = () => {
        watch.log(`${held.row.id} ${sequence} called off`)
        try {
          end()
        } catch (error) {
          // Nobody catches what a listener of a signal throws.
          watch.recordFailure(error)
        }
        reject(signal.reason as Error)
      }
      const cancel = agenda
        .timersOf(host)
        .after(request.timeoutMs, () => finish(noResponse('timeout')))
      signal.addEventListener('abort', giveUp, { once: true })
      const mode = modeOf(request.url)
      const back = (given: Answer) =>
        agenda.after(
          host,
          mode === 'slow' ? random.between(1, 12_000) : random.pick(TRAVEL_MS),
          () => finish(given),
        )
      if (mode === 'refuses') return void back(noResponse('connection_refused'))
      agenda.after(null, random.pick(TRAVEL_MS), () => {
        // Called off, or its process died: it may have been on its way already.
        if ((isOver || host.isDead) && random.isLucky(0.5)) return
        const given = isPartial && mode !== 'hangs' ? answer(200) : hear(held, mode, id, sequence)
        if (given !== null) back(given)
      })
    })
  }

  return {
    modes,
    refused,
    gone,
    calm() {
      isCalm = true
    },
    transportFor: (held: SimulatedLaneHold, host: SimulatedProcess): Transport => ({
      async post(request, signal) {
        signal.throwIfAborted()
        watch.log(
          `${held.row.id}/${held.record.fence} posts ${request.headers['webhook-id']} ${request.headers['x-service-event']}`,
        )
        watch.onRequest(held, request, wall(host))
        watch.count(
          request.headers['x-service-event'] === 'caption_partial' ? 'partial' : 'attempt',
        )
        return post(held, host, request, signal)
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  }
}
