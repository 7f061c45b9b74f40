import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createAccountsArea } from '../../src/accounts/area.ts'
import { COMMAND_LINE_ACTOR } from '../../src/accounts/audit.ts'
import type { Db } from '../../src/db/database.ts'
import { createSecretBox } from '../../src/lib/crypto.ts'
import { systemClock, type Clock } from '../../src/lib/time/clock.ts'
import { createLog } from '../../src/log.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { createManualClock } from '../support/time/manual-clock.ts'

const BOB = { email: 'bob@example.com', password: 'bobs own secret' }
const CLIENT = { ip: '127.0.0.1', userAgent: 'test', knownDeviceToken: null }

async function createBob(db: Db, clock: Clock = systemClock) {
  const secretBox = createSecretBox(Buffer.alloc(32, 7))
  const area = createAccountsArea({ db, clock, secretBox, log: createLog('silent') })
  const user = { ...BOB, name: 'Bob', role: 'member' as const }
  return { ...area, bob: await area.accounts.createUser(user, COMMAND_LINE_ACTOR) }
}

test('a password reset ends every session and adds one audit row', async () => {
  await using database = await openTestDatabase()
  const { accounts, sessions, bob } = await createBob(database.db)
  const { secret } = await accounts.signIn(BOB, CLIENT)
  await accounts.signIn(BOB, CLIENT)
  const reset = (id: string, password: string) =>
    accounts.resetPassword(id, password, COMMAND_LINE_ACTOR)
  await assert.rejects(reset(bob.id, 'short'), { code: 'invalid_request' })
  await assert.rejects(reset('usr_nobody', 'another long secret'), { code: 'user_not_found' })
  assert.notEqual(await sessions.find(secret), null)

  const { endedSessions } = await reset(bob.id, 'another long secret')
  assert.equal(endedSessions, 2)
  assert.equal(await sessions.find(secret), null)
  await assert.rejects(accounts.signIn(BOB, CLIENT), { code: 'wrong_credentials' })
  await accounts.signIn({ ...BOB, password: 'another long secret' }, CLIENT)
  const rows = await database.db
    .selectFrom('audit')
    .select(['actor', 'object'])
    .where('action', '=', 'password changed')
    .execute()
  assert.deepEqual(rows, [{ actor: 'command line', object: bob.id }])
})

test('a password reset revokes the personal tokens of the user, and no other token', async () => {
  await using database = await openTestDatabase()
  const { accounts, tokens, resets, redeemResetLink, bob } = await createBob(database.db)
  const create = (name: string, more: { creatorId: string | null; kind?: 'service' }) =>
    tokens.create({ name, scopes: null, expiresAt: null, ...more }, COMMAND_LINE_ACTOR)
  const isValid = async ({ apiKey }: { apiKey: string }) =>
    (await tokens.verify(apiKey, CLIENT.ip)) !== null
  const ada = { ...BOB, email: 'ada@example.com', name: 'Ada', role: 'admin' as const }
  const { id: adaId } = await accounts.createUser(ada, COMMAND_LINE_ACTOR)
  const others = [
    await create('program', { creatorId: null }),
    await create('of Ada', { creatorId: adaId }),
    await create('for all', { creatorId: adaId, kind: 'service' }),
  ]

  const first = await create('first', { creatorId: bob.id })
  assert.equal(await isValid(first), true)
  assert.deepEqual(await accounts.resetPassword(bob.id, 'another secret', COMMAND_LINE_ACTOR), {
    endedSessions: 0,
    revokedTokens: 1,
  })
  assert.equal(await isValid(first), false)

  const second = await create('second', { creatorId: bob.id })
  assert.equal(await isValid(second), true)
  const link = await resets.create({ userId: bob.id, creatorId: null }, COMMAND_LINE_ACTOR)
  await redeemResetLink(link.code, 'a third long secret', CLIENT)
  assert.equal(await isValid(second), false)
  for (const other of others) assert.equal(await isValid(other), true, other.token.name)

  const revoked = await database.db
    .selectFrom('audit')
    .select('object')
    .where('action', '=', 'token revoked')
    .orderBy('id')
    .execute()
  assert.deepEqual(
    revoked.map(({ object }) => object),
    [first.token.id, second.token.id],
  )
})

test('a token is created only in a session that began within 15 minutes and is still open', async () => {
  await using database = await openTestDatabase()
  const clock = createManualClock()
  const { accounts, sessions, tokens, bob } = await createBob(database.db, clock)
  const { secret } = await accounts.signIn(BOB, CLIENT)
  const signedIn = await sessions.find(secret)
  assert(signedIn)
  const { session } = signedIn
  const create = () =>
    tokens.create(
      { name: 'x', scopes: null, expiresAt: null, creatorId: bob.id, session },
      COMMAND_LINE_ACTOR,
    )
  clock.advance(899)
  await create()
  clock.advance(1)
  await assert.rejects(create(), { code: 'recent_sign_in_needed' })
  clock.advance(-60)
  // The session ends after the request was accepted.
  await accounts.resetPassword(bob.id, 'another long secret', COMMAND_LINE_ACTOR)
  await assert.rejects(create(), { code: 'not_signed_in' })
})

test('a reset link ends when the password is changed in another way, and with the admin who created it', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const { accounts, resets, removeUser, bob } = await createBob(db)
  const admin = { ...BOB, email: 'eve@example.com', name: 'Eve', role: 'admin' as const }
  const eve = await accounts.createUser(admin, COMMAND_LINE_ACTOR)
  await accounts.createUser({ ...admin, email: 'ada@example.com' }, COMMAND_LINE_ACTOR)
  const create = async (creatorId: string | null) =>
    (await resets.create({ userId: bob.id, creatorId }, COMMAND_LINE_ACTOR)).code
  const first = await create(null)
  await resets.check(first)
  await accounts.resetPassword(bob.id, 'another long secret', COMMAND_LINE_ACTOR)
  await assert.rejects(resets.check(first), { code: 'invalid_code' })
  const second = await create(eve.id)
  await resets.check(second)
  await removeUser(eve.id, { revokesTokens: false }, COMMAND_LINE_ACTOR)
  await assert.rejects(resets.check(second), { code: 'invalid_code' })
  await assert.rejects(create(bob.id), { code: 'forbidden' })
})

test('a password change that began before a reset does not undo the reset', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const { accounts, sessions, users, bob } = await createBob(db)
  const { secret } = await accounts.signIn(BOB, CLIENT)
  const signedIn = await sessions.find(secret)
  assert(signedIn)
  const { changing } = await db.transaction().execute(async (tx) => {
    await users.setPassword(tx, bob.id, 'a hash of another password')
    // The old password is still committed, so the change accepts it and then waits for this transaction.
    const change = accounts.changePassword(signedIn, BOB.password, 'a third long secret', CLIENT)
    const refused = assert.rejects(change, { code: 'invalid_request' })
    await Promise.race([waitForLockWaiters(db, 'transactionid', 1), refused])
    return { changing: refused }
  })
  await changing
  const { password_hash: stored } = await db
    .selectFrom('app_user')
    .select('password_hash')
    .where('id', '=', bob.id)
    .executeTakeFirstOrThrow()
  assert.equal(stored, 'a hash of another password')
})

test('a sign-in with the old password during a password reset starts no session', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const { accounts, sessions, users, bob } = await createBob(db)
  const { signingIn } = await db.transaction().execute(async (tx) => {
    await users.setPassword(tx, bob.id, 'a hash of another password')
    await sessions.endAll(tx, bob.id)
    // The old password is still committed, so the sign-in accepts it and then waits for this transaction.
    const started = assert.rejects(accounts.signIn(BOB, CLIENT), { code: 'wrong_credentials' })
    await Promise.race([waitForLockWaiters(db, 'transactionid', 1), started])
    return { signingIn: started }
  })
  await signingIn
  assert.deepEqual(await sessions.list(bob.id), [])
})
