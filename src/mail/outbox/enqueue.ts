import type { Db } from '../../db/database.ts'
import { newOrderedId } from '../../lib/crypto.ts'
import { currentTraceParent } from '../../lib/tracer.ts'
import type { MailKind } from '../mail.ts'

export type NewMail = {
  kind: MailKind
  /** The same thing for the same recipient has the same key, and is mailed once. */
  uniqueKey: string
  /** A user, or the address of a person without an account. */
  to: { userId: string } | { address: string }
  meetingId?: string
  /** The upcoming meeting of a brief. */
  upcomingId?: string
  sealedCode?: Buffer
}

const ROWS_PER_STATEMENT = 1_000

/**
 * Stores mail to be sent, in the transaction of what it is about. Mail with a known key is left out. Returns the keys of
 * the mails that were stored.
 */
export async function enqueueMail(
  db: Db,
  mails: readonly NewMail[],
  now: Date,
): Promise<Set<string>> {
  const rows = mails.map(({ kind, uniqueKey, to, meetingId, upcomingId, sealedCode }) => ({
    id: newOrderedId('mail', now),
    kind,
    unique_key: uniqueKey,
    user_id: 'userId' in to ? to.userId : null,
    address: 'address' in to ? to.address : null,
    meeting_id: meetingId ?? null,
    upcoming_id: upcomingId ?? null,
    sealed_code: sealedCode ?? null,
    state: 'waiting' as const,
    due_at: now,
    created_at: now,
    trace_parent: currentTraceParent(),
  }))
  const stored = new Set<string>()
  // A statement can have a limited number of values.
  for (let i = 0; i < rows.length; i += ROWS_PER_STATEMENT) {
    const inserted = await db
      .insertInto('mail')
      .values(rows.slice(i, i + ROWS_PER_STATEMENT))
      .onConflict((conflict) => conflict.column('unique_key').doNothing())
      .returning('unique_key as key')
      .execute()
    inserted.forEach(({ key }) => stored.add(key))
  }
  return stored
}

/** Binds the encrypted code of a link to its kind of mail. */
export function codeLabel(kind: MailKind): string {
  return `mail ${kind}`
}
