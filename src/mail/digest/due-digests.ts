import { sql } from 'kysely'
import type { Role } from '../../accounts/roles.ts'
import type { Db, Tx } from '../../db/database.ts'
import { HOUR_MS, MINUTE_MS } from '../../lib/time/durations.ts'
import type { Log } from '../../log.ts'
import type { MailChoiceRow } from '../mail-choices.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { toDigestChoice, toMailSchedule } from './digest-choice.ts'
import { findDigestPeriod, findNextDigestTime } from './digest-schedule.ts'
import { readPersonDigest } from './person-digest.ts'

type Parts = { db: Db; log: Log }

/** A recap that was stored at the end of the period is committed by then. */
const SETTLE_MS = MINUTE_MS
/** A digest that is later than this, because no node ran, is left out. */
const MAX_DELAY_MS = 6 * HOUR_MS
/** A digest that failed for an unexpected reason is tried again after this time, and holds up no other. */
const RETRY_MS = HOUR_MS
/** So that other mail does not wait for the digests of a large organization. */
const MAX_PER_ROUND = 20

/**
 * Stores the mail with each digest that is due, and when the next one is due, in one transaction. So a person gets a
 * digest once, whatever node looks first and even if it is killed. Nothing is stored if there is nothing to say.
 */
export async function enqueueDueDigests(parts: Parts, now: Date): Promise<void> {
  for (let count = 0; count < MAX_PER_ROUND; count += 1)
    if (!(await enqueueNext(parts, now))) return
}

/** False if no digest is due. */
async function enqueueNext({ db, log }: Parts, now: Date): Promise<boolean> {
  let userId: string | null = null
  try {
    return await db.transaction().execute(async (tx) => {
      const due = await lockDueChoice(tx, now)
      if (due === null) return false
      userId = due.user_id
      await enqueueDigest(tx, due, now)
      return true
    })
  } catch (error) {
    log.error({ err: error, userId }, 'failed to prepare a digest')
    // Other mail is sent even if digests fail.
    if (userId === null) return false
    await db
      .updateTable('mail_choice')
      .set({ digest_due_at: new Date(now.getTime() + RETRY_MS) })
      .where('user_id', '=', userId)
      .where('digest_due_at', '<=', now)
      .execute()
    return true
  }
}

type DueChoice = MailChoiceRow & { role: Role }

/** Skips choices that another node works on, and users who are being removed. */
async function lockDueChoice(tx: Tx, now: Date): Promise<DueChoice | null> {
  const row = await tx
    .selectFrom('mail_choice')
    .innerJoin('app_user', 'app_user.id', 'mail_choice.user_id')
    .selectAll('mail_choice')
    .select('app_user.role')
    .where('digest_due_at', '<=', new Date(now.getTime() - SETTLE_MS))
    .where('app_user.deactivated_at', 'is', null)
    .orderBy('digest_due_at')
    .limit(1)
    .modifyEnd(sql`for key share of app_user skip locked for update of mail_choice skip locked`)
    .executeTakeFirst()
  return row ?? null
}

async function enqueueDigest(tx: Tx, { role, ...row }: DueChoice, now: Date): Promise<void> {
  const { user_id: userId, digest_due_at: dueAt } = row
  const schedule = toMailSchedule(toDigestChoice(row))
  const nextDueAt = schedule && findNextDigestTime(schedule, now)
  await tx
    .updateTable('mail_choice')
    .set({ digest_due_at: nextDueAt })
    .where('user_id', '=', userId)
    .execute()
  if (schedule === null || dueAt === null || now.getTime() - dueAt.getTime() > MAX_DELAY_MS) return
  const period = findDigestPeriod(schedule, now)
  if ((await readPersonDigest(tx, { id: userId, role }, schedule, period)) === null) return
  const uniqueKey = `digest:${userId}:${period.day}`
  await enqueueMail(tx, [{ kind: 'digest', uniqueKey, to: { userId } }], now)
}
