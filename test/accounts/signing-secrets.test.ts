import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ACCOUNT_MAINTENANCE_JOBS, createAccountsArea } from '../../src/accounts/area.ts'
import { COMMAND_LINE } from '../../src/accounts/audit.ts'
import { createSigningSecretReader } from '../../src/accounts/tokens/signing-secrets.ts'
import { createSecretBox } from '../../src/lib/crypto/secret-box.ts'
import { createLog } from '../../src/log.ts'
import { createManualClock } from '../support/time/manual-clock.ts'
import { openTestDatabase } from '../support/database/test-database.ts'

const HOUR = 3_600
const DAY = 24 * HOUR

/** A token, and what its callbacks are signed with. Every reading is a fresh one unless `ms` stands still. */
async function openToken() {
  const database = await openTestDatabase()
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
    { name: 'backend', scopes: null, expiresAt: null, createdBy: null },
    COMMAND_LINE,
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
    makeNext: async () => (await rotation.createNext(token.id, COMMAND_LINE)).signingSecret,
    async upkeep() {
      for (const { run } of ACCOUNT_MAINTENANCE_JOBS) await run(db, clock.now())
    },
    columns: () =>
      db
        .selectFrom('api_token')
        .select(['next_secret', 'next_secret_at', 'old_secret', 'old_secret_until'])
        .executeTakeFirstOrThrow(),
    audit: async () =>
      (await db.selectFrom('audit').select(['actor', 'action']).orderBy('id').execute()).map(
        ({ actor, action }) => `${actor}: ${action}`,
      ),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

test('a token signs with its one secret before any rotation', async () => {
  await using t = await openToken()
  assert.deepEqual(await t.secrets(), { signing: t.first, others: [] })
  assert.equal(await t.node()('tok_nothing'), null)
})

test('a pending secret is valid beside the one that signs', async () => {
  await using t = await openToken()
  const next = await t.makeNext()
  assert.match(next, /^ss_[0-9A-Za-z]{43}$/)
  assert.notEqual(next, t.first)
  assert.deepEqual(await t.secrets(), { signing: t.first, others: [next] })
  t.clock.pass(DAY - 1)
  assert.deepEqual(await t.secrets(), { signing: t.first, others: [next] })
})

test('a cancelled secret is forgotten and the present one goes on', async () => {
  await using t = await openToken()
  const lost = await t.makeNext()
  await t.rotation.cancelNext(t.id, COMMAND_LINE)
  assert.deepEqual(await t.secrets(), { signing: t.first, others: [] })
  const next = await t.makeNext()
  assert.notEqual(next, lost)
  assert.deepEqual(await t.secrets(), { signing: t.first, others: [next] })
})

test('an activated secret signs, and the old one is valid for 24 hours more', async () => {
  await using t = await openToken()
  const next = await t.makeNext()
  t.clock.pass(HOUR)
  const token = await t.rotation.activate(t.id, COMMAND_LINE)
  assert.equal(token.nextSecretSince, null)
  assert.deepEqual(token.oldSecretUntil, new Date(t.clock.now().getTime() + DAY * 1000))
  t.clock.pass(DAY - 1)
  await t.upkeep()
  assert.deepEqual(await t.secrets(), { signing: next, others: [t.first] })
  t.clock.pass(1)
  assert.deepEqual(await t.secrets(), { signing: next, others: [] })
})

for (const upkeep of ['runs', 'does not run']) {
  test(`a pending secret signs by itself after 24 hours when upkeep ${upkeep}`, async () => {
    await using t = await openToken()
    const next = await t.makeNext()
    const pass = async (seconds: number) => {
      t.clock.pass(seconds)
      if (upkeep === 'runs') await t.upkeep()
    }
    await pass(DAY)
    assert.deepEqual(await t.secrets(), { signing: next, others: [t.first] })
    await pass(DAY - 1)
    assert.deepEqual(await t.secrets(), { signing: next, others: [t.first] })
    await pass(1)
    assert.deepEqual(await t.secrets(), { signing: next, others: [] })
  })
}

test('upkeep writes an overdue secret down with its true times, and forgets the old one', async () => {
  await using t = await openToken()
  await t.makeNext()
  const { nextSecretDue } = await t.tokens.get(t.id)
  t.clock.pass(DAY + 5 * HOUR)
  await t.upkeep()
  const token = await t.tokens.get(t.id)
  assert.deepEqual([token.nextSecretSince, token.nextSecretDue], [null, null])
  assert.equal(token.oldSecretUntil?.getTime(), (nextSecretDue?.getTime() ?? 0) + DAY * 1000)
  t.clock.pass(DAY)
  await t.upkeep()
  await t.upkeep()
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

test('a secret that signs by itself cannot be cancelled, and activating it late gives the old one no more time', async () => {
  await using t = await openToken()
  const next = await t.makeNext()
  t.clock.pass(DAY + HOUR)
  await assert.rejects(t.rotation.cancelNext(t.id, COMMAND_LINE), { code: 'no_secret_pending' })
  const token = await t.rotation.activate(t.id, COMMAND_LINE)
  assert.deepEqual(token.oldSecretUntil, new Date(t.clock.now().getTime() + 23 * HOUR * 1000))
  assert.deepEqual(await t.secrets(), { signing: next, others: [t.first] })
})

test('the rotation after an overdue one starts from the secret that signs', async () => {
  await using t = await openToken()
  const second = await t.makeNext()
  t.clock.pass(DAY)
  const third = await t.makeNext()
  assert.deepEqual(await t.secrets(), { signing: second, others: [third, t.first] })
  await t.rotation.activate(t.id, COMMAND_LINE)
  assert.deepEqual(await t.secrets(), { signing: third, others: [second] })
})

test('a revoked token takes no step, and a secret that was pending still comes to sign', async () => {
  await using t = await openToken()
  const next = await t.makeNext()
  await t.tokens.revoke(t.id, COMMAND_LINE)
  for (const step of ['createNext', 'activate', 'cancelNext'] as const) {
    await assert.rejects(t.rotation[step](t.id, COMMAND_LINE), { code: 'token_revoked' })
  }
  assert.deepEqual(await t.secrets(), { signing: t.first, others: [next] })
  t.clock.pass(DAY)
  await t.upkeep()
  assert.deepEqual(await t.secrets(), { signing: next, others: [t.first] })
})

test('a node goes on with what it knows for less than two seconds', async () => {
  await using t = await openToken()
  const [one, other] = [t.node(), t.node()]
  const before = { signing: t.first, others: [] }
  assert.deepEqual(await one(t.id), before)
  const next = await t.makeNext()
  t.elapsed.ms = 1_999
  assert.deepEqual(await one(t.id), before)
  assert.deepEqual(await other(t.id), { signing: t.first, others: [next] })
  t.elapsed.ms = 2_000
  assert.deepEqual(await one(t.id), { signing: t.first, others: [next] })
})

test('a failed reading of secrets is not remembered', async () => {
  await using t = await openToken()
  const node = t.node()
  const { db } = t.database
  await db.schema.alterTable('api_token').renameTo('elsewhere').execute()
  await assert.rejects(node(t.id), /api_token/)
  await db.schema.alterTable('elsewhere').renameTo('api_token').execute()
  assert.deepEqual(await node(t.id), { signing: t.first, others: [] })
})

test('while the database is away a node signs with what it knew, for a minute', async () => {
  await using t = await openToken()
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
  await sql`drop view api_token`.execute(db)
  await db.schema.alterTable('elsewhere').renameTo('api_token').execute()
  const next = await t.makeNext()
  assert.deepEqual(await node(t.id), { signing: t.first, others: [next] })
})

test('of steps taken at the same time one succeeds, and each success is audited once', async () => {
  await using t = await openToken()
  const together = async (step: 'createNext' | 'activate') => {
    const all = await Promise.allSettled(
      Array.from({ length: 4 }, () => t.rotation[step](t.id, COMMAND_LINE)),
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
