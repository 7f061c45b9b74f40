import { randomBytes } from 'node:crypto'
import { OperatorError } from '../errors.ts'
import { newId } from '../lib/crypto/random.ts'
import { createSecretBox, type SecretBox } from '../lib/crypto/secret-box.ts'
import type { Db } from '../db/database.ts'

const CHECK_TEXT = 'hansard master key'

export function newMasterKey(): string {
  return randomBytes(32).toString('base64')
}

/** The box for secrets, or a refusal: a node with another key could read none and would damage the rest. */
export async function openSecretBox(db: Db, key: Buffer): Promise<SecretBox> {
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
      'The master key is not the one this database was set up with',
      'Set HANSARD_MASTER_KEY, or put the right secrets/master.key into the data folder',
      error,
    )
  }
  return box
}
