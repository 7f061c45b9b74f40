import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import type { MailState } from '../mail.ts'
import { isTooOld } from './retry-policy.ts'

type Facts = { state: MailState; attempts: number; createdAt: Date }

/** True if a person can have the mail sent again: it failed, or waits for its next attempt. */
export function canRetryMail({ state, attempts, createdAt }: Facts, now: Date): boolean {
  const hasFailed = state === 'failed' || (state === 'waiting' && attempts > 0)
  return hasFailed && !isTooOld({ createdAt }, now)
}

/** Makes a mail due now, with one attempt if its day is over. Its composer checks again if it may be sent. */
export async function retryMail(db: Db, id: string, actor: Actor, now: Date): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const mail = await tx
      .selectFrom('mail')
      .select(['state', 'attempts', 'created_at as createdAt'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (mail === undefined) throw new ServiceError('mail_not_found')
    if (!canRetryMail(mail, now)) throw new ServiceError('mail_not_retryable')
    await tx
      .updateTable('mail')
      .set({ state: 'waiting', reason: null, due_at: now, finished_at: null })
      .where('id', '=', id)
      .execute()
    await appendAudit(tx, now, actor, 'mail sent again', id)
  })
}
