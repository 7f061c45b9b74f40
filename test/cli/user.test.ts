import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { createTestDatabase } from '../support/database/test-database.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  createTestDataFolder,
  runCommand,
  startServiceProcess,
} from '../support/service/service-process.ts'
import { ADMIN } from '../support/service/start-service.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'

type Listed = { email: string; name: string; role: string }

test('hansard user invites, makes, lists and removes people beside the running service', async (t) => {
  await using place = await createInitializedDataFolder()
  await using service = await startServiceProcess(place.env)
  const hansard = (args: string[], input = '') =>
    runCommand(['user', ...args], place.env, { input })
  const people = async () =>
    (JSON.parse((await hansard(['list', '--json'])).stdout) as { users: Listed[] }).users
  const link = async (...args: string[]) =>
    String(JSON.parse((await hansard(['invite', '--json', ...args])).stdout).link)

  await t.test('while there is nobody, invite prints a set-up link that works', async () => {
    assert.deepEqual(await people(), [])
    const setup = await link()
    assert.ok(setup.startsWith(`${service.url}/setup#`), setup)
    const person = new HttpClient(service.url)
    const { status, body } = await person.post('/web/setup', {
      ...ADMIN,
      code: setup.split('#')[1],
    })
    assert.equal(status, 201)
    assert.equal((body['user'] as Listed).role, 'admin')
  })

  await t.test('after that it prints an invitation, for one e-mail or one role', async () => {
    const invitation = await link('--email', 'Bob@Example.com')
    assert.ok(invitation.startsWith(`${service.url}/invite#`), invitation)
    const code = invitation.split('#')[1]
    const bob = { name: 'Bob', email: 'bob@example.com', password: 'bob has a password too', code }
    const person = new HttpClient(service.url)
    const other = await person.post('/web/invitation/accept', { ...bob, email: 'eve@example.com' })
    assert.equal(other.status, 400)
    const { status, body } = await person.post('/web/invitation/accept', bob)
    assert.equal(status, 201)
    assert.equal((body['user'] as Listed).role, 'member')

    const { code: exit, stdout } = await hansard(['invite', '--admin'])
    assert.equal(exit, 0)
    const check = await person.post('/web/invitation/check', { code: stdout.trim().split('#')[1] })
    assert.equal((check.body['invitation'] as { role: string }).role, 'admin')
  })

  await t.test('create makes a member, or an admin when told, who can sign in', async () => {
    const password = 'carol types this one in'
    const args = ['create', '--email', 'Carol@example.com', '--name', 'Carol']
    const made = await hansard([...args, '--password-file', '-', '--json'], `${password}\n`)
    assert.equal(made.code, 0, made.stderr)
    assert.equal(JSON.parse(made.stdout).user.role, 'member')
    assert.ok(!made.stdout.includes(password))
    const person = new HttpClient(service.url)
    const signIn = await person.post('/web/sign-in', { email: 'carol@example.com', password })
    assert.equal(signIn.status, 200)

    const file = join(place.env['HOME'] ?? '', 'password')
    writeFileSync(file, 'dave keeps his in a file')
    const dave = ['create', '--email', 'dave@example.com', '--admin', '--password-file', file]
    const { code, stdout } = await hansard(dave)
    assert.equal(code, 0)
    assert.match(stdout, /^Created the admin dave@example\.com <dave@example\.com>\n$/)
  })

  await t.test('an e-mail that is taken is refused', async () => {
    const args = ['create', '--email', 'carol@example.com', '--password-file', '-', '--json']
    const { code, stdout, stderr } = await hansard(args, 'another good password')
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.deepEqual(JSON.parse(stderr), { error: 'A user with this email address already exists' })
  })

  await t.test(
    'list shows everybody, remove ends their sessions, the last admin stays',
    async () => {
      const { stdout } = await hansard(['list'])
      assert.match(stdout, /^E-MAIL +NAME +ROLE +CREATED\n/)
      for (const name of ['ada', 'bob', 'carol', 'dave'])
        assert.match(stdout, new RegExp(`${name}@example\\.com +`))
      const ada = new HttpClient(service.url)
      const { email, password } = ADMIN
      await ada.post('/web/sign-in', { email, password })
      assert.equal((await ada.get('/web/tokens')).status, 200)

      const removed = await hansard(['remove', 'ADA@example.com'])
      assert.equal(removed.code, 0, removed.stderr)
      assert.equal((await ada.get('/web/tokens')).status, 401)
      assert.equal(removed.stdout, 'Removed ada@example.com\n')
      const last = await hansard(['remove', 'dave@example.com'])
      assert.equal(last.code, 1)
      assert.match(last.stderr, /^hansard: The last admin cannot be removed/)
      const nobody = await hansard(['remove', 'ada@example.com'])
      assert.equal(nobody.code, 1)
      assert.match(nobody.stderr, /^hansard: Nobody has the e-mail ada@example\.com/)
      const left = (await people()).map((user) => user.email)
      assert.deepEqual(left, ['bob@example.com', 'carol@example.com', 'dave@example.com'])
    },
  )
})

test('remove tells how many API tokens go on working, or revokes them', async () => {
  await using place = await createInitializedDataFolder()
  await using service = await startServiceProcess(place.env)
  const ada = new HttpClient(service.url)
  const invited = await runCommand(['user', 'invite'], place.env)
  await ada.post('/web/setup', { ...ADMIN, code: invited.stdout.trim().split('#')[1] })
  const join = async (name: string) => {
    const { body } = await ada.post('/web/invitations', { role: 'member' })
    const person = new HttpClient(service.url)
    await person.post('/web/invitation/accept', {
      name,
      email: `${name}@example.com`,
      password: 'a long enough one',
      code: String(body['link']).split('#')[1],
    })
    return person
  }
  const kept = await (await join('bob')).createToken({ name: 'kept' })
  const eve = await join('eve')
  const revoked = [
    await eve.createToken({ name: 'first' }),
    await eve.createToken({ name: 'second' }),
  ]

  const without = await runCommand(['user', 'remove', 'bob@example.com'], place.env)
  assert.equal(
    without.stdout,
    'Removed bob@example.com\nAPI tokens they made, still working: 1 (hansard token list)\n',
  )
  const args = ['user', 'remove', 'eve@example.com', '--revoke-tokens']
  const { stdout } = await runCommand(args, place.env)
  assert.equal(stdout, 'Removed eve@example.com\nAPI tokens they made, now revoked: 2\n')
  const statusOf = async ({ apiKey }: { apiKey: string }) =>
    (await new HttpClient(service.url).get('/api/v1/token', { 'x-api-key': apiKey })).status
  assert.equal(await statusOf(kept), 200)
  for (const token of revoked) assert.equal(await statusOf(token), 401)

  await runCommand(['token', 'create', '--name', 'local'], place.env)
  const { stdout: list } = await runCommand(['token', 'list'], place.env)
  assert.match(list, /^ID +NAME +KEY +PERMISSIONS +CREATED BY +LAST USED +EXPIRES +STATE\n/)
  assert.match(list, / kept +\S+ +everything +bob +.* live *\n/)
  assert.match(list, / first +\S+ +everything +eve +.* revoked *\n/)
  assert.match(list, / local +\S+ +everything +command line +.* live *\n/)
})

test('the first user made on the command line is an admin, and a bad password makes nobody', async () => {
  await using database = await createTestDatabase()
  await using place = createTestDataFolder()
  const env = { ...place.env, DATABASE_URL: database.url }
  const create = (file: string[], input = '') =>
    runCommand(['user', 'create', '--email', ADMIN.email, ...file], env, { input })

  const weak = await create(['--password-file', '-', '--json'], 'password1\n')
  assert.equal(weak.code, 1)
  assert.match(JSON.parse(weak.stderr).error, /^Password is one of the most common passwords/)
  const short = await create(['--password-file', '-'], 'short\n')
  assert.equal(short.code, 1)
  assert.match(short.stderr, /^hansard: Password must have at least 8 characters\n/)
  const none = await create([])
  assert.equal(none.code, 1)
  assert.match(none.stderr, /^hansard: A password is needed\n {2}Give it with --password-file/)
  const missing = await create(['--password-file', '/no/such/file'])
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /^hansard: .*\/no\/such\/file/)
  assert.doesNotMatch(missing.stderr, /\n\s+at /)

  const made = await create(['--password-file', '-', '--json'], `${ADMIN.password}\n`)
  assert.equal(made.code, 0, made.stderr)
  assert.equal(JSON.parse(made.stdout).user.role, 'admin')
  const { stdout } = await runCommand(['user', 'list', '--json'], env)
  assert.equal(JSON.parse(stdout).users.length, 1)

  const hostile = 'Eve\u001B[2J\nroot@example.com  root'
  const args = ['user', 'create', '--email', 'eve@example.com', '--name', hostile]
  const refused = await runCommand([...args, '--password-file', '-'], env, {
    input: ADMIN.password,
  })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^hansard: A name must not contain control characters\n/)
  // However it came into the database, it is one row, and shown instead of obeyed.
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query('update app_user set name = $1', [hostile])
  await client.end()
  const list = await runCommand(['user', 'list'], env)
  assert.equal(list.stdout.trimEnd().split('\n').length, 2)
  assert.ok(list.stdout.includes(String.raw`Eve\x1b[2J\x0aroot@example.com  root`), list.stdout)
})
