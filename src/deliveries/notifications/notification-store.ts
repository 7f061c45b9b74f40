import { sql } from 'kysely'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { stateOfLane } from '../history/delivery-summary.ts'
import { insertLane } from '../lane/lane-rows.ts'
import {
  MAX_NOTIFICATIONS,
  PAUSED_LAST_ERROR,
  type Notification,
  type NotificationFormat,
  type NotificationTopic,
} from './notification.ts'

export type NotificationRow = {
  id: string
  project: string
  name: string
  format: NotificationFormat
  topics: NotificationTopic[]
  host: string
  url_sealed: Buffer
  created_by: string
}

/** Lists the notifications of a project by name, or only one of them. */
export async function listNotifications(
  db: Db,
  project: string,
  id?: string,
): Promise<Notification[]> {
  const rows = await db
    .selectFrom('notification as n')
    .innerJoin('lane as l', 'l.notification_id', 'n.id')
    .select(['n.id', 'n.project', 'n.name', 'n.format', 'n.topics', 'n.host'])
    .select(['n.created_by as createdBy', 'n.created_at as createdAt'])
    .select(['l.state', 'l.failures', 'l.rejections', 'l.due_at', 'l.last_error'])
    .select(['l.delivered_count as delivered', 'l.dead_count as failed'])
    .select([
      sql<number>`(select count(*)::int from notification_message e
        where e.notification_id = n.id and e.sequence > l.delivered_through)`.as('pending'),
      sql<string | null>`(select a.answer from delivery_attempt a
        where a.lane_id = l.id and a.meeting_id is null and l.last_error like 'http_%'
          and a.outcome <> 'delivered' and a.type <> 'test'
        order by a.started_at desc limit 1)`.as('lastAnswer'),
    ])
    .where('n.project', '=', project)
    .$if(id !== undefined, (query) => query.where('n.id', '=', id ?? ''))
    .orderBy('n.name')
    .orderBy('n.id')
    .execute()
  return rows.map(({ state, failures, rejections, due_at, last_error, ...row }) => ({
    ...row,
    state: stateOfLane({ state, failures, rejections, due_at, last_error }),
    isPaused: state === 'closed',
    lastError: last_error === PAUSED_LAST_ERROR ? null : last_error,
    lastAnswer: row.lastAnswer || null,
    nextAttemptAt: failures > 0 ? due_at : null,
  }))
}

export async function requireNotification(
  db: Db,
  project: string,
  id: string,
): Promise<Notification> {
  const [notification] = await listNotifications(db, project, id)
  if (notification === undefined) throw new ServiceError('notification_not_found')
  return notification
}

/** Adds a notification and its lane. Throws `too_many_notifications` if the project has no room for it. */
export async function insertNotification(tx: Tx, row: NotificationRow, now: Date): Promise<void> {
  // One at a time for each project, so that the limit holds.
  await sql`select pg_advisory_xact_lock(hashtext('notification'), hashtext(${row.project}))`.execute(
    tx,
  )
  const { count } = await tx
    .selectFrom('notification')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('project', '=', row.project)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_NOTIFICATIONS) throw new ServiceError('too_many_notifications')
  await tx
    .insertInto('notification')
    .values({ ...row, created_at: now })
    .execute()
  const lane = { kind: 'notification', url: `notification:${row.id}` } as const
  const id = await insertLane(
    tx,
    { ...lane, notification_id: row.id, token_id: null, events: null },
    now,
  )
  // The engine makes the lane due when there is a message.
  await tx.updateTable('lane').set({ due_at: null }).where('id', '=', id).execute()
}

/** Locks the notification, so that no message is stored meanwhile. Throws `notification_not_found`. */
export async function lockNotification(tx: Tx, project: string, id: string): Promise<void> {
  const row = await tx
    .selectFrom('notification')
    .select('id')
    .where('id', '=', id)
    .where('project', '=', project)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('notification_not_found')
}

/** Closes the lane. A node that is sending a message loses it. */
export async function pauseNotification(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('lane')
    .set({ ...RELEASED, state: 'closed', due_at: null, last_error: PAUSED_LAST_ERROR })
    .where('notification_id', '=', id)
    .where('state', '=', 'open')
    .execute()
}

/** Opens the lane and sends what waits, at once. Forgets earlier failures. */
export async function resumeNotification(tx: Tx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('lane')
    .set({ ...RELEASED, state: 'open', due_at: now, last_error: null })
    .where('notification_id', '=', id)
    .execute()
}

const RELEASED = {
  owner: null,
  fence: sql<number>`fence + 1`,
  failures: 0,
  rejections: 0,
  failing_since: null,
}
