import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { retryWhileTransient } from '../../db/transient-errors.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { ZoomStream, ZoomStreams } from '../platforms/zoom/streams.ts'
import type { StartedStream, ZoomEvent } from './webhook.ts'

/** No meeting on Zoom is longer than 30 hours. */
const KEPT_MS = 3 * DAY_MS

type Row = {
  stream_id: string
  meeting_uuid: string
  server_url: string | null
  has_stopped: boolean
  stop_reason: number | null
}

type Parts = { db: Db; clock: Pick<Clock, 'now'> }

/** The streams that Zoom announced, for the nodes whose bots read them. */
export function createZoomStreams({ db, clock }: Parts): ZoomStreams {
  const columns = ['stream_id', 'meeting_uuid', 'server_url', 'has_stopped', 'stop_reason'] as const

  const reserve = async (
    meetingNumber: string,
    key: string,
  ): Promise<ZoomStream | 'taken' | null> => {
    const running = db
      .selectFrom('zoom_stream')
      .where('meeting_number', '=', meetingNumber)
      .where('has_stopped', '=', false)
      .where('server_url', 'is not', null)
    const free = running
      .where((eb) =>
        eb.or([
          eb('reserved_by', 'is', null),
          eb('reserved_by', '=', key),
          // The bot of a meeting that is over has left.
          sql<boolean>`not exists (select from meeting
            where id = reserved_by and status not in ('ended', 'error'))`,
        ]),
      )
      .orderBy('event_at', 'desc')
      .limit(1)
    const row = await db
      .updateTable('zoom_stream')
      .set({ reserved_by: key, reserved_at: clock.now() })
      // The lock makes the second of two meetings read the reservation of the first.
      .where('stream_id', '=', free.select('stream_id').forUpdate())
      .returning(columns)
      .executeTakeFirst()
    if (row !== undefined) return toStream(row)
    return (await running.select('stream_id').executeTakeFirst()) === undefined ? null : 'taken'
  }

  const find = async (column: 'stream_id' | 'reserved_by', value: string) => {
    const row = await db
      .selectFrom('zoom_stream')
      .select(columns)
      .where(column, '=', value)
      .orderBy('reserved_at', (order) => order.desc().nullsLast())
      .limit(1)
      .executeTakeFirst()
    return row === undefined ? null : toStream(row)
  }

  return {
    reserve: (number, key) => retryWhileTransient(() => reserve(number, key)),
    findReserved: (key) => retryWhileTransient(() => find('reserved_by', key)),
    read: (streamId) => retryWhileTransient(() => find('stream_id', streamId)),
    markGone: (streamId) =>
      retryWhileTransient(async () => {
        await db
          .updateTable('zoom_stream')
          .set({ has_stopped: true, changed_at: clock.now() })
          .where('stream_id', '=', streamId)
          .where('has_stopped', '=', false)
          .execute()
      }),
    isAppInstalled: () =>
      retryWhileTransient(async () => {
        const rows = await db
          .selectFrom('zoom_account')
          .select('account_id')
          .where('is_installed', '=', true)
          .limit(1)
          .execute()
        return rows.length > 0
      }),
  }
}

/** Stores what a webhook says. A delivery that arrives again or late changes nothing. */
export async function storeZoomEvent({ db, clock }: Parts, event: ZoomEvent): Promise<void> {
  const now = clock.now()
  if (event.kind === 'started') await storeStarted(db, event, now)
  if (event.kind === 'stopped') {
    const stopped = { has_stopped: true, stop_reason: event.reason, changed_at: now }
    await db
      .insertInto('zoom_stream')
      .values({
        stream_id: event.streamId,
        meeting_uuid: event.meetingUuid,
        event_at: event.at,
        ...stopped,
      })
      .onConflict((conflict) =>
        conflict
          .column('stream_id')
          .doUpdateSet(stopped)
          .where('zoom_stream.stop_reason', 'is', null),
      )
      .execute()
  }
  const accountId = 'accountId' in event ? event.accountId : null
  if (accountId !== null && 'at' in event)
    await storeAccount(db, accountId, { at: event.at, isInstalled: event.kind !== 'deauthorized' })
}

/** When a server of Zoom fails, Zoom announces the same stream again, with the address of another one. */
async function storeStarted(db: Db, event: StartedStream, now: Date): Promise<void> {
  const announced = {
    meeting_uuid: event.meetingUuid,
    meeting_number: event.meetingNumber,
    server_url: event.serverUrl,
    event_at: event.at,
    has_stopped: false,
    changed_at: now,
  }
  await db
    .insertInto('zoom_stream')
    .values({ stream_id: event.streamId, ...announced })
    .onConflict((conflict) =>
      conflict
        .column('stream_id')
        .doUpdateSet(announced)
        .where('zoom_stream.event_at', '<', event.at)
        // A stream that Zoom has stopped never runs again.
        .where('zoom_stream.stop_reason', 'is', null),
    )
    .execute()
}

async function storeAccount(
  db: Db,
  accountId: string,
  { at, isInstalled }: { at: number; isInstalled: boolean },
): Promise<void> {
  await db
    .insertInto('zoom_account')
    .values({ account_id: accountId, event_at: at, is_installed: isInstalled })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet({ event_at: at, is_installed: isInstalled })
        .where('zoom_account.event_at', '<=', at),
    )
    .execute()
}

/** Deletes streams of meetings that are long over. */
export async function deleteOldZoomStreams(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom('zoom_stream')
    .where('changed_at', '<', new Date(now.getTime() - KEPT_MS))
    .execute()
}

function toStream(row: Row): ZoomStream {
  return {
    streamId: row.stream_id,
    meetingUuid: row.meeting_uuid,
    serverUrl: row.server_url ?? '',
    stopped: row.has_stopped ? { reason: row.stop_reason } : null,
  }
}
