import { randomBytes } from 'node:crypto'
import type { Db } from '../db/database.ts'
import { PermanentError } from '../lib/operator-error.ts'
import { createSecretBox, type SecretBox, newId } from '../lib/crypto.ts'
import { errorCode } from '../lib/error-code.ts'

const CHECK_TEXT = 'hansard master key'
const CHECK_LABEL = 'check'
/** PostgreSQL's code for a table that does not exist. */
const UNDEFINED_TABLE = '42P01'

export function newMasterKey(): string {
  return randomBytes(32).toString('base64')
}

/** A text encrypted with the master key that this database was first used with. Null if it has not been used yet. */
export async function readMasterKeyCheck(db: Db): Promise<Buffer | null> {
  try {
    const row = await db.selectFrom('instance').select('master_key_check').executeTakeFirst()
    return row?.master_key_check ?? null
  } catch (error) {
    if (errorCode(error) === UNDEFINED_TABLE) return null
    throw error
  }
}

/** Throws if the text was encrypted with another key. */
export function verifyMasterKey(key: Buffer, encryptedCheckText: Buffer): void {
  try {
    createSecretBox(key).open(encryptedCheckText, CHECK_LABEL)
  } catch (error) {
    throw masterKeyError('The master key does not belong to this database', error)
  }
}

export function masterKeyError(text: string, cause?: unknown): PermanentError {
  return new PermanentError(
    text,
    'Set HANSARD_MASTER_KEY to the original key, or put the original secrets/master.key into the data folder',
    cause,
  )
}

/**
 * Opens the box that encrypts stored secrets. Throws if this database was first used with another master key. A node
 * with another key could read no stored secret and would encrypt new ones with the wrong key.
 */
export async function createVerifiedSecretBox(db: Db, key: Buffer): Promise<SecretBox> {
  const box = createSecretBox(key)
  await db
    .insertInto('instance')
    .values({ instance_id: newId('ins'), master_key_check: box.seal(CHECK_TEXT, CHECK_LABEL) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('instance').select('master_key_check').executeTakeFirstOrThrow()
  verifyMasterKey(key, row.master_key_check)
  return box
}
