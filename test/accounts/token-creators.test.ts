import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createAccountsArea } from '../../src/accounts/area.ts'
import { COMMAND_LINE_ACTOR } from '../../src/accounts/audit.ts'
import { lockCreator } from '../../src/accounts/tokens/token-creators.ts'
import { connectToDatabase, type Db } from '../../src/db/database.ts'
import { migrateDatabase } from '../../src/db/migrate.ts'
import { createSecretBox } from '../../src/lib/crypto.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { createLog } from '../../src/log.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import { createTestDatabase, openTestDatabase } from '../support/database/test-database.ts'

const log = createLog('silent')
const secretBox = createSecretBox(Buffer.alloc(32, 7))
const areaOf = (db: Db) => createAccountsArea({ db, clock: systemClock, secretBox, log })

const NEW_TOKEN = { name: 'backend', scopes: null, expiresAt: null }

async function insertUser(db: Db, id: string): Promise<void> {
  await sql`insert into app_user (id, email, name, role, password_hash)
    values (${id}, ${`${id}@example.com`}, ${id}, 'member', 'x')`.execute(db)
}

async function insertToken(db: Db, id: string, createdBy: string | null): Promise<void> {
  await sql`insert into api_token
      (id, name, key_hash, key_prefix, key_last4, signing_secret, created_by, created_at)
    values (${id}, ${id}, ${Buffer.from(id)}, 'sk_', 'abcd', '', ${createdBy}, now())`.execute(db)
}

test('the migration stores the creators of existing tokens as far as they are known, and gives those of removed users no private projects', async () => {
  await using empty = await createTestDatabase({ empty: true })
  const { db, close } = await connectToDatabase({ connectionString: empty.url }, { max: 2, log })
  await migrateDatabase(db, '0009-words-in-small-portions')
  const acts: Array<[token: string, creator: string | null, actor: string]> = [
    ['a', 'ada', 'user:ada'],
    ['b', 'bob', 'user:bob'],
    ['c', null, 'command line'],
  ]
  for (const [token, creator, actor] of acts) {
    if (creator !== null) await insertUser(db, creator)
    await insertToken(db, token, creator)
    await sql`insert into audit (at, action, actor, object)
      values (now(), 'token created', ${actor}, ${token})`.execute(db)
  }
  await insertToken(db, 'd', null)
  await sql`delete from app_user where id = 'bob'`.execute(db)
  await migrateDatabase(db)
  const tokens = await areaOf(db).tokens.list()
  await close()
  assert.deepEqual(
    tokens.map(({ id, createdBy, kind, isTeamOnly }) => [id, createdBy, kind, isTeamOnly]),
    [
      ['a', 'ada', 'personal', false],
      ['b', 'somebody who was removed', 'service', true],
      ['c', null, 'service', false],
      ['d', null, 'service', false],
    ],
  )
})

test('a token created while its creator is removed is revoked too', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const { tokens, removeUser } = areaOf(db)
  await insertUser(db, 'mallory')
  const removal = await db.transaction().execute(async (tx) => {
    const { name } = await lockCreator(tx, 'mallory')
    const started = removeUser('mallory', { revokesTokens: true }, COMMAND_LINE_ACTOR)
    await Promise.race([waitForLockWaiters(db, 'transactionid', 1), started])
    await insertToken(tx, 'late', 'mallory')
    await sql`update api_token set created_by_name = ${name}`.execute(tx)
    return { started }
  })
  assert.deepEqual(await removal.started, { revokedTokens: 1 })
  const [late] = await tokens.list()
  assert.equal(late?.createdBy, 'mallory')
  assert.notEqual(late.revokedAt, null)
})

test('a removed user cannot create a token', async () => {
  await using database = await openTestDatabase()
  const { tokens } = areaOf(database.db)
  await assert.rejects(tokens.create({ ...NEW_TOKEN, creatorId: 'mallory' }, COMMAND_LINE_ACTOR), {
    code: 'not_signed_in',
  })
  assert.deepEqual(await tokens.list(), [])
})
