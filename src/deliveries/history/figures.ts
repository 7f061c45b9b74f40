import { sql, type RawBuilder } from 'kysely'
import { isUnrestricted, type Viewer } from '../../access/viewer.ts'
import type { Db } from '../../db/database.ts'
import { HOUR_MS } from '../../lib/time/durations.ts'
import { readsMeetingOfAttempt } from './attempts.ts'

/** Counts of attempts since a point in time. The durations are those of successful attempts. */
export type DeliveryFigures = {
  since: Date
  delivered: number
  failed: number
  medianMs: number | null
  p95Ms: number | null
  /** Every hour of the period, oldest first, including hours without attempts. */
  hours: Array<{ at: Date; delivered: number; failed: number }>
}

const HOURS = 24

export async function readDeliveryFigures(
  db: Db,
  viewer: Viewer,
  since: Date,
): Promise<DeliveryFigures> {
  const attempts = selectRealAttempts(viewer, since)
  const { rows } = await sql<Omit<DeliveryFigures, 'since' | 'hours'>>`
    select count(*) filter (where outcome = 'delivered')::int as delivered,
      count(*) filter (where outcome <> 'delivered')::int as failed,
      percentile_disc(0.5) within group (order by duration_ms)
        filter (where outcome = 'delivered') as "medianMs",
      percentile_disc(0.95) within group (order by duration_ms)
        filter (where outcome = 'delivered') as "p95Ms"
    from ${attempts}`.execute(db)
  const [figures] = rows
  if (figures === undefined) throw new Error('the aggregate query returned no row')
  return { since, ...figures, hours: await readHours(db, attempts, since) }
}

/** The attempts `a` since a time that the viewer may see, without test calls. */
function selectRealAttempts(viewer: Viewer, since: Date): RawBuilder<unknown> {
  const readable = isUnrestricted(viewer) ? sql`` : sql`and ${readsMeetingOfAttempt(viewer)}`
  return sql`delivery_attempt a where started_at >= ${since} and type <> 'test' ${readable}`
}

async function readHours(
  db: Db,
  attempts: RawBuilder<unknown>,
  since: Date,
): Promise<DeliveryFigures['hours']> {
  const { rows } = await sql<{ hour: number; delivered: number; failed: number }>`
    select floor(extract(epoch from started_at - ${since}) / 3600)::int as hour,
      count(*) filter (where outcome = 'delivered')::int as delivered,
      count(*) filter (where outcome <> 'delivered')::int as failed
    from ${attempts} group by 1`.execute(db)
  const known = new Map(rows.map(({ hour, ...counts }) => [hour, counts]))
  return Array.from({ length: HOURS }, (_, hour) => ({
    at: new Date(since.getTime() + hour * HOUR_MS),
    ...(known.get(hour) ?? { delivered: 0, failed: 0 }),
  }))
}
