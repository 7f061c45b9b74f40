import type { Db } from '../../db/database.ts'
import { ServiceError } from '../../errors.ts'
import { newId } from '../../lib/crypto.ts'
import { toUser, userColumns, type User } from '../users/users.ts'

export type Passkey = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null }

/** The data that checks a signature. */
export type StoredCredential = {
  passkeyId: string
  user: User
  id: string
  publicKey: Buffer
  counter: number
}

export type NewCredential = {
  userId: string
  name: string
  id: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

export async function listPasskeys(db: Db, userId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkey')
    .select(['id', 'name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }))
}

/** The credentials of a user, so that a device that already has one is not registered twice. */
export async function listCredentialIds(
  db: Db,
  userId: string,
): Promise<Array<{ id: string; transports: string[] }>> {
  return db
    .selectFrom('passkey')
    .select(['credential_id as id', 'transports'])
    .where('user_id', '=', userId)
    .execute()
}

export async function insertPasskey(
  tx: Db,
  credential: NewCredential,
  now: Date,
): Promise<Passkey> {
  const id = newId('pky')
  const inserted = await tx
    .insertInto('passkey')
    .values({
      id,
      user_id: credential.userId,
      name: credential.name,
      credential_id: credential.id,
      public_key: credential.publicKey,
      counter: credential.counter,
      transports: credential.transports,
      created_at: now,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) throw new ServiceError('passkey_exists')
  return { id, name: credential.name, createdAt: now, lastUsedAt: null }
}

export async function findCredential(db: Db, id: string): Promise<StoredCredential | null> {
  const row = await db
    .selectFrom('passkey')
    .innerJoin('app_user', 'app_user.id', 'passkey.user_id')
    .select(['passkey.id as passkey_id', 'public_key', 'counter', ...userColumns])
    .where('credential_id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return null
  const { passkey_id: passkeyId, public_key: publicKey, counter } = row
  return { passkeyId, user: toUser(row), id, publicKey, counter: Number(counter) }
}

/**
 * Stores the counter of a signature. False if another sign-in has changed it since it was read, or if the passkey was
 * removed. The signature is then not accepted.
 */
export async function advanceCounter(
  tx: Db,
  { passkeyId, counter }: StoredCredential,
  newCounter: number,
  now: Date,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('passkey')
    .set({ counter: newCounter, last_used_at: now })
    .where('id', '=', passkeyId)
    .where('counter', '=', String(counter))
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Returns the name of the removed passkey. Null if the user has no such passkey. */
export async function deletePasskey(tx: Db, userId: string, id: string): Promise<string | null> {
  const row = await tx
    .deleteFrom('passkey')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returning('name')
    .executeTakeFirst()
  return row?.name ?? null
}
