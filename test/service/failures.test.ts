import { strict as assert } from 'node:assert'
import { randomBytes } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { readOrCreateSecret } from '../../src/storage/data-folder.ts'
import { findRunningEmbedded } from '../../src/db/embedded/embedded-database.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  createTestDataFolder,
  waitForNoProcesses,
  runCommand,
  startServiceProcess,
  type Environment,
  type TestDataFolder,
} from '../support/service/service-process.ts'
import { ADMIN } from '../support/service/start-service.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'

test('a port that another instance holds is named, with what to set', async () => {
  await using first = await createInitializedDataFolder()
  await using service = await startServiceProcess(first.env)
  await using second = await createInitializedDataFolder()
  const { port } = new URL(service.url)
  const said = await refusal({ ...second.env, HANSARD_PORT: port })
  assert.match(said, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use`))
  assert.match(said, /HANSARD_PORT/)
})

test('a data folder that cannot be made is named', async () => {
  await using place = createTestDataFolder()
  const file = join(place.env['HOME'] ?? '', 'file')
  writeFileSync(file, '')
  const data = join(file, 'data')
  const said = await refusal({ ...place.env, HANSARD_DATA: data })
  assert.ok(said.includes(`The data folder ${data} cannot be used`), said)
  assert.match(said, /HANSARD_DATA/)
})

test('every problem of the configuration is told at once, with what was probably meant', async () => {
  await using place = createTestDataFolder()
  const said = await refusal({
    ...place.env,
    HANSARD_PROT: '8081',
    HANSARD_PORT: 'eighty',
    HANSARD_LOG_LEVEL: 'loud',
    HANSARD_MASTER_KEY: 'tooshortforakey',
    HANSARD_ADMIN_EMAIL: 'ada@example.com',
    DATABASE_URL: 'mysql://hidden-user:hidden-word@127.0.0.1/x',
  })
  assert.match(said, /6 problem\(s\)/)
  assert.match(said, /HANSARD_PROT .*did you mean HANSARD_PORT\?/)
  assert.match(said, /HANSARD_PORT must be a whole number from 0 to 65535 \(given: "eighty"\)/)
  assert.match(said, /HANSARD_LOG_LEVEL/)
  assert.match(said, /HANSARD_MASTER_KEY must be 32 random bytes/)
  assert.match(said, /HANSARD_ADMIN_EMAIL and HANSARD_ADMIN_PASSWORD_FILE go together/)
  assert.match(said, /DATABASE_URL must start with postgres:/)
  assert.doesNotMatch(said, /hidden-word|tooshortforakey/)
})

type Case = {
  place: () => TestDataFolder | Promise<TestDataFolder>
  env: Environment
  says: RegExp
  limitMs: number
}

const CASES: Record<string, Case> = {
  'a browser that is not there': {
    place: createInitializedDataFolder,
    env: { HANSARD_BROWSER_PATH: '/no/such/chromium' },
    says: /HANSARD_BROWSER_PATH: \/no\/such\/chromium is not a program/,
    limitMs: 100_000,
  },
  'PostgreSQL programs that are not there': {
    place: createTestDataFolder,
    env: { HANSARD_POSTGRES_BIN: '/no/such/bin' },
    says: /\/no\/such\/bin\/postgres does not run[\s\S]*HANSARD_POSTGRES_BIN/,
    limitMs: 100_000,
  },
  'a database that does not answer': {
    place: createTestDataFolder,
    env: { DATABASE_URL: 'postgres://ada:hidden-word@127.0.0.1:1/hansard' },
    says: /The database cannot be reached: .*127\.0\.0\.1:1[\s\S]*DATABASE_URL/,
    limitMs: 100_000,
  },
  'the password file of the first user that is not there': {
    place: createInitializedDataFolder,
    env: {
      HANSARD_ADMIN_EMAIL: 'ada@example.com',
      HANSARD_ADMIN_PASSWORD_FILE: '/no/such/password',
    },
    says: /\/no\/such\/password/,
    limitMs: 100_000,
  },
  'a first user whose password is weak': {
    place: createInitializedDataFolder,
    env: {
      HANSARD_ADMIN_EMAIL: 'ada@example.com',
      HANSARD_ADMIN_PASSWORD_FILE: '/dev/null',
    },
    says: /HANSARD_ADMIN_PASSWORD_FILE: the password in it must have at least 8 characters/,
    limitMs: 100_000,
  },
}

for (const [what, { place: make, env, says, limitMs }] of Object.entries(CASES)) {
  test(`${what}: told in a sentence, and nothing stays behind`, async () => {
    await using place = await make()
    const said = await refusal({ ...place.env, ...env }, limitMs)
    assert.match(said, says)
    assert.doesNotMatch(said, /hidden-word/)
    await waitForNoProcesses(place.data)
  })
}

test('a database of another major of PostgreSQL is not passed over for an empty one', async () => {
  await using place = createTestDataFolder()
  const other = join(place.data, 'pg3')
  mkdirSync(other, { recursive: true, mode: 0o700 })
  writeFileSync(join(other, 'PG_VERSION'), '3\n')
  const TOLD = /belongs to PostgreSQL 3, and this is PostgreSQL \d+/
  const said = await refusal(place.env)
  assert.match(said, TOLD)
  assert.match(said, /HANSARD_POSTGRES_BIN[\s\S]*backup[\s\S]*restore/)
  const list = await runCommand(['user', 'list'], place.env)
  assert.deepEqual([list.code, list.stdout], [1, ''])
  assert.match(list.stderr, TOLD)
  const doctor = await runCommand(['doctor'], place.env)
  assert.match(doctor.stdout, /^FAIL {2}database files +The database .* PostgreSQL 3, /m)
  assert.deepEqual(
    readdirSync(place.data).filter((name) => name.startsWith('pg')),
    ['pg3'],
  )
})

test('a first user named by the settings can sign in, and there is no set-up link', async () => {
  await using place = await createInitializedDataFolder()
  const file = join(place.env['HOME'] ?? '', 'password')
  writeFileSync(file, `${ADMIN.password}\n`)
  const settings = { HANSARD_ADMIN_EMAIL: ADMIN.email, HANSARD_ADMIN_PASSWORD_FILE: file }
  await using service = await startServiceProcess({ ...place.env, ...settings })
  assert.equal(service.setupLink, null)
  const { email, password } = ADMIN
  const { status } = await new HttpClient(service.url).post('/web/sign-in', { email, password })
  assert.equal(status, 200)
})

test('what does not fit the data is refused, and the data is as it was', async () => {
  await using place = createTestDataFolder()
  const key = join(place.data, 'secrets/master.key')
  {
    await using service = await startServiceProcess(place.env)
    assert.notEqual(service.setupLink, null)
  }
  const right = readFileSync(key, 'utf8')
  const other = randomBytes(32).toString('base64')
  const OTHER_KEY = /The master key is not the one this database was set up with/

  assert.match(await refusal({ ...place.env, HANSARD_MASTER_KEY: other }), OTHER_KEY)
  writeFileSync(key, `${other}\n`)
  assert.match(await refusal(place.env), OTHER_KEY)
  for (const broken of ['', 'not a key\n', right.slice(0, 20)]) {
    writeFileSync(key, broken)
    const said = await refusal(place.env)
    assert.ok(said.includes(`${key} does not hold 32 bytes`), `${JSON.stringify(broken)}: ${said}`)
  }
  writeFileSync(key, right)

  {
    await using service = await startServiceProcess(place.env)
    assert.equal((await new HttpClient(service.url).get('/readyz')).status, 200)
    await sql(place.data, `insert into kysely_migration values ('9999-future', now()::text)`)
  }
  const said = await refusal(place.env)
  assert.match(said, /newer version/)
  assert.doesNotMatch(said, /corrupted/)
})

/** Starts the service where it cannot start, and answers what it said. */
async function refusal(env: Environment, limitMs = 100_000): Promise<string> {
  const { code, stdout, stderr, tookMs } = await runCommand(['serve'], env)
  assert.equal(code, 1, stderr)
  assert.equal(stdout, '')
  assert.match(stderr, /^hansard: /m)
  assert.doesNotMatch(stderr, /\n\s+at |"stack"/)
  assert.ok(tookMs < limitMs, `it took ${tookMs} ms`)
  return stderr
}

async function sql(data: string, text: string): Promise<void> {
  const address = findRunningEmbedded(data, readOrCreateSecret)
  assert.ok(address !== null)
  const client = new Client({ ...address })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
