import { randomBytes } from 'node:crypto'
import { OperatorError } from '../errors.ts'
import { newId } from '../lib/crypto/random.ts'
import { createSecretBox, type SecretBox } from '../lib/crypto/secret-box.ts'
import type { Db } from '../db/database.ts'

const CHECK_TEXT = 'hansard master key'

export function newMasterKey(): string {
  return randomBytes(32).toString('base64')
}

/**
 * Opens the box that encrypts stored secrets; throws when the master key is not the one that this database was first
 * used with. A node with another key could read no stored secret and would encrypt new ones with the wrong key.
 */
export async function createVerifiedSecretBox(db: Db, key: Buffer): Promise<SecretBox> {
  const box = createSecretBox(key)
  await db
    .insertInto('instance')
    .values({ instance_id: newId('ins'), master_key_check: box.seal(CHECK_TEXT, 'check') })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('instance').select('master_key_check').executeTakeFirstOrThrow()
  try {
    box.open(row.master_key_check, 'check')
  } catch (error) {
    throw new OperatorError(
      'The master key does not belong to this database',
      'Set HANSARD_MASTER_KEY to the original key, or put the original secrets/master.key into the data folder',
      error,
    )
  }
  return box
}
