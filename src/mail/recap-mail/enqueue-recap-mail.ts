import { listProjectReaders } from '../../access/project-readers.ts'
import type { Tx } from '../../db/database.ts'
import { DAY_MS } from '../../lib/time/durations.ts'
import { readMailChoices } from '../mail-choices.ts'
import { enqueueMail } from '../outbox/enqueue.ts'
import { enqueueGuestMail, type GuestMailParts } from './guest-mail.ts'
import { findRecapRecipients, type MeetingOrigin, type RecapAudience } from './recipients.ts'

/**
 * The recap of a meeting that ended longer ago is not mailed, for example if it is made again. A new connection reads
 * the meetings of the last weeks, which nobody waits for. The recap of an uploaded file is never mailed (null).
 */
const MAX_AGE_MS: Readonly<Record<MeetingOrigin, number | null>> = {
  attended: 7 * DAY_MS,
  connection: 2 * DAY_MS,
  upload: null,
}

/**
 * Stores the mail with a meeting's recap for everyone who gets it, in the transaction that stores the recap. A recap
 * that is made again is not mailed again.
 */
export async function enqueueRecapMail(
  tx: Tx,
  meetingId: string,
  audience: RecapAudience,
  parts: GuestMailParts,
): Promise<void> {
  const { now } = parts
  const { recipients, endedAt, origin, project } = audience
  if (recipients === 'nobody' || !isRecent(endedAt, MAX_AGE_MS[origin], now)) return
  const readers = await listProjectReaders(tx, project)
  const rows = await readMailChoices(
    tx,
    readers.map(({ userId }) => userId),
  )
  const choices = new Map([...rows].map(([userId, { recaps }]) => [userId, recaps]))
  const mails = findRecapRecipients(audience, readers, choices).map(({ userId }) => ({
    kind: 'recap' as const,
    uniqueKey: `recap:${meetingId}:${userId}`,
    to: { userId },
    meetingId,
  }))
  await enqueueMail(tx, mails, now)
  await enqueueGuestMail(tx, meetingId, audience, parts)
}

function isRecent(endedAt: Date | null, maxAgeMs: number | null, now: Date): boolean {
  if (endedAt === null || maxAgeMs === null) return false
  return now.getTime() - endedAt.getTime() < maxAgeMs
}
