import type { AreaContext } from '../db/context.ts'
import type { Pool } from 'pg'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { stopOnShutdown, type Shutdown } from '../lib/async/shutdown.ts'
import { newOrderedId, type SecretBox } from '../lib/crypto.ts'
import { systemTimers } from '../lib/time/clock.ts'
import type { Tracer } from '../lib/tracer.ts'
import { createAttemptLimiter } from './attempt-limiter.ts'
import { createDeliveries } from './deliveries.ts'
import { startDeliveryEngine, type DeliveryEngine } from './lane/delivery-engine.ts'
import type { LaneEvent } from './lane/lane-record.ts'
import { createLaneStore } from './lane/lane-store.ts'
import { LANE_RULES, type LaneRules } from './lane/retry-policy.ts'
import { createListenerConnections } from './listeners.ts'
import { createDeliveryMetrics } from './metrics.ts'
import { createMessagePoster } from './notifications/message-poster.ts'
import { createNotifications } from './notifications/notifications.ts'
import type { NetworkPolicy } from '../network/network-policy.ts'
import { traceCallbacks } from './traced-transport.ts'
import { createCallbackTransport } from './transport.ts'
import type { CallbackSecrets } from './signature.ts'
import { createTestCallbackSender } from './test-callback.ts'

type Parts = AreaContext & {
  pool: Pool
  tracer: Tracer
  membership: NodeMembership
  shutdown: Shutdown
  policy: NetworkPolicy
  /** If false, responses of receivers at private addresses are neither returned nor stored. */
  showsPrivateAnswers: boolean
  findCallbackProblem(url: string): Promise<string | null>
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  /** Decrypts the URLs of chats. */
  secretBox: SecretBox
  /** Where people open the console. */
  publicUrl: string
  isLastEvent(event: LaneEvent): boolean
  /** Overrides of LANE_RULES. */
  rules: Partial<LaneRules>
  giveUpMs: number
  extraCa: string | undefined
}

/** Builds and starts everything that delivers callbacks. */
export function openDeliveriesArea(parts: Parts) {
  const { db, clock, log, membership } = parts
  const stack = new AsyncDisposableStack()
  const timers = systemTimers
  const rules = { ...LANE_RULES, ...parts.rules }
  const metrics = createDeliveryMetrics()
  const newDeliveryId = (at: number) => newOrderedId('dlv', at)
  const http = stack.use(
    createCallbackTransport({
      policy: parts.policy,
      showsPrivateAnswers: parts.showsPrivateAnswers,
      ...(parts.extraCa !== undefined && { extraCa: parts.extraCa }),
      onUnexpectedError: (error, origin) =>
        log.error({ err: error, origin }, 'unexpected error while reading a callback response'),
    }),
  )
  let restartLanes: DeliveryEngine['restartLanes'] = () => {}
  const listeners = createListenerConnections({
    membership,
    timers,
    onConnect: (url) => restartLanes(url),
  })
  const transport = traceCallbacks(listeners.wrapTransport(http), parts.tracer)
  const poster = createMessagePoster({ ...parts, transport: http })
  const engine = startDeliveryEngine({
    ...parts,
    timers,
    store: createLaneStore(parts),
    transport,
    messages: poster,
    limiter: createAttemptLimiter(timers),
    now: () => clock.now().getTime(),
    random: Math.random,
    newDeliveryId,
    rules,
    listeners: listeners.addresses,
    onPartialDropped: (error) => log.debug({ err: error }, 'failed to send partial caption'),
    onAttemptSettled: (outcome, event, at) => metrics.recordAttempt(outcome, at - event.at),
  })
  stack.use(stopOnShutdown(parts.shutdown, engine))
  restartLanes = engine.restartLanes
  metrics.observeLanes(db, engine)
  const { timeoutMs } = rules
  const { wake } = engine
  const testCalls = createTestCallbackSender({ ...parts, transport, newDeliveryId, timeoutMs })
  const opened = stack.move()
  return {
    engine,
    listeners,
    metrics,
    deliveries: createDeliveries({ ...parts, testCalls, wake }),
    notifications: createNotifications({ ...parts, poster, newDeliveryId, timeoutMs, wake }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export type DeliveriesArea = ReturnType<typeof openDeliveriesArea>
