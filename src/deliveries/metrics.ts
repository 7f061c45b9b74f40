import { sql } from 'kysely'
import { Counter, Gauge, Summary, type Registry } from 'prom-client'
import type { Db } from '../db/database.ts'
import { HELD_BACK_LAST_ERROR } from './lane/lane-record.ts'
import type { AttemptOutcome } from './lane/retry-policy.ts'

/** Prometheus metrics of callback deliveries. */
export function createDeliveryMetrics() {
  const attempts = new Counter({
    name: 'hansard_callback_attempts_total',
    help: 'Attempts to deliver an event, by outcome',
    labelNames: ['outcome'] as const,
    registers: [],
  })
  const lag = new Summary({
    name: 'hansard_callback_lag_seconds',
    help: 'Time from an event to the response that confirmed its delivery',
    percentiles: [0.5, 0.9, 0.99],
    maxAgeSeconds: 300,
    // This summary records every delivery in each age bucket, so more buckets would cost more.
    ageBuckets: 2,
    registers: [],
  })
  let lanes: Gauge | null = null

  return {
    recordAttempt(outcome: AttemptOutcome, ageMs: number): void {
      attempts.inc({ outcome })
      if (outcome === 'delivered') lag.observe(Math.max(0, ageMs) / 1000)
    },
    observeLanes(db: Db, engine: { laneCount(): number }): void {
      lanes = new Gauge({
        name: 'hansard_callback_lanes',
        help: 'Meetings and replays with callbacks to deliver, by state; `here`: handled by this node',
        labelNames: ['state'] as const,
        registers: [],
        async collect() {
          this.set({ state: 'here' }, engine.laneCount())
          for (const [state, count] of await countLanes(db)) this.set({ state }, count)
        },
      })
    },
    register(registry: Registry): void {
      registry.registerMetric(attempts)
      registry.registerMetric(lag)
      if (lanes !== null) registry.registerMetric(lanes)
    },
  }
}

export type DeliveryMetrics = ReturnType<typeof createDeliveryMetrics>

async function countLanes(db: Db): Promise<Array<[string, number]>> {
  const isHeldBack = sql`failures = 0 and last_error is not distinct from ${HELD_BACK_LAST_ERROR}`
  const { rows } = await sql<Record<'ok' | 'waiting' | 'retrying' | 'closed', number>>`
    select
      count(*) filter (where due_at is not null and failures = 0 and not (${isHeldBack}))::int as ok,
      count(*) filter (where due_at is not null and ${isHeldBack})::int as waiting,
      count(*) filter (where due_at is not null and failures > 0)::int as retrying,
      count(*) filter (where state = 'closed')::int as closed
    from lane where due_at is not null or state = 'closed'`.execute(db)
  return Object.entries(rows[0] ?? {})
}
