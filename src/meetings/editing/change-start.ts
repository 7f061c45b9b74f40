import { sql } from 'kysely'
import type { Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { findStartProblem } from '../importing/imported-meeting.ts'
import { IMPORTED_PLATFORM } from '../meeting-platforms.ts'
import type { Meeting } from '../meeting.ts'

/** Throws `invalid_request` for a meeting that a bot attended, and for a start that no meeting has. */
export function requireStartChange(
  { platform }: Pick<Meeting, 'platform'>,
  startedAt: Date,
  now: Date,
): void {
  const message =
    platform === IMPORTED_PLATFORM
      ? findStartProblem(startedAt, now)
      : 'Only the start of an imported meeting can be changed'
  if (message === null) return
  throw new ServiceError('invalid_request', { details: [{ path: 'startedAt', message }] })
}

/** Moves all times of a locked meeting, so that it starts at the given time. */
export async function storeStart(tx: Tx, meeting: Meeting, startedAt: Date): Promise<void> {
  const seconds = (startedAt.getTime() - meeting.startedAt.getTime()) / 1000
  const moved = (column: string) =>
    sql`${sql.ref(column)} = ${sql.ref(column)} + make_interval(secs => ${seconds}::float8)`
  await sql`update meeting set ${moved('started_at')}, ${moved('live_at')}, ${moved('ended_at')}
    where id = ${meeting.id}`.execute(tx)
  await sql`update segment set ${moved('started_at')} where meeting_id = ${meeting.id}`.execute(tx)
  await sql`update participant set ${moved('joined_at')}, ${moved('left_at')}
    where meeting_id = ${meeting.id}`.execute(tx)
  await sql`update transcript_gap set ${moved('started_at')}, ${moved('ended_at')}
    where meeting_id = ${meeting.id}`.execute(tx)
}
