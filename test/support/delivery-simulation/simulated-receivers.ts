import type {
  PostResult,
  PostRequest,
  CallbackTransport,
} from '../../../src/deliveries/transport.ts'
import type { SeededRandom } from '../meetings/caption-streams.ts'
import type { SimulatedTime, SimulatedProcess } from './simulated-time.ts'
import type { SimulatedLaneClaim, InvariantChecker } from './invariant-checker.ts'

/** The behaviours of a simulated receiver. */
export const RECEIVER_MODES = ['up', 'flaky', 'refuses', 'hangs', 'fails', 'slow'] as const
export type ReceiverMode = (typeof RECEIVER_MODES)[number]

type Answer = Pick<PostResult, 'status' | 'error' | 'retryAfterMs' | 'wasStaleConnection'>

const answer = (status: number, retryAfterMs: number | null = null): Answer => {
  return { status, error: null, retryAfterMs }
}
const noResponse = (error: NonNullable<PostResult['error']>): Answer => {
  return { status: null, error, retryAfterMs: null }
}
const STALE_CONNECTION: Answer = { ...noResponse('connection_reset'), wasStaleConnection: true }
const FAILURE_RESPONSES = [
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
const LATENCIES_MS = [0, 1, 5, 30, 150]

type Parts = {
  time: SimulatedTime
  random: SeededRandom
  checker: InvariantChecker
  wall(host: SimulatedProcess): number
}

/** All simulated receivers, and the transports that reach them. */
export function createSimulatedReceivers({ time, random, checker, wall }: Parts) {
  const modes = new Map<string, ReceiverMode>()
  /** How many more times an event is rejected, by meeting and sequence. */
  const rejectionsLeft = new Map<string, number>()
  const gone = new Set<string>()
  let areFaultsOff = false

  const modeOf = (url: string): ReceiverMode => (areFaultsOff ? 'up' : (modes.get(url) ?? 'up'))
  /** The receiver's response; null if it never answers. */
  const respond = (
    { row }: SimulatedLaneClaim,
    mode: ReceiverMode,
    id: string,
    sequence: number,
    connection: PostRequest['connection'],
  ): Answer | null => {
    const left = rejectionsLeft.get(id) ?? 0
    if (mode === 'hangs') return null
    if (mode === 'fails') return random.pick(FAILURE_RESPONSES)
    if (left > 0) {
      rejectionsLeft.set(id, left - 1)
      return answer(random.pick(REJECTION_STATUSES))
    }
    if (gone.has(row.meetingId)) return answer(410)
    if (mode === 'flaky' && random.chance(0.2)) return random.pick([null, ...FAILURE_RESPONSES])
    const key = `${row.id} ${sequence}`
    if (checker.arrived.has(key)) checker.count('repeated event')
    // The connection is reset before or after the receiver has read the event.
    const isStale = connection === 'any' && random.chance(mode === 'flaky' ? 0.2 : 0.01)
    if (isStale && random.chance(0.5)) return STALE_CONNECTION
    checker.arrived.add(key)
    if (isStale) return STALE_CONNECTION
    // The receiver has the event, but its response is lost.
    if (mode === 'flaky' && random.chance(0.1))
      return random.pick([null, noResponse('connection_reset')])
    return answer(random.pick([200, 202, 204]))
  }

  function post(
    claim: SimulatedLaneClaim,
    host: SimulatedProcess,
    request: PostRequest,
    signal: AbortSignal,
  ): Promise<PostResult> {
    return new Promise((resolve, reject) => {
      const startedAt = time.now()
      const { headers } = request
      const id = headers['webhook-id'] ?? ''
      const sequence = Number(id.split('_').at(-1))
      const isPartial = headers['x-service-event'] === 'caption_partial'
      let hasEnded = false
      /** The response whose headers have arrived but whose body has not ended. */
      let answered: Answer | null = null
      const end = () => {
        hasEnded = true
        cancel()
        signal.removeEventListener('abort', onAbort)
        checker.onEnd(claim, request, host.pausedUntil)
      }
      const noteStatus = (given: Answer) => {
        const isAccepted = given.status !== null && given.status < 300
        if (isAccepted && !isPartial) claim.accepted = sequence
        const isRejection = given.status === 410 || REJECTION_STATUSES.includes(given.status ?? 0)
        const isStale = given.wasStaleConnection === true
        if (isStale) checker.count('stale connection')
        claim.mustReconnect = isStale && !isPartial
        claim.lastResponseWasFault = isStale ? null : !isAccepted && !isRejection
      }
      const finish = (given: Answer) => {
        if (hasEnded) return
        end()
        noteStatus(given)
        checker.log(`${claim.row.id} ${sequence} → ${given.status ?? given.error}`)
        resolve({ ...given, answer: '', durationMs: time.now() - startedAt })
      }
      const startBody = (given: Answer) => {
        if (hasEnded) return
        answered = given
        noteStatus(given)
        checker.onStatus(claim, request)
        request.onStatus?.(given.status ?? 0)
        time.after(host, random.between(1, 1_000), () => finish(given))
      }
      const onAbort = () => {
        checker.log(`${claim.row.id} ${sequence} aborted`)
        try {
          end()
        } catch (error) {
          // An error thrown by a signal listener would be lost.
          checker.recordFailure(error)
        }
        reject(signal.reason as Error)
      }
      const cancel = time
        .timersOf(host)
        .after(request.timeoutMs, () =>
          finish(answered === null ? noResponse('timeout') : { ...answered, error: 'timeout' }),
        )
      signal.addEventListener('abort', onAbort, { once: true })
      const mode = modeOf(request.url)
      const reply = (given: Answer) =>
        time.after(
          host,
          mode === 'slow' ? random.between(1, 12_000) : random.pick(LATENCIES_MS),
          () => (given.status !== null && random.chance(0.2) ? startBody(given) : finish(given)),
        )
      if (mode === 'refuses') return void reply(noResponse('connection_refused'))
      time.after(null, random.pick(LATENCIES_MS), () => {
        // The request was aborted, or its process died. Half of such requests still arrive.
        if ((hasEnded || host.isDead) && random.chance(0.5)) return
        const given =
          isPartial && mode !== 'hangs'
            ? answer(200)
            : respond(claim, mode, id, sequence, request.connection)
        if (given !== null) reply(given)
      })
    })
  }

  return {
    modes,
    rejectionsLeft,
    gone,
    stopFaults() {
      areFaultsOff = true
    },
    transportFor: (claim: SimulatedLaneClaim, host: SimulatedProcess): CallbackTransport => ({
      async post(request, signal) {
        signal.throwIfAborted()
        checker.log(
          `${claim.row.id}/${claim.record.fence} posts ${request.headers['webhook-id']} ${request.headers['x-service-event']}`,
        )
        checker.onRequest(claim, request, wall(host))
        checker.count(
          request.headers['x-service-event'] === 'caption_partial' ? 'partial' : 'attempt',
        )
        return post(claim, host, request, signal)
      },
      [Symbol.asyncDispose]: async () => undefined,
    }),
  }
}
