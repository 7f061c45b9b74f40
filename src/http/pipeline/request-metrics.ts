import type { FastifyApp } from '../fastify-app.ts'
import type { Pool } from 'pg'
import type { DatabaseClock } from '../../db/database-clock.ts'
import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

const MISNAMED_DEFAULT_METRICS = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
]

/** One for the whole process, because prom-client watches garbage collection and the event loop and can't stop. */
let processRegistry: Registry | null = null

function createProcessRegistry(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  // Prometheus reserves the suffix `_total` for counters. The sum of the gauges per type gives the same number.
  for (const name of MISNAMED_DEFAULT_METRICS) registry.removeSingleMetric(name)
  return registry
}

/** Creates the metrics registry with process, database pool, clock, heartbeat and request duration metrics. */
export function createMetricsRegistry(
  app: FastifyApp,
  pool: Pool,
  { machineOffsetMs }: Pick<DatabaseClock, 'machineOffsetMs'>,
  { heartbeatAgeMs }: Pick<NodeMembership, 'heartbeatAgeMs'>,
): Registry {
  processRegistry ??= createProcessRegistry()
  const registry = Registry.merge([processRegistry])
  const duration = new Histogram({
    name: 'hansard_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its response',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  const connections = new Gauge({
    name: 'hansard_database_connections',
    help: 'Connections of the pool by state',
    labelNames: ['state'] as const,
    registers: [],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount)
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount)
      this.set({ state: 'waiting' }, pool.waitingCount)
    },
  })
  registry.registerMetric(connections)
  const clockOffset = new Gauge({
    name: 'hansard_clock_offset_seconds',
    help: 'How far the clock of this machine is ahead of the clock of the database',
    registers: [],
    collect() {
      this.set(machineOffsetMs() / 1000)
    },
  })
  registry.registerMetric(clockOffset)
  const heartbeatAge = new Gauge({
    name: 'hansard_heartbeat_age_seconds',
    help: 'Time since this node last wrote its heartbeat to the database',
    registers: [],
    collect() {
      this.set(heartbeatAgeMs() / 1000)
    },
  })
  registry.registerMetric(heartbeatAge)
  app.addHook('onResponse', async (request, reply) => {
    // The label is the route pattern, because one label value for each path would use unbounded memory.
    const labels = { method: request.method, route: request.routeOptions.url ?? 'unknown' }
    duration.observe({ ...labels, status: reply.statusCode }, reply.elapsedTime / 1000)
  })
  return registry
}
