import { strict as assert } from 'node:assert'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { readOrCreateSecret } from '../../src/storage/data-folder.ts'
import { findRunningDatabaseConnectionSettings } from '../../src/db/embedded/embedded-database.ts'
import { startLoopbackServer } from '../support/callbacks/loopback-receivers.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { HttpClient } from '../support/http/http-client.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { runProgram } from '../support/service/run-program.ts'
import {
  createTestDataFolder,
  waitForNoProcesses,
  startServiceProcess,
  type Environment,
} from '../support/service/service-process.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'

/** Exit codes. After the second one, systemd does not restart the service. */
const MAY_WORK_LATER = 1
const PERMANENT = 2

test('a start on a port in use names the port and the setting to change', async () => {
  await using folder = await createInitializedDataFolder()
  await using taken = await startLoopbackServer(createServer())
  const port = String(taken.port)
  const output = await refusal({ ...folder.env, HANSARD_PORT: port }, MAY_WORK_LATER)
  assert.match(output, new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use`))
  assert.match(output, /HANSARD_PORT/)
})

test('a start with an unusable data folder names the folder', async () => {
  await using folder = createTestDataFolder()
  const file = join(folder.env['HOME'] ?? '', 'file')
  writeFileSync(file, '')
  const data = join(file, 'data')
  const output = await refusal({ ...folder.env, HANSARD_DATA: data }, MAY_WORK_LATER)
  assert.ok(output.includes(`Hansard cannot use the data folder ${data}`), output)
  assert.match(output, /HANSARD_DATA/)
})

test('a start that fails late leaves nothing open that keeps its process running, and watches no signals', async () => {
  await using folder = await createInitializedDataFolder()
  const program = new URL('../../src/cli/program.ts', import.meta.url).href
  const script = `const { runCommandLine } = await import('${program}')
    await runCommandLine(['serve'])
    console.log(process.listenerCount('SIGTERM'), process.exitCode)`
  const command = [process.execPath, '--input-type=module', '-e', script] as const
  const env = {
    ...folder.env,
    HANSARD_ADMIN_EMAIL: ADMIN.email,
    HANSARD_ADMIN_PASSWORD_FILE: '/dev/null',
  }
  const { stdout, stderr } = await runProgram(command, { env })
  assert.equal(stdout, '0 1\n', stderr)
  assert.match(
    stderr,
    /^hansard: .*HANSARD_ADMIN_PASSWORD_FILE: the password in it must have at least 8 characters/m,
  )
  await waitForNoProcesses(folder.data)
})

test('a start reports all configuration problems together, with suggestions', async () => {
  await using folder = createTestDataFolder()
  const output = await refusal(
    {
      ...folder.env,
      HANSARD_PROT: '8081',
      HANSARD_PORT: 'eighty',
      HANSARD_LOG_LEVEL: 'loud',
      HANSARD_MASTER_KEY: 'tooshortforakey',
      HANSARD_ADMIN_EMAIL: 'ada@example.com',
      DATABASE_URL: 'mysql://hidden-user:hidden-word@127.0.0.1/x',
    },
    PERMANENT,
  )
  assert.match(output, /6 problem\(s\)/)
  assert.match(output, /HANSARD_PROT .*did you mean HANSARD_PORT\?/)
  assert.match(output, /HANSARD_PORT must be a whole number from 0 to 65535 \(given: "eighty"\)/)
  assert.match(output, /HANSARD_LOG_LEVEL/)
  assert.match(output, /HANSARD_MASTER_KEY must be 32 random bytes/)
  assert.match(output, /HANSARD_ADMIN_EMAIL and HANSARD_ADMIN_PASSWORD_FILE go together/)
  assert.match(output, /DATABASE_URL must start with postgres:/)
  assert.doesNotMatch(output, /hidden-word|tooshortforakey/)
})

type Case = { env: Environment; says: RegExp; hasDatabase?: boolean }

const CASES: Record<string, Case> = {
  'a missing browser': {
    hasDatabase: true,
    env: { HANSARD_BROWSER_PATH: '/no/such/chromium' },
    says: /HANSARD_BROWSER_PATH: \/no\/such\/chromium is not a program/,
  },
  'missing PostgreSQL programs': {
    env: { HANSARD_POSTGRES_BIN: '/no/such/bin' },
    says: /\/no\/such\/bin\/postgres could not be run[\s\S]*HANSARD_POSTGRES_BIN/,
  },
  'an unreachable database': {
    env: { DATABASE_URL: 'postgres://ada:hidden-word@127.0.0.1:1/hansard' },
    says: /Hansard cannot connect to the database: .*127\.0\.0\.1:1[\s\S]*DATABASE_URL/,
  },
  'a missing password file of the first user': {
    hasDatabase: true,
    env: {
      HANSARD_ADMIN_EMAIL: 'ada@example.com',
      HANSARD_ADMIN_PASSWORD_FILE: '/no/such/password',
    },
    says: /\/no\/such\/password/,
  },
}

for (const [what, { env, says, hasDatabase = false }] of Object.entries(CASES)) {
  test(`a start fails with a clear message and no leftover processes for ${what}`, async () => {
    await using folder = createTestDataFolder()
    await using database = hasDatabase ? await createTestDatabase() : null
    const address: Environment = database === null ? {} : { DATABASE_URL: database.url }
    const output = await refusal({ ...folder.env, ...address, ...env }, MAY_WORK_LATER)
    assert.match(output, says)
    assert.doesNotMatch(output, /hidden-word/)
    await waitForNoProcesses(folder.data)
  })
}

test('a data folder with a cluster of another PostgreSQL major version is refused', async () => {
  await using folder = createTestDataFolder()
  const other = join(folder.data, 'pg3')
  mkdirSync(other, { recursive: true, mode: 0o700 })
  writeFileSync(join(other, 'PG_VERSION'), '3\n')
  const EXPECTED = /was created by PostgreSQL 3, but this is PostgreSQL \d+/
  const output = await refusal(folder.env, PERMANENT)
  assert.match(output, EXPECTED)
  assert.match(output, /HANSARD_POSTGRES_BIN[\s\S]*backup[\s\S]*restore/)
  const list = await runLoadedCommand(['user', 'list'], folder.env)
  assert.deepEqual([list.code, list.stdout], [1, ''])
  assert.match(list.stderr, EXPECTED)
  const doctor = await runLoadedCommand(['doctor'], {
    ...folder.env,
    HANSARD_BROWSER_PATH: '/none',
  })
  assert.match(doctor.stdout, /^FAIL {2}database files +The database .* PostgreSQL 3, /m)
  assert.deepEqual(
    readdirSync(folder.data).filter((name) => name.startsWith('pg')),
    ['pg3'],
  )
})

test('the first user from the settings can sign in, and a start after a newer version is refused', async () => {
  await using folder = await createInitializedDataFolder()
  const file = join(folder.env['HOME'] ?? '', 'password')
  writeFileSync(file, `${ADMIN.password}\n`)
  const settings = { HANSARD_ADMIN_EMAIL: ADMIN.email, HANSARD_ADMIN_PASSWORD_FILE: file }
  {
    await using service = await startServiceProcess({ ...folder.env, ...settings })
    assert.equal(service.setupLink, null)
    const { email, password } = ADMIN
    const { status } = await new HttpClient(service.url).post('/web/sign-in', { email, password })
    assert.equal(status, 200)
    await sql(folder.data, `insert into kysely_migration values ('9999-future', now()::text)`)
  }
  const output = await refusal(folder.env, PERMANENT)
  assert.match(output, /newer version/)
  assert.doesNotMatch(output, /corrupted/)
})

/** Starts the service in a situation where it must fail, and returns its error output. */
async function refusal(env: Environment, exitCode: number): Promise<string> {
  const { code, stdout, stderr } = await runLoadedCommand(['serve'], env)
  assert.equal(code, exitCode, stderr)
  assert.equal(stdout, '')
  assert.match(stderr, /^hansard: /m)
  assert.doesNotMatch(stderr, /\n\s+at |"stack"/)
  return stderr
}

async function sql(data: string, text: string): Promise<void> {
  const address = findRunningDatabaseConnectionSettings(data, readOrCreateSecret)
  assert.ok(address !== null)
  const client = new Client({ ...address })
  await client.connect()
  try {
    await client.query(text)
  } finally {
    await client.end()
  }
}
