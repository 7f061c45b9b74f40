import { sql } from 'kysely'
import type { Db } from '../db/open.ts'

/** How callbacks fared since a moment. Durations are those of attempts that brought their event over. */
export type DeliveryFigures = {
  since: Date
  delivered: number
  failed: number
  medianMs: number | null
  p95Ms: number | null
}

export async function readFigures(db: Db, since: Date): Promise<DeliveryFigures> {
  const { rows } = await sql<Omit<DeliveryFigures, 'since'>>`
    select count(*) filter (where outcome = 'delivered')::int as delivered,
      count(*) filter (where outcome <> 'delivered')::int as failed,
      percentile_disc(0.5) within group (order by duration_ms)
        filter (where outcome = 'delivered') as "medianMs",
      percentile_disc(0.95) within group (order by duration_ms)
        filter (where outcome = 'delivered') as "p95Ms"
    from delivery_attempt where started_at >= ${since} and type <> 'test'`.execute(db)
  const [figures] = rows
  if (figures === undefined) throw new Error('an aggregate has one row')
  return { since, ...figures }
}
