import { listProjectReaders } from '../../access/project-readers.ts'
import type { Tx } from '../../db/database.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { readChoices } from './choices.ts'
import { findRecapRecipients, type RecapAudience } from './recipients.ts'

/** The recap of a meeting that ended longer ago is not mailed, for example if it is made again. */
const MAX_AGE_MS = 7 * DAY_MS

/**
 * Stores the mail with a meeting's recap for everyone who gets it, in the transaction that stores the recap. A recap
 * that is made again is not mailed again.
 */
export async function enqueueRecapMail(
  tx: Tx,
  meetingId: string,
  audience: RecapAudience,
  now: Date,
): Promise<void> {
  const { recipients, endedAt, isImported, project } = audience
  const isRecent = endedAt !== null && endedAt.getTime() > now.getTime() - MAX_AGE_MS
  if (recipients === 'nobody' || isImported || !isRecent) return
  const readers = await listProjectReaders(tx, project)
  const choices = await readChoices(
    tx,
    readers.map(({ userId }) => userId),
  )
  const mails = findRecapRecipients(audience, readers, choices).map(({ userId }) => ({
    kind: 'recap' as const,
    uniqueKey: `recap:${meetingId}:${userId}`,
    to: { userId },
    meetingId,
  }))
  await enqueueMail(tx, mails, now)
}
