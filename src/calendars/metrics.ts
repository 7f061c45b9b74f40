import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/database.ts'

export interface CalendarMetrics {
  register(registry: Registry): void
}

/** Prometheus metrics of calendars. */
export function createCalendarMetrics(db: Db): CalendarMetrics {
  const calendars = new Gauge({
    name: 'hansard_calendars',
    help: 'Calendars of the instance, by state; `broken`: cannot be read',
    labelNames: ['state'] as const,
    registers: [],
    async collect() {
      for (const [state, count] of await countCalendars(db)) this.set({ state }, count)
    },
  })
  return { register: (registry) => registry.registerMetric(calendars) }
}

async function countCalendars(db: Db): Promise<Array<[string, number]>> {
  const { rows } = await sql<Record<'ok' | 'paused' | 'broken', number>>`
    select count(*) filter (where broken_since is null and not is_paused)::int as ok,
      count(*) filter (where broken_since is null and is_paused)::int as paused,
      count(*) filter (where broken_since is not null)::int as broken
    from calendar`.execute(db)
  return Object.entries(rows[0] ?? {})
}
