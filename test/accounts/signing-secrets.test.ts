import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ACCOUNT_MAINTENANCE_JOBS, createAccountsArea } from '../../src/accounts/area.ts'
import { COMMAND_LINE_ACTOR } from '../../src/accounts/audit.ts'
import { createSigningSecretReader } from '../../src/accounts/tokens/token-store.ts'
import { createSecretBox } from '../../src/lib/crypto.ts'
import { createLog } from '../../src/log.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { openForFile } from '../support/open-for-file.ts'
import { createManualClock } from '../support/time/manual-clock.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

const sharedDatabase = openForFile(openTestDatabase)

/** A token, and functions to rotate and read its secrets. `secrets` uses a new reader each time, without a cache. */
async function openToken() {
  const database = sharedDatabase()
  const clock = createManualClock()
  const secretBox = createSecretBox(randomBytes(32))
  const { db } = database
  const { tokens, rotation } = createAccountsArea({
    db,
    clock,
    secretBox,
    log: createLog('silent'),
  })
  const elapsed = { ms: 0 }
  const node = () => createSigningSecretReader({ db, clock, secretBox }, () => elapsed.ms)
  const { token, signingSecret } = await tokens.create(
    { name: 'backend', scopes: null, expiresAt: null, creatorId: null },
    COMMAND_LINE_ACTOR,
  )
  return {
    database,
    id: token.id,
    first: signingSecret,
    clock,
    elapsed,
    node,
    tokens,
    rotation,
    secrets: () => node()(token.id),
    createNext: async () => (await rotation.createNext(token.id, COMMAND_LINE_ACTOR)).signingSecret,
    async runMaintenance() {
      for (const { run } of ACCOUNT_MAINTENANCE_JOBS) await run(db, clock.now())
    },
    columns: () =>
      db
        .selectFrom('api_token')
        .select(['next_secret', 'next_secret_at', 'old_secret', 'old_secret_until'])
        .where('id', '=', token.id)
        .executeTakeFirstOrThrow(),
    audit: async () =>
      (
        await db
          .selectFrom('audit')
          .select(['actor', 'action'])
          .where('object', '=', token.id)
          .orderBy('id')
          .execute()
      ).map(({ actor, action }) => `${actor}: ${action}`),
  }
}

test('a token without a rotation has one signing secret', async () => {
  const t = await openToken()
  assert.deepEqual(await t.secrets(), { signing: t.first, alsoValid: [] })
  assert.equal(await t.node()('tok_nothing'), null)
})

test('a pending secret is valid in addition to the one that signs', async () => {
  const t = await openToken()
  const next = await t.createNext()
  assert.match(next, /^ss_[0-9A-Za-z]{43}$/)
  assert.notEqual(next, t.first)
  assert.deepEqual(await t.secrets(), { signing: t.first, alsoValid: [next] })
  t.clock.advance(DAY - 1)
  assert.deepEqual(await t.secrets(), { signing: t.first, alsoValid: [next] })
})

test('a cancelled secret is deleted and the current one still signs', async () => {
  const t = await openToken()
  const lost = await t.createNext()
  await t.rotation.cancelNext(t.id, COMMAND_LINE_ACTOR)
  assert.deepEqual(await t.secrets(), { signing: t.first, alsoValid: [] })
  const next = await t.createNext()
  assert.notEqual(next, lost)
  assert.deepEqual(await t.secrets(), { signing: t.first, alsoValid: [next] })
})

test('an activated secret signs, and the old one stays valid for 24 hours', async () => {
  const t = await openToken()
  const next = await t.createNext()
  t.clock.advance(HOUR)
  const token = await t.rotation.activate(t.id, COMMAND_LINE_ACTOR)
  assert.equal(token.nextSecretSince, null)
  assert.deepEqual(token.oldSecretUntil, new Date(t.clock.now().getTime() + DAY * 1000))
  t.clock.advance(DAY - 1)
  await t.runMaintenance()
  assert.deepEqual(await t.secrets(), { signing: next, alsoValid: [t.first] })
  t.clock.advance(1)
  assert.deepEqual(await t.secrets(), { signing: next, alsoValid: [] })
})

for (const maintenance of ['runs', 'does not run']) {
  test(`a pending secret is activated after 24 hours when maintenance ${maintenance}`, async () => {
    const t = await openToken()
    const next = await t.createNext()
    const pass = async (seconds: number) => {
      t.clock.advance(seconds)
      if (maintenance === 'runs') await t.runMaintenance()
    }
    await pass(DAY)
    assert.deepEqual(await t.secrets(), { signing: next, alsoValid: [t.first] })
    await pass(DAY - 1)
    assert.deepEqual(await t.secrets(), { signing: next, alsoValid: [t.first] })
    await pass(1)
    assert.deepEqual(await t.secrets(), { signing: next, alsoValid: [] })
  })
}

test('maintenance stores an overdue activation with its due time and deletes the expired old secret', async () => {
  const t = await openToken()
  await t.createNext()
  const { nextSecretDue } = await t.tokens.get(t.id)
  t.clock.advance(DAY + 5 * HOUR)
  await t.runMaintenance()
  const token = await t.tokens.get(t.id)
  assert.deepEqual([token.nextSecretSince, token.nextSecretDue], [null, null])
  assert.equal(token.oldSecretUntil?.getTime(), (nextSecretDue?.getTime() ?? 0) + DAY * 1000)
  t.clock.advance(DAY)
  await t.runMaintenance()
  await t.runMaintenance()
  const empty = {
    next_secret: null,
    next_secret_at: null,
    old_secret: null,
    old_secret_until: null,
  }
  assert.deepEqual(await t.columns(), empty)
  assert.deepEqual(await t.audit(), [
    'command line: token created',
    'command line: next secret created',
    'upkeep: next secret activated',
  ])
})

test('an overdue secret cannot be cancelled, and activating it late does not extend the old one', async () => {
  const t = await openToken()
  const next = await t.createNext()
  t.clock.advance(DAY + HOUR)
  await assert.rejects(t.rotation.cancelNext(t.id, COMMAND_LINE_ACTOR), {
    code: 'no_secret_pending',
  })
  const token = await t.rotation.activate(t.id, COMMAND_LINE_ACTOR)
  assert.deepEqual(token.oldSecretUntil, new Date(t.clock.now().getTime() + 23 * HOUR * 1000))
  assert.deepEqual(await t.secrets(), { signing: next, alsoValid: [t.first] })
})

test('a rotation after an overdue one starts from the secret that signs', async () => {
  const t = await openToken()
  const second = await t.createNext()
  t.clock.advance(DAY)
  const third = await t.createNext()
  assert.deepEqual(await t.secrets(), { signing: second, alsoValid: [third, t.first] })
  await t.rotation.activate(t.id, COMMAND_LINE_ACTOR)
  assert.deepEqual(await t.secrets(), { signing: third, alsoValid: [second] })
})

test('a revoked token refuses rotation steps, but its pending secret is still activated', async () => {
  const t = await openToken()
  const next = await t.createNext()
  await t.tokens.revoke(t.id, COMMAND_LINE_ACTOR)
  for (const step of ['createNext', 'activate', 'cancelNext'] as const) {
    await assert.rejects(t.rotation[step](t.id, COMMAND_LINE_ACTOR), {
      code: 'token_revoked',
    })
  }
  assert.deepEqual(await t.secrets(), { signing: t.first, alsoValid: [next] })
  t.clock.advance(DAY)
  await t.runMaintenance()
  assert.deepEqual(await t.secrets(), { signing: next, alsoValid: [t.first] })
})

test('a node uses cached signing secrets for less than two seconds', async () => {
  const t = await openToken()
  const [one, other] = [t.node(), t.node()]
  const before = { signing: t.first, alsoValid: [] }
  assert.deepEqual(await one(t.id), before)
  const next = await t.createNext()
  t.elapsed.ms = 1_999
  assert.deepEqual(await one(t.id), before)
  assert.deepEqual(await other(t.id), { signing: t.first, alsoValid: [next] })
  t.elapsed.ms = 2_000
  assert.deepEqual(await one(t.id), { signing: t.first, alsoValid: [next] })
})

test('a failed read of signing secrets is not cached', async () => {
  const t = await openToken()
  const node = t.node()
  const { db } = t.database
  await db.schema.alterTable('api_token').renameTo('elsewhere').execute()
  await assert.rejects(node(t.id), /api_token/)
  await db.schema.alterTable('elsewhere').renameTo('api_token').execute()
  assert.deepEqual(await node(t.id), { signing: t.first, alsoValid: [] })
})

test('a node uses cached signing secrets for a minute while the database is unavailable', async () => {
  const t = await openToken()
  const { db } = t.database
  const node = t.node()
  const known = await node(t.id)
  await sql`create function away() returns boolean language plpgsql as
    $$ begin raise 'the database is starting up' using errcode = '57P03'; end $$`.execute(db)
  await db.schema.alterTable('api_token').renameTo('elsewhere').execute()
  await sql`create view api_token as select * from elsewhere where away()`.execute(db)
  t.elapsed.ms = 2_000
  assert.deepEqual(await Promise.all([node(t.id), node(t.id)]), [known, known])
  t.elapsed.ms = 59_999
  assert.deepEqual(await node(t.id), known)
  t.elapsed.ms = 62_000
  await assert.rejects(node(t.id), { code: '57P03' })
  await assert.rejects(t.node()(t.id), { code: '57P03' })
  await sql`drop view api_token; drop function away`.execute(db)
  await db.schema.alterTable('elsewhere').renameTo('api_token').execute()
  const next = await t.createNext()
  assert.deepEqual(await node(t.id), { signing: t.first, alsoValid: [next] })
})

test('one of several concurrent rotation steps succeeds and is audited once', async () => {
  const t = await openToken()
  const together = async (step: 'createNext' | 'activate') => {
    const all = await Promise.allSettled(
      Array.from({ length: 4 }, () => t.rotation[step](t.id, COMMAND_LINE_ACTOR)),
    )
    return all.map((one) =>
      one.status === 'fulfilled' ? 'done' : (one.reason as { code: string }).code,
    )
  }
  const refused = (code: string) => ['done', code, code, code]
  assert.deepEqual((await together('createNext')).toSorted(), refused('secret_pending').toSorted())
  assert.deepEqual((await together('activate')).toSorted(), refused('no_secret_pending').toSorted())
  const rows = (await t.audit()).filter((row) => row.includes('next secret'))
  assert.deepEqual(rows.toSorted(), [
    'command line: next secret activated',
    'command line: next secret created',
  ])
})
