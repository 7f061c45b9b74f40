import { findOpenShare } from '../../access/sharing/open-share.ts'
import { lockForGuestShares, storeGuestShares } from '../../access/sharing/guest-shares.ts'
import { newShareSecret } from '../../access/sharing/share-links.ts'
import { listUserEmails } from '../../accounts/users/users.ts'
import type { Tx } from '../../db/database.ts'
import { sha256, type SecretBox } from '../../lib/crypto.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { EmailAddress } from '../../lib/text/validation.ts'
import type { MailComposer } from '../mail.ts'
import { codeLabel, enqueueMail } from '../outbox/enqueue.ts'
import { createGuestToken, listOptedOut } from './guest-opt-outs.ts'
import type { RecapMailSource } from './recap-composer.ts'
import { renderGuestRecapMail } from './recap-message.ts'
import type { RecapAudience } from './recipients.ts'

/** A meeting with more guests is treated like a public event: nobody decided to send a link to so many people. */
export const MAX_GUESTS = 50
const KIND = 'guest_recap'

export type GuestMailParts = { secretBox: SecretBox; now: Date }

/**
 * Stores the mail and a share link for each invited person without an account, in the transaction that stores the
 * recap. Until the mail is sent, the secret of the link is stored encrypted.
 */
export async function enqueueGuestMail(
  tx: Tx,
  meetingId: string,
  { guests, project }: Pick<RecapAudience, 'guests' | 'project'>,
  { secretBox, now }: GuestMailParts,
): Promise<void> {
  if (guests === null) return
  const addresses = await findGuests(tx, guests.addresses)
  if (addresses.length === 0 || addresses.length > MAX_GUESTS) return
  if (!(await lockForGuestShares(tx, project, guests.sharer, now))) return
  const mails = addresses.map((address) => {
    const secret = newShareSecret()
    const uniqueKey = `recap:${meetingId}:guest:${sha256(address).toString('hex')}`
    const sealedCode = secretBox.seal(secret, codeLabel(KIND))
    return {
      kind: KIND,
      uniqueKey,
      to: { address },
      meetingId,
      sealedCode,
      address,
      secret,
    } as const
  })
  // A recap that is made again is not mailed again, and needs no further links.
  const stored = await enqueueMail(tx, mails, now)
  const shares = { meetingId, project, sharer: guests.sharer, days: guests.linkDays }
  const newGuests = mails.filter(({ uniqueKey }) => stored.has(uniqueKey))
  await storeGuestShares(tx, { ...shares, guests: newGuests }, now)
}

/** The addresses that belong to no account and have not unsubscribed. */
async function findGuests(tx: Tx, invited: readonly string[]): Promise<string[]> {
  const valid = invited.filter((address) => EmailAddress.safeParse(address).success)
  const left = new Set([...(await listUserEmails(tx, valid)), ...(await listOptedOut(tx, valid))])
  return valid.filter((address) => !left.has(address))
}

type Parts = RecapMailSource & { clock: Clock; publicUrl: string; secretBox: SecretBox }

/** Makes the mail with a recap for a guest, if the project still wants it and the guest's link still opens. */
export function createGuestRecapComposer(parts: Parts): MailComposer {
  const { readAudience, readRecap, clock, publicUrl, secretBox } = parts
  return async (db, { address, meetingId, code }) => {
    if (address === null || meetingId === null || code === null) return 'content_gone'
    const audience = await readAudience(db, meetingId)
    if (audience === null) return 'content_gone'
    if (audience.guests === null) return 'project_off'
    if ((await listUserEmails(db, [address])).length > 0) return 'has_account'
    if ((await listOptedOut(db, [address])).length > 0) return 'turned_off'
    const share = await findOpenShare(db, code, clock.now())
    if (share?.meetingId !== meetingId) return 'link_ended'
    const mailed = await readRecap(meetingId)
    if (mailed === null) return 'content_gone'
    const unsubscribeUrl = `${publicUrl}/unsubscribe/${createGuestToken(secretBox, address)}`
    const shareUrl = `${publicUrl}/s/${code}`
    return {
      to: { name: '', address },
      unsubscribeUrl,
      ...renderGuestRecapMail(mailed, { shareUrl, unsubscribeUrl, expiresAt: share.expiresAt }),
    }
  }
}
