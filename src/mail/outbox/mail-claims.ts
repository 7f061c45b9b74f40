import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import { buildClaimableCondition, holdsRowLease } from '../../db/nodes/leased-rows.ts'
import { HOUR_MS } from '../../lib/time/durations.ts'
import { URGENT_MAIL_KINDS, type MailKind, type MailReason, type MailState } from '../mail.ts'

/** How many mails are sent in an hour. More wait. */
export const MAX_MAILS_PER_HOUR = { recipient: 60, instance: 1_000 } as const

/** A node's right to send a mail. The fence rises with every claim, so a former owner can store nothing. */
export type MailLease = { id: string; nodeId: string; fence: number }

export type ClaimedMail = MailLease & {
  kind: MailKind
  userId: string | null
  address: string | null
  meetingId: string | null
  upcomingId: string | null
  sealedCode: Buffer | null
  attempts: number
  createdAt: Date
  traceParent: string | null
}

/**
 * Claims a mail that is due, within the limits. Null if there is none. Nodes claim one after another, so that the
 * limits hold. Mail that a person waits for comes first.
 */
export async function claimDueMail(db: Db, nodeId: string, now: Date): Promise<ClaimedMail | null> {
  const hourAgo = new Date(now.getTime() - HOUR_MS)
  const { recipient, instance } = MAX_MAILS_PER_HOUR
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('hansard mail claims', 0))`.execute(tx)
    const { rows } = await sql<Omit<ClaimedMail, 'nodeId'>>`
      with recent as (
        select coalesce(user_id, address) as recipient, count(*) as count
        from mail where attempted_at > ${hourAgo} group by 1
      ), due as (
        select m.id from mail m
          left join recent on recent.recipient = coalesce(m.user_id, m.address)
        where m.due_at <= ${now} and ${buildClaimableCondition('m', nodeId)}
          -- Another attempt at the same mail counts once.
          and (m.attempted_at > ${hourAgo} or (coalesce(recent.count, 0) < ${recipient}
            and (select coalesce(sum(count), 0) from recent) < ${instance}))
        order by m.kind <> all(${URGENT_MAIL_KINDS}::text[]), m.due_at limit 1 for update of m skip locked
      )
      update mail set owner = ${nodeId}, fence = mail.fence + 1, attempted_at = ${now}
      from due where mail.id = due.id
      returning mail.id, mail.fence, mail.kind, mail.user_id as "userId", mail.address,
        mail.meeting_id as "meetingId", mail.upcoming_id as "upcomingId", mail.sealed_code as "sealedCode", mail.attempts,
        mail.created_at as "createdAt", mail.trace_parent as "traceParent"`.execute(tx)
    const [row] = rows
    return row === undefined ? null : { ...row, nodeId }
  })
}

/** Releases a mail after a failure, so that any node sends it again at that time. */
export async function postponeMail(
  db: Db,
  lease: MailLease,
  { dueAt, response }: { dueAt: Date; response: string },
): Promise<void> {
  await updateOwned(db, lease)
    .set({ owner: null, due_at: dueAt, response, attempts: sql<number>`attempts + 1` })
    .execute()
}

export type MailResult = {
  state: Exclude<MailState, 'waiting'>
  reason: MailReason | null
  response: string | null
}

/** Stores how a mail ended. False if another node owns it now. */
export async function finishMail(
  db: Db,
  lease: MailLease,
  { state, reason, response }: MailResult,
  now: Date,
): Promise<boolean> {
  const isDropped = state === 'dropped'
  const { numUpdatedRows } = await updateOwned(db, lease)
    .set({
      state,
      reason,
      ...(!isDropped && { response, attempts: sql<number>`attempts + 1` }),
      // Only what was sent counts for the limits.
      ...(isDropped && { attempted_at: null }),
      // A person can have a failed mail sent again, with the same link.
      ...(state !== 'failed' && { sealed_code: null }),
      due_at: null,
      owner: null,
      finished_at: now,
    })
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

function updateOwned(db: Db, lease: MailLease) {
  return db.updateTable('mail').where(holdsRowLease(lease))
}
