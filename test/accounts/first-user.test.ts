import { strict as assert } from 'node:assert'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAccountsArea, type AccountsArea } from '../../src/accounts/area.ts'
import { acquireUserListLock } from '../../src/accounts/users/users.ts'
import { createFirstAdminFromConfig } from '../../src/app/service.ts'
import { parseConfig, type Config } from '../../src/config/config.ts'
import { connectToDatabase } from '../../src/db/database.ts'
import { createSecretBox } from '../../src/lib/crypto.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { createLog } from '../../src/log.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import { openTestDatabase, requireEnv } from '../support/database/test-database.ts'

const log = createLog('silent')
const secretBox = createSecretBox(Buffer.alloc(32, 7))
const EMAIL = 'ops@example.com'

function settings(email = EMAIL): Config {
  const file = join(mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'first-')), 'password')
  writeFileSync(file, 'quite a long secret\n')
  const env = { HANSARD_ADMIN_EMAIL: email, HANSARD_ADMIN_PASSWORD_FILE: file }
  return parseConfig({ env, root: '/' })
}

/** The accounts area of a node, with separate database connections. */
async function openNode(url: string): Promise<AccountsArea & AsyncDisposable> {
  const { db, close } = await connectToDatabase({ connectionString: url }, { max: 2, log })
  const area = createAccountsArea({ db, clock: systemClock, secretBox, log })
  return { ...area, [Symbol.asyncDispose]: close }
}

test('the email address of the first user may have a host without a dot', async () => {
  await using database = await openTestDatabase()
  await using node = await openNode(database.url)
  await createFirstAdminFromConfig(settings('admin@localhost'), node)
  assert.deepEqual(
    (await node.users.list()).map(({ email }) => email),
    ['admin@localhost'],
  )
  assert.throws(() => settings('admin@'), /HANSARD_ADMIN_EMAIL/)
  assert.throws(() => settings('localhost'), /HANSARD_ADMIN_EMAIL/)
})

test('nodes that start together create the configured first user once, and none of them fails', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await using one = await openNode(database.url)
  await using two = await openNode(database.url)
  const config = settings()
  // Both nodes have already found no users when the lock is released.
  const starts = await db.transaction().execute(async (tx) => {
    await acquireUserListLock(tx)
    const started = Promise.all([one, two].map((area) => createFirstAdminFromConfig(config, area)))
    await Promise.race([waitForLockWaiters(db, 'advisory', 2), started])
    return { started }
  })
  await starts.started
  assert.deepEqual(
    (await one.users.list()).map(({ email, role }) => [email, role]),
    [[EMAIL, 'admin']],
  )
})

test('a user with the configured email address created without the lock counts as the first user', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await using node = await openNode(database.url)
  const config = settings()
  const start = await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('app_user')
      .values({ id: 'usr_other', email: EMAIL, name: 'Ops', role: 'admin', password_hash: 'x' })
      .execute()
    const started = createFirstAdminFromConfig(config, node)
    await Promise.race([waitForLockWaiters(db, 'transactionid', 1), started])
    return { started }
  })
  await start.started
  assert.deepEqual(
    (await node.users.list()).map(({ id }) => id),
    ['usr_other'],
  )
})

test('the configured first user is not created when another user was created meanwhile', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  await using node = await openNode(database.url)
  const config = settings()
  const start = await db.transaction().execute(async (tx) => {
    await acquireUserListLock(tx)
    const started = createFirstAdminFromConfig(config, node)
    await Promise.race([waitForLockWaiters(db, 'advisory', 1), started])
    await tx
      .insertInto('app_user')
      .values({
        id: 'usr_ada',
        email: 'ada@example.com',
        name: 'Ada',
        role: 'admin',
        password_hash: 'x',
      })
      .execute()
    return { started }
  })
  await start.started
  assert.deepEqual(
    (await node.users.list()).map(({ id }) => id),
    ['usr_ada'],
  )
})
