import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/database.ts'
import { MAIL_KINDS, MAIL_STATES } from './mail.ts'

/** Prometheus metrics of mail. */
export function createMailMetrics(db: Db) {
  const mails = new Gauge({
    name: 'hansard_mails',
    help: 'Mails by state and kind, as long as their records are kept',
    labelNames: ['state', 'kind'] as const,
    registers: [],
    async collect() {
      for (const state of MAIL_STATES) for (const kind of MAIL_KINDS) this.set({ state, kind }, 0)
      const rows = await db
        .selectFrom('mail')
        .select(['state', 'kind', (eb) => eb.fn.countAll<string>().as('count')])
        .groupBy(['state', 'kind'])
        .execute()
      for (const { state, kind, count } of rows) this.set({ state, kind }, Number(count))
    },
  })
  return { register: (registry: Registry) => registry.registerMetric(mails) }
}

export type MailMetrics = ReturnType<typeof createMailMetrics>
