import type { Pool } from 'pg'
import type { Db } from '../db/open.ts'
import type { Presence } from '../db/presence.ts'
import type { Clock } from '../lib/clock.ts'
import { newOrderedId } from '../lib/random.ts'
import { systemTimers } from '../lib/timers.ts'
import type { Log } from '../log.ts'
import { createDeliveries, type Deliveries } from './deliveries.ts'
import { startDeliveryEngine, type DeliveryEngine } from './engine.ts'
import { createGate } from './gate.ts'
import { LANE_RULES, type LaneRules } from './judge.ts'
import type { StoredEvent } from './lane-state.ts'
import { createListeners, type Listeners } from './listeners.ts'
import { createDeliveryMetrics, type DeliveryMetrics } from './metrics.ts'
import type { NetworkPolicy } from './network/policy.ts'
import type { SigningSecrets } from './signature.ts'
import { createLaneStore } from './store.ts'
import { createTestCalls } from './test-call.ts'
import { createTransport } from './transport.ts'

export type DeliveriesArea = AsyncDisposable & {
  engine: DeliveryEngine
  listeners: Listeners
  metrics: DeliveryMetrics
  deliveries: Deliveries
}

type Parts = {
  db: Db
  pool: Pool
  clock: Clock
  log: Log
  presence: Presence
  policy: NetworkPolicy
  refuseCallback(url: string): Promise<string | null>
  secretsOf(tokenId: string): Promise<SigningSecrets | null>
  isLast(event: StoredEvent): boolean
  /** Instead of the usual ones. */
  rules: Partial<LaneRules>
  giveUpMs: number
  extraCa: string | undefined
}

/** The parts of the delivery of callbacks, put together. */
export function openDeliveries(parts: Parts): DeliveriesArea {
  const { db, pool, clock, log, presence, policy, secretsOf, isLast, giveUpMs } = parts
  const stack = new AsyncDisposableStack()
  const timers = systemTimers
  const rules = { ...LANE_RULES, ...parts.rules }
  const metrics = createDeliveryMetrics()
  const newDeliveryId = (at: number) => newOrderedId('dlv', at)
  const http = stack.use(
    createTransport({
      policy,
      ...(parts.extraCa !== undefined && { extraCa: parts.extraCa }),
      onUnforeseen: (error, origin) => log.error({ err: error, origin }, 'answer not understood'),
    }),
  )
  let recall: DeliveryEngine['recall'] = () => {}
  const listeners = createListeners({ presence, timers, onOpen: (url) => recall(url) })
  const transport = listeners.routing(http)
  const engine = stack.use(
    startDeliveryEngine({
      db,
      presence,
      timers,
      log,
      store: createLaneStore({ pool, secretsOf }),
      transport,
      gate: createGate(timers),
      now: () => clock.now().getTime(),
      random: Math.random,
      newDeliveryId,
      isLast,
      giveUpMs,
      rules,
      listeners: listeners.addresses,
      onDropped: (error) => log.debug({ err: error }, 'evolving caption not sent'),
      onSettled: (outcome, event, at) => metrics.settle(outcome, at - event.at),
    }),
  )
  recall = engine.recall
  metrics.watch(db, engine)
  const testCalls = createTestCalls({
    db,
    clock,
    transport,
    secretsOf,
    newDeliveryId,
    timeoutMs: rules.timeoutMs,
  })
  const { refuseCallback } = parts
  const deliveries = createDeliveries({
    db,
    clock,
    testCalls,
    refuseCallback,
    secretsOf,
    wake: engine.wake,
  })
  const opened = stack.move()
  return {
    engine,
    listeners,
    metrics,
    deliveries,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
