import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Client } from 'pg'
import { createTestDatabase } from '../support/database/test-database.ts'
import { HttpClient } from '../support/http/http-client.ts'
import { createTestDataFolder, runCommand } from '../support/service/service-process.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { ADMIN } from '../support/service/admin-user.ts'
import { startServiceWithCommands } from '../support/service/service-with-commands.ts'

type Listed = { email: string; name: string; role: string }

test('hansard user invites, creates, lists and removes users while the service is running', async (t) => {
  await using opened = await startServiceWithCommands()
  const { service, env } = opened
  const hansard = (args: string[]) => opened.hansard('user', ...args)
  const passwordFile = join(opened.home, 'password')
  const people = async () =>
    (JSON.parse((await hansard(['list', '--json'])).stdout) as { users: Listed[] }).users
  const link = async (...args: string[]) =>
    String(JSON.parse((await hansard(['invite', '--json', ...args])).stdout).link)

  await t.test('user invite prints a working setup link while there are no users', async () => {
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

  await t.test('user invite prints an invitation for an email address or a role', async () => {
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

  await t.test(
    'user create creates a member, or an admin with --admin, who can sign in',
    async () => {
      const password = 'carol types this one in'
      const args = ['create', '--email', 'Carol@example.com', '--name', 'Carol']
      const withInput = ['user', ...args, '--password-file', '-', '--json']
      const created = await runCommand(withInput, env, { input: `${password}\n` })
      assert.equal(created.code, 0, created.stderr)
      assert.equal(JSON.parse(created.stdout).user.role, 'member')
      assert.ok(!created.stdout.includes(password))
      const person = new HttpClient(service.url)
      const signIn = await person.post('/web/sign-in', { email: 'carol@example.com', password })
      assert.equal(signIn.status, 200)

      writeFileSync(passwordFile, 'dave keeps his in a file')
      const dave = ['create', '--email', 'dave@example.com', '--admin']
      const { code, stdout } = await hansard([...dave, '--password-file', passwordFile])
      assert.equal(code, 0)
      assert.match(stdout, /^Created the admin dave@example\.com <dave@example\.com>\n$/)
    },
  )

  await t.test('user password sets a new password and ends the sessions of the user', async () => {
    const email = 'carol@example.com'
    const carol = new HttpClient(service.url)
    await carol.post('/web/sign-in', { email, password: 'carol types this one in' })
    assert.equal((await carol.get('/web/tokens')).status, 200)
    const set = (address: string, password: string, ...more: string[]) => {
      writeFileSync(passwordFile, password)
      return hansard(['password', address, '--password-file', passwordFile, ...more])
    }

    const weak = await set(email, 'short\n')
    assert.equal(weak.code, 1)
    assert.match(weak.stderr, /^hansard: Password must have at least 8 characters\n/)
    const nobody = await set('nobody@example.com', 'carol has another one\n')
    assert.equal(nobody.code, 1)
    assert.match(nobody.stderr, /^hansard: There is no user .* nobody@example\.com\n {2}hansard/)
    const unasked = await hansard(['password', email])
    assert.match(unasked.stderr, /^hansard: A password is needed\n {2}Use --password-file/)
    assert.equal((await carol.get('/web/tokens')).status, 200)

    await carol.createToken()
    const { code, stdout, stderr } = await set('Carol@Example.com', 'carol has another one\n')
    assert.equal(code, 0, stderr)
    assert.equal(
      stdout,
      'Changed the password of carol@example.com\nSessions that were ended: 2\nPersonal API tokens that were revoked: 1\n',
    )
    assert.equal((await carol.get('/web/tokens')).status, 401)
    const signIn = async (password: string) =>
      (await new HttpClient(service.url).post('/web/sign-in', { email, password })).status
    assert.equal(await signIn('carol types this one in'), 401)
    assert.equal(await signIn('carol has another one'), 200)
    const json = await set(email, 'carol has a third one\n', '--json')
    assert.partialDeepStrictEqual(JSON.parse(json.stdout), {
      user: { email },
      endedSessions: 1,
      revokedTokens: 0,
    })
  })

  await t.test(
    'user reset prints a one-time link; user role and user email change a user',
    async () => {
      const email = 'carol@example.com'
      const { stdout, stderr } = await hansard(['reset', email, '--json'])
      const { link } = JSON.parse(stdout) as { link: string }
      assert.ok(link.startsWith(`${service.url}/reset#`), stderr)
      const reset = { code: link.split('#')[1], password: 'carol sets this one herself' }
      const carol = new HttpClient(service.url)
      assert.equal((await carol.post('/web/password-reset', reset)).status, 200)
      assert.equal((await carol.get('/web/people')).status, 403)

      assert.equal((await hansard(['role', email, 'admin'])).stdout, `${email} is now an admin\n`)
      assert.equal((await carol.get('/web/people')).status, 200)
      const demoted = await hansard(['role', email, 'member', '--revoke-tokens'])
      assert.equal(
        demoted.stdout,
        `${email} is now a member\nRevoked service tokens they created: 0\n`,
      )
      assert.equal((await hansard(['role', email, 'owner'])).code, 2)
      const renamed = await hansard(['email', email, 'Carol2@example.com', '--json'])
      assert.partialDeepStrictEqual(JSON.parse(renamed.stdout), {
        user: { email: 'carol2@example.com' },
      })
      assert.equal((await hansard(['email', 'carol2@example.com', email])).code, 0)
      const { body } = await carol.get('/web/state')
      assert.partialDeepStrictEqual(body['user'], { email, role: 'member' })
    },
  )

  await t.test('user invite and reset print no link that the service would refuse', async () => {
    const provider = {
      ...env,
      HANSARD_LOCAL_SIGN_IN: 'off',
      HANSARD_OIDC_ISSUER: 'https://id.example.com',
      HANSARD_OIDC_CLIENT_ID: 'hansard',
    }
    for (const args of [['invite'], ['reset', 'carol@example.com']]) {
      const { code, stdout, stderr } = await runLoadedCommand(['user', ...args], provider)
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, /sign-in provider/)
    }
  })

  await t.test('user create refuses an email address that is already in use', async () => {
    writeFileSync(passwordFile, 'another good password')
    const args = ['create', '--email', 'carol@example.com', '--password-file', passwordFile]
    const { code, stdout, stderr } = await hansard([...args, '--json'])
    assert.equal(code, 1)
    assert.equal(stdout, '')
    assert.deepEqual(JSON.parse(stderr), { error: 'A user with this email address already exists' })
  })

  await t.test(
    'user list shows all users, user remove ends sessions and refuses the last admin',
    async () => {
      const { stdout } = await hansard(['list'])
      assert.match(stdout, /^EMAIL +NAME +ROLE +CREATED +DEACTIVATED\n/)
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
      assert.match(
        nobody.stderr,
        /^hansard: There is no user with the email address ada@example\.com/,
      )
      const left = (await people()).map((user) => user.email)
      assert.deepEqual(left, ['bob@example.com', 'carol@example.com', 'dave@example.com'])
    },
  )
})

test('user remove reports how many API tokens stay active, or revokes them', async () => {
  await using opened = await startServiceWithCommands()
  const { service, hansard } = opened
  const ada = await service.adminClient()
  const join = async (name: string, role = 'member') => {
    const { body } = await ada.post('/web/invitations', { role })
    const person = new HttpClient(service.url)
    await person.post('/web/invitation/accept', {
      name,
      email: `${name}@example.com`,
      password: 'a long enough one',
      code: String(body['link']).split('#')[1],
    })
    return person
  }
  const bob = await join('bob', 'admin')
  const kept = await bob.createToken({ name: 'kept', kind: 'service' })
  const eve = await join('eve')
  const revoked = [
    await eve.createToken({ name: 'first' }),
    await eve.createToken({ name: 'second' }),
  ]

  const without = await hansard('user', 'remove', 'bob@example.com')
  assert.equal(
    without.stdout,
    'Removed bob@example.com\nAPI tokens they created that are still active: 1 (see hansard token list)\n',
  )
  const { stdout } = await hansard('user', 'remove', 'eve@example.com', '--revoke-tokens')
  assert.equal(stdout, 'Removed eve@example.com\nRevoked API tokens they created: 2\n')
  const statusOf = async ({ apiKey }: { apiKey: string }) =>
    (await new HttpClient(service.url).get('/api/v1/token', { 'x-api-key': apiKey })).status
  assert.equal(await statusOf(kept), 200)
  for (const token of revoked) assert.equal(await statusOf(token), 401)

  await hansard('token', 'create', '--name', 'local')
  const { stdout: list } = await hansard('token', 'list')
  assert.match(
    list,
    /^ID +NAME +KEY +PERMISSIONS +PROJECTS +KIND +CREATED BY +LAST USED +EXPIRES +STATE\n/,
  )
  assert.match(list, / kept +\S+ +everything +all +service +bob +.* active *\n/)
  assert.match(list, / first +\S+ +everything +all +personal +eve +.* revoked *\n/)
  assert.match(list, / local +\S+ +everything +all +service +command line +.* active *\n/)
})

test('the first user created on the command line is an admin, and a bad password creates no user', async () => {
  await using database = await createTestDatabase()
  await using folder = createTestDataFolder()
  const env = { ...folder.env, DATABASE_URL: database.url }
  const hansard = (...args: string[]) => runLoadedCommand(['user', ...args], env)
  const create = (...more: string[]) => hansard('create', '--email', ADMIN.email, ...more)
  const file = join(folder.env['HOME'] ?? '', 'password')
  const createWithPassword = (password: string, ...more: string[]) => {
    writeFileSync(file, password)
    return create('--password-file', file, ...more)
  }

  const weak = await createWithPassword('password1\n', '--json')
  assert.equal(weak.code, 1)
  assert.match(JSON.parse(weak.stderr).error, /^Password is one of the most common passwords/)
  const short = await createWithPassword('short\n')
  assert.equal(short.code, 1)
  assert.match(short.stderr, /^hansard: Password must have at least 8 characters\n/)
  const none = await create()
  assert.equal(none.code, 1)
  assert.match(none.stderr, /^hansard: A password is needed\n {2}Use --password-file/)
  const missing = await create('--password-file', '/no/such/file')
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /^hansard: .*\/no\/such\/file/)
  assert.doesNotMatch(missing.stderr, /\n\s+at /)

  const created = await createWithPassword(`${ADMIN.password}\n`, '--json')
  assert.equal(created.code, 0, created.stderr)
  assert.equal(JSON.parse(created.stdout).user.role, 'admin')
  const { stdout } = await hansard('list', '--json')
  assert.equal(JSON.parse(stdout).users.length, 1)

  const hostile = 'Eve\u001B[2J\nroot@example.com  root'
  const args = ['create', '--email', 'eve@example.com', '--name', hostile]
  const refused = await hansard(...args, '--password-file', file)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^hansard: A name must not contain control characters\n/)
  // A name with control characters that is already in the database is printed escaped, in one row.
  const client = new Client({ connectionString: database.url })
  await client.connect()
  await client.query('update app_user set name = $1', [hostile])
  await client.end()
  const list = await hansard('list')
  assert.equal(list.stdout.trimEnd().split('\n').length, 2)
  assert.ok(list.stdout.includes(String.raw`Eve\x1b[2J\x0aroot@example.com  root`), list.stdout)
})
