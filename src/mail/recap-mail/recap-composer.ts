import { mayAccess } from '../../access/subjects.ts'
import { findUserContact } from '../../accounts/users/users.ts'
import type { Db } from '../../db/database.ts'
import type { SecretBox } from '../../lib/crypto.ts'
import type { MailComposer } from '../mail.ts'
import { readMailChoice } from '../mail-choices.ts'
import { createUnsubscribeToken } from '../unsubscribe.ts'
import type { RecapAudience } from './recipients.ts'
import { renderRecapMail, type MailedRecap } from './recap-message.ts'

/** What the mail area reads of meetings and recaps. */
export type RecapMailSource = {
  /** Null if the meeting was removed. */
  readAudience(db: Db, meetingId: string): Promise<RecapAudience | null>
  /** Null if the meeting or its recap was removed. */
  readRecap(meetingId: string): Promise<MailedRecap | null>
}

type Parts = RecapMailSource & { publicUrl: string; secretBox: SecretBox }

/** Makes the mail with a recap, if its recipient may read the meeting and still wants it. */
export function createRecapComposer(parts: Parts): MailComposer {
  const { readAudience, readRecap, publicUrl, secretBox } = parts
  return async (db, { userId, meetingId }) => {
    const user = userId === null ? null : await findUserContact(db, userId)
    if (user === null || userId === null || meetingId === null) return 'content_gone'
    const viewer = { kind: 'user', userId, role: user.role, projects: null } as const
    if (!(await mayAccess(db, viewer, { kind: 'meeting', id: meetingId, action: 'read' })))
      return 'no_access'
    const audience = await readAudience(db, meetingId)
    if (audience?.recipients === 'nobody') return 'project_off'
    if ((await readMailChoice(db, userId)).recaps === 'none') return 'turned_off'
    const mailed = await readRecap(meetingId)
    if (mailed === null) return 'content_gone'
    const token = createUnsubscribeToken(secretBox, { whom: userId, what: 'recaps' })
    const unsubscribeUrl = `${publicUrl}/unsubscribe/${token}`
    return {
      to: { name: user.name, address: user.email },
      unsubscribeUrl,
      ...renderRecapMail(mailed, { publicUrl, unsubscribeUrl }),
    }
  }
}
