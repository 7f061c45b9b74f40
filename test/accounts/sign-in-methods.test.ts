import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createAccountsArea } from '../../src/accounts/area.ts'
import { COMMAND_LINE_ACTOR } from '../../src/accounts/audit.ts'
import { lockUserForRemoval } from '../../src/accounts/sign-in/sign-in-methods.ts'
import type { Db } from '../../src/db/database.ts'
import { createSecretBox } from '../../src/lib/crypto.ts'
import { systemClock } from '../../src/lib/time/clock.ts'
import { createLog } from '../../src/log.ts'
import { waitForLockWaiters } from '../support/database/lock-waits.ts'
import { openTestDatabase } from '../support/database/test-database.ts'

const ISSUER = 'https://id.example.com/realms/a'
const FORMER_ISSUER = 'https://former.example.com'
const LAST = { code: 'last_sign_in_method' }

function openArea(db: Db, hasLocalSignIn: boolean) {
  const openId = {
    issuer: ISSUER,
    clientId: 'hansard',
    clientSecret: null,
    scopes: 'openid',
    groupsClaim: 'groups',
    needsGroups: false,
    timeoutMs: 100,
    fetch: () => Promise.reject(new Error('this test calls no provider')),
  }
  const rules = { domains: [], groups: [], adminGroups: [], trustsEmail: false }
  return createAccountsArea({
    db,
    clock: systemClock,
    secretBox: createSecretBox(Buffer.alloc(32, 7)),
    log: createLog('silent'),
    signIn: {
      hasLocalSignIn,
      provider: { name: 'Corp ID', openId, rules },
      baseUrl: () => 'https://hansard.example.com',
    },
  })
}

/** Inserts a user with an account at each of these issuers, passkeys, and optionally a password. */
async function insertUser(
  db: Db,
  methods: { issuers?: string[]; passkeys?: number; hasPassword?: boolean },
): Promise<string> {
  const { issuers = [], passkeys = 0, hasPassword = false } = methods
  users += 1
  const id = `u${users}`
  await db
    .insertInto('app_user')
    .values({
      id,
      email: `${id}@example.com`,
      name: id,
      role: 'member',
      password_hash: hasPassword ? 'x' : null,
    })
    .execute()
  for (const [index, issuer] of issuers.entries())
    await db
      .insertInto('external_identity')
      .values({
        id: `${id}-identity-${index}`,
        issuer,
        subject: `${id}-${index}`,
        user_id: id,
        created_at: new Date(),
      })
      .execute()
  for (let index = 0; index < passkeys; index += 1)
    await db
      .insertInto('passkey')
      .values({
        id: `${id}-passkey-${index}`,
        user_id: id,
        name: 'Key',
        credential_id: `${id}-${index}`,
        public_key: Buffer.alloc(1),
        counter: 0,
        transports: [],
        created_at: new Date(),
      })
      .execute()
  return id
}
let users = 0

test('two removals at the same time leave one way to sign in', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const { unlinkIdentity, passkeys } = openArea(db, true)
  const id = await insertUser(db, { issuers: [ISSUER], passkeys: 1 })
  const { removals } = await db.transaction().execute(async (tx) => {
    await lockUserForRemoval(tx, id)
    const started = Promise.allSettled([
      unlinkIdentity(id, `${id}-identity-0`, COMMAND_LINE_ACTOR),
      passkeys.remove(id, `${id}-passkey-0`, COMMAND_LINE_ACTOR),
    ])
    await Promise.race([waitForLockWaiters(db, 'any', 2), started])
    return { removals: started }
  })
  const results = await removals
  assert.deepEqual(results.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
  const refused = results.find((result) => result.status === 'rejected')
  assert.equal((refused?.reason as { code: string } | undefined)?.code, LAST.code)
})

test('only ways to sign in that the settings allow count, and an unknown one is not found', async () => {
  await using database = await openTestDatabase()
  const { db } = database
  const local = openArea(db, true)
  const onlyProvider = openArea(db, false)
  const everything = await insertUser(db, {
    issuers: [`${ISSUER}/`, FORMER_ISSUER],
    passkeys: 2,
    hasPassword: true,
  })
  const own = `${everything}-identity-0`
  await assert.rejects(onlyProvider.unlinkIdentity(everything, own, COMMAND_LINE_ACTOR), LAST)
  // A method that can't be used for signing in can always be removed.
  await onlyProvider.unlinkIdentity(everything, `${everything}-identity-1`, COMMAND_LINE_ACTOR)
  await onlyProvider.passkeys.remove(everything, `${everything}-passkey-0`, COMMAND_LINE_ACTOR)
  await local.unlinkIdentity(everything, own, COMMAND_LINE_ACTOR)

  const former = await insertUser(db, { issuers: [FORMER_ISSUER], passkeys: 1 })
  const last = `${former}-passkey-0`
  await assert.rejects(local.passkeys.remove(former, last, COMMAND_LINE_ACTOR), LAST)
  await assert.rejects(local.passkeys.remove(former, 'pky_none', COMMAND_LINE_ACTOR), {
    code: 'passkey_not_found',
  })
  await assert.rejects(local.unlinkIdentity(former, 'idn_none', COMMAND_LINE_ACTOR), {
    code: 'identity_not_found',
  })
})
