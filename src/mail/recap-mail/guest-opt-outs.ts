import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { Db } from '../../db/database.ts'
import { sha256, type SecretBox } from '../../lib/crypto.ts'
import { createUnsubscribeToken } from '../unsubscribe.ts'

/**
 * People without an account who want no mail are stored as SHA-256 of their address: it is only compared, and a list of
 * plain addresses would outlive every meeting.
 */
const hashOf = (address: string) => sha256(address.toLowerCase())

/** The secret part of a link that turns off recap mail for a guest. It contains only the hash of the address. */
export function createGuestToken(box: SecretBox, address: string): string {
  return createUnsubscribeToken(box, { what: 'guest', whom: hashOf(address).toString('hex') })
}

/** Leaves only the addresses that get no recaps. */
export async function listOptedOut(db: Db, addresses: readonly string[]): Promise<string[]> {
  if (addresses.length === 0) return []
  const rows = await db
    .selectFrom('mail_opt_out')
    .select('address_hash as hash')
    .where('address_hash', 'in', addresses.map(hashOf))
    .execute()
  const hashes = new Set(rows.map(({ hash }) => hash.toString('hex')))
  return addresses.filter((address) => hashes.has(hashOf(address).toString('hex')))
}

/** `hash` is of the address, as hexadecimal digits. Always true, as for the choices of users who exist. */
export async function addOptOut(
  db: Db,
  hash: string,
  { actor, now }: { actor: Actor; now: Date },
): Promise<boolean> {
  await db.transaction().execute(async (tx) => {
    const { numInsertedOrUpdatedRows = 0n } = await tx
      .insertInto('mail_opt_out')
      .values({ address_hash: Buffer.from(hash, 'hex'), created_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows === 0n) return
    await appendAudit(tx, now, actor, 'guest unsubscribed')
  })
  return true
}
