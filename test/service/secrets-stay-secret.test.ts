import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { test } from 'node:test'
import { HttpClient, type ApiResponse } from '../support/http/http-client.ts'
import {
  startServiceProcess,
  type Environment,
  type ServiceProcess,
} from '../support/service/service-process.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { signedInState } from '../support/meetings/bot-accounts.ts'
import { ADMIN } from '../support/service/admin-user.ts'

const NEXT_PASSWORD = 'entirely different words 7'
const WRONG_PASSWORD = 'wrong horse battery staple'
const BOB = { name: 'Bob', email: 'bob@example.com', password: 'bob has a password too' }
const COOKIE = 'cookie-of-a-bot-account-4711'
const CAROL_PASSWORD = 'carol types this one in'

test('no secret appears in any file, log line or error after typical use', async () => {
  await using folder = await createInitializedDataFolder()
  const env = { ...folder.env, HANSARD_LOG_LEVEL: 'trace' }
  const recorded: Recorded = { secrets: new Map(), errors: [] }
  await using service = await startServiceProcess(env)
  const box = service.stdout()
  const ada = await workAsPerson(service, recorded)
  await workAsProgram(service, ada, recorded)
  recorded.errors.push(await workAtTerminal(env, recorded))
  const { code } = await service.stop('SIGTERM')
  assert.equal(code, 0, service.stderr())

  const files = filesOf(folder.data).filter((name) => !name.startsWith(`secrets${sep}`))
  const contents = files.map((name) => ({ name, bytes: readFileSync(join(folder.data, name)) }))
  const holders = (text: string) =>
    contents.filter(({ bytes }) => bytes.includes(text)).map(({ name }) => name)
  // This search finds plain-text values, so secrets that it does not find are not stored in plain text.
  assert.ok(holders(ADMIN.email).some((name) => name.includes('pg_wal')))
  assert.ok(holders(BOB.email).some((name) => name.includes(join('pg18', 'base'))))

  const output = { 'standard error': service.stderr(), errors: recorded.errors.join('\n') }
  for (const [what, secret] of recorded.secrets) {
    assert.ok(secret.length >= 20, `${what} was recorded`)
    assert.deepEqual(holders(secret), [], `${what} in the data folder`)
    for (const [where, text] of Object.entries(output))
      assert.equal(text.includes(secret), false, `${what} in ${where}`)
    const timesPrinted = service.stdout().split(secret).length - 1
    assert.equal(timesPrinted, 0, `${what} on standard output`)
  }
  assert.ok(recorded.errors.length >= 8)
  assert.equal(service.stdout(), box)
})

type Recorded = { secrets: Map<string, string>; errors: string[] }

/** Uses the console: setup, sign-in, mistakes, an invitation and a password change. */
async function workAsPerson(service: ServiceProcess, recorded: Recorded): Promise<HttpClient> {
  const { secrets } = recorded
  const expectError = (answer: ApiResponse, status: number) => recordError(recorded, answer, status)
  const ada = new HttpClient(service.url)
  const code = service.setupLink?.split('#')[1] ?? ''
  secrets.set('setup code', code)
  secrets.set('password', ADMIN.password)
  expectError(await ada.post('/web/setup', { ...ADMIN, code, password: 'short' }), 400)
  assert.equal((await ada.post('/web/setup', { ...ADMIN, code })).status, 201)
  expectError(await ada.post('/web/setup', { ...ADMIN, code }), 403)
  recordSession(secrets, 'first', ada)

  const { email, password } = ADMIN
  secrets.set('wrong password', WRONG_PASSWORD)
  expectError(await ada.post('/web/sign-in', { email, password: WRONG_PASSWORD }), 401)
  expectError(
    await ada.post('/web/sign-in', `{"email": "${email}", "password": "${password}"`),
    400,
  )
  expectError(await ada.post('/web/sign-in', { email: 17, password }), 400)
  assert.equal((await ada.post('/web/sign-in', { email, password })).status, 200)
  recordSession(secrets, 'second', ada)

  const { body } = await ada.post('/web/invitations', { email: BOB.email })
  const invitation = String(body['link']).split('#')[1] ?? ''
  secrets.set('invitation code', invitation)
  secrets.set('password of the invited', BOB.password)
  const bob = new HttpClient(service.url)
  expectError(await bob.post('/web/invitation/accept', { ...BOB, email, code: invitation }), 400)
  assert.equal((await bob.post('/web/invitation/accept', { ...BOB, code: invitation })).status, 201)
  recordSession(secrets, 'invited', bob)
  expectError(await bob.post('/web/invitation/check', { code: invitation }), 403)

  secrets.set('next password', NEXT_PASSWORD)
  const change = { currentPassword: password, newPassword: NEXT_PASSWORD }
  expectError(await ada.put('/web/password', { ...change, currentPassword: WRONG_PASSWORD }), 400)
  assert.equal((await ada.put('/web/password', change)).status, 200)
  recordSession(secrets, 'third', ada)
  return ada
}

/** Uses the API: creates, uses, misuses and revokes keys. */
async function workAsProgram(
  service: ServiceProcess,
  ada: HttpClient,
  recorded: Recorded,
): Promise<void> {
  const program = new HttpClient(service.url)
  const first = await ada.createToken({ name: 'kept' })
  const second = await ada.createToken({ name: 'revoked' })
  for (const [name, { apiKey, signingSecret }] of Object.entries({ first, second })) {
    recorded.secrets.set(`${name} API key`, apiKey)
    recorded.secrets.set(`${name} signing secret`, signingSecret)
    const { status } = await program.get('/api/v1/token', { 'x-api-key': apiKey })
    assert.equal(status, 200)
  }
  assert.equal((await ada.delete(`/web/tokens/${second.id}`)).status, 200)
  recordError(recorded, await program.get('/api/v1/token', { 'x-api-key': second.apiKey }), 401)
  recordError(
    recorded,
    await program.get('/api/v1/token', { authorization: second.signingSecret }),
    401,
  )
  recordError(recorded, await program.get(`/api/v1/nothing?api_key=${first.apiKey}`), 401)
  recordError(recorded, await program.get('/api/v1/nothing', { 'x-api-key': first.apiKey }), 404)
  recordError(recorded, await ada.post('/web/tokens', { name: '', apiKey: first.apiKey }), 400)
}

/** Uses the command line while the service is running, and returns the error output. */
async function workAtTerminal(env: Environment, recorded: Recorded): Promise<string> {
  const write = (name: string, content: string) => {
    const file = join(env['HOME'] ?? '', name)
    writeFileSync(file, content)
    return file
  }
  const token = await runLoadedCommand(['token', 'create', '--name', 'terminal', '--json'], env)
  const { apiKey, signingSecret } = JSON.parse(token.stdout) as Record<string, string>
  recorded.secrets.set('API key of the terminal', apiKey ?? '')
  recorded.secrets.set('signing secret of the terminal', signingSecret ?? '')
  recorded.secrets.set('typed password', CAROL_PASSWORD)
  const password = write('password', `${CAROL_PASSWORD}\n`)
  const args = ['user', 'create', '--email', 'carol@example.com', '--password-file', password]
  const created = await runLoadedCommand(args, env)
  assert.equal(created.code, 0, created.stderr)
  const again = await runLoadedCommand(args, env)
  assert.equal(again.code, 1)
  recorded.secrets.set('cookie of a bot account', COOKIE)
  const state = write('state.json', JSON.stringify(signedInState('google_meet', COOKIE)))
  const account = ['account', 'add', 'notes', '--platform', 'google_meet', '--state', state]
  const added = await runLoadedCommand(account, env)
  assert.equal(added.code, 0, added.stderr)
  return [token, created, again, added].map(({ stderr }) => stderr).join('\n')
}

function recordError(
  recorded: Recorded,
  { status, body, headers }: ApiResponse,
  expected: number,
): void {
  assert.equal(status, expected, JSON.stringify(body))
  recorded.errors.push(JSON.stringify([body, ...headers]))
}

function recordSession(secrets: Map<string, string>, name: string, person: HttpClient): void {
  secrets.set(`${name} session cookie`, person.cookie?.split('=')[1] ?? '')
  secrets.set(`${name} CSRF token`, person.csrfToken ?? '')
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
