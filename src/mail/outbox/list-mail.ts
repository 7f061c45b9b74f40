import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import {
  cutRowsToPage,
  parseTimeCursorOrThrow,
  toTimeSortKey,
  type ListingPage,
} from '../../db/page-cursor.ts'
import type { MailKind, MailReason, MailState } from '../mail.ts'
import { canRetryMail } from './retry-mail.ts'

/** A mail as administrators see it. It does not name the meeting, which may be in a private project. */
export type ListedMail = {
  id: string
  kind: MailKind
  /** The name of the user. Null for a recipient without an account. */
  name: string | null
  address: string
  state: MailState
  reason: MailReason | null
  response: string | null
  attempts: number
  createdAt: Date
  finishedAt: Date | null
  /** When it is sent at the earliest. Null if nothing is left to do. */
  dueAt: Date | null
  /** True if a person can have it sent again. */
  canRetry: boolean
}

/** Newest first. */
export async function listMail(
  db: Db,
  { state }: { state?: MailState | undefined },
  limit: number,
  cursor: string | undefined,
  now: Date,
): Promise<ListingPage<ListedMail>> {
  const before = cursor === undefined ? null : parseTimeCursorOrThrow(cursor)
  const rows = await db
    .selectFrom('mail')
    .leftJoin('app_user', 'app_user.id', 'mail.user_id')
    .select(['mail.id', 'mail.kind', 'app_user.name', 'mail.state', 'mail.reason', 'mail.response'])
    .select(['mail.attempts', 'mail.created_at as createdAt', 'mail.finished_at as finishedAt'])
    .select(['mail.due_at as dueAt'])
    .select(sql<string>`coalesce(app_user.email, mail.address, '')`.as('address'))
    .$if(state !== undefined, (query) => query.where('mail.state', '=', state ?? 'waiting'))
    .$if(before !== null, (query) =>
      query.where(sql<boolean>`(mail.created_at, mail.id) < (${before?.at}, ${before?.id})`),
    )
    .orderBy('mail.created_at', 'desc')
    .orderBy('mail.id', 'desc')
    .limit(limit + 1)
    .execute()
  const mails = rows.map((row) => ({ ...row, canRetry: canRetryMail(row, now) }))
  return cutRowsToPage(mails, limit, ({ createdAt, id }) => toTimeSortKey(createdAt, id))
}

/** How many mails are in each state, of those that are still stored. */
export async function countMail(db: Db): Promise<Record<MailState, number>> {
  const rows = await db
    .selectFrom('mail')
    .select(['state', (eb) => eb.fn.countAll<string>().as('count')])
    .groupBy('state')
    .execute()
  const counts = { waiting: 0, sent: 0, failed: 0, dropped: 0 }
  for (const { state, count } of rows) counts[state] = Number(count)
  return counts
}
