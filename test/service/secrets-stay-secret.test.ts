import { strict as assert } from 'node:assert'
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { test } from 'node:test'
import { HttpClient, type ApiResponse } from '../support/http/http-client.ts'
import {
  createTestDataFolder,
  runCommand,
  startServiceProcess,
  type Environment,
  type ServiceProcess,
} from '../support/service/service-process.ts'
import { signedInState } from '../support/meetings/bot-accounts.ts'
import { ADMIN } from '../support/service/start-service.ts'

const NEXT_PASSWORD = 'entirely different words 7'
const WRONG_PASSWORD = 'wrong horse battery staple'
const BOB = { name: 'Bob', email: 'bob@example.com', password: 'bob has a password too' }
const COOKIE = 'cookie-of-a-bot-account-4711'
const CAROL_PASSWORD = 'carol types this one in'

test('no secret is in any file, log line or error after a whole working day', async () => {
  await using place = createTestDataFolder()
  const env = { ...place.env, HANSARD_LOG_LEVEL: 'trace' }
  const day: Day = { secrets: new Map(), errors: [] }
  await using service = await startServiceProcess(env)
  const box = service.stdout()
  const ada = await workAsPerson(service, day)
  await workAsProgram(service, ada, day)
  day.errors.push(await workAtTerminal(env, day))
  const { code } = await service.stop('SIGTERM')
  assert.equal(code, 0, service.stderr())

  const files = filesOf(place.data).filter((name) => !name.startsWith(`secrets${sep}`))
  const contents = files.map((name) => ({ name, bytes: readFileSync(join(place.data, name)) }))
  const holders = (text: string) =>
    contents.filter(({ bytes }) => bytes.includes(text)).map(({ name }) => name)
  // What is kept in clear is found this way, so what is not found is not there.
  assert.ok(holders(ADMIN.email).some((name) => name.includes('pg_wal')))
  assert.ok(holders(BOB.email).some((name) => name.includes(join('pg18', 'base'))))

  const said = { 'standard error': service.stderr(), errors: day.errors.join('\n') }
  for (const [what, secret] of day.secrets) {
    assert.ok(secret.length >= 20, `${what} was recorded`)
    assert.deepEqual(holders(secret), [], `${what} in the data folder`)
    for (const [where, text] of Object.entries(said))
      assert.equal(text.includes(secret), false, `${what} in ${where}`)
    const timesPrinted = service.stdout().split(secret).length - 1
    assert.equal(timesPrinted, what === 'set-up code' ? 1 : 0, `${what} on standard output`)
  }
  assert.ok(day.errors.length >= 8)
  assert.equal(service.stdout(), box)
})

type Day = { secrets: Map<string, string>; errors: string[] }

/** Set-up, sign-in, mistakes, an invitation, another password. */
async function workAsPerson(service: ServiceProcess, day: Day): Promise<HttpClient> {
  const { secrets } = day
  const note = (answer: ApiResponse, status: number) => noteError(day, answer, status)
  const ada = new HttpClient(service.url)
  const code = service.setupLink?.split('#')[1] ?? ''
  secrets.set('set-up code', code)
  secrets.set('password', ADMIN.password)
  note(await ada.post('/web/setup', { ...ADMIN, code, password: 'short' }), 400)
  assert.equal((await ada.post('/web/setup', { ...ADMIN, code })).status, 201)
  note(await ada.post('/web/setup', { ...ADMIN, code }), 403)
  keepSession(secrets, 'first', ada)

  const { email, password } = ADMIN
  secrets.set('wrong password', WRONG_PASSWORD)
  note(await ada.post('/web/sign-in', { email, password: WRONG_PASSWORD }), 401)
  note(await ada.post('/web/sign-in', `{"email": "${email}", "password": "${password}"`), 400)
  note(await ada.post('/web/sign-in', { email: 17, password }), 400)
  assert.equal((await ada.post('/web/sign-in', { email, password })).status, 200)
  keepSession(secrets, 'second', ada)

  const { body } = await ada.post('/web/invitations', { email: BOB.email })
  const invitation = String(body['link']).split('#')[1] ?? ''
  secrets.set('invitation code', invitation)
  secrets.set('password of the invited', BOB.password)
  const bob = new HttpClient(service.url)
  note(await bob.post('/web/invitation/accept', { ...BOB, email, code: invitation }), 400)
  assert.equal((await bob.post('/web/invitation/accept', { ...BOB, code: invitation })).status, 201)
  keepSession(secrets, 'invited', bob)
  note(await bob.post('/web/invitation/check', { code: invitation }), 403)

  secrets.set('next password', NEXT_PASSWORD)
  const change = { currentPassword: password, newPassword: NEXT_PASSWORD }
  note(await ada.put('/web/password', { ...change, currentPassword: WRONG_PASSWORD }), 400)
  assert.equal((await ada.put('/web/password', change)).status, 200)
  keepSession(secrets, 'third', ada)
  return ada
}

/** Keys made, used, sent to wrong places, revoked. */
async function workAsProgram(service: ServiceProcess, ada: HttpClient, day: Day): Promise<void> {
  const program = new HttpClient(service.url)
  const first = await ada.createToken({ name: 'kept' })
  const second = await ada.createToken({ name: 'revoked' })
  for (const [name, { apiKey, signingSecret }] of Object.entries({ first, second })) {
    day.secrets.set(`${name} API key`, apiKey)
    day.secrets.set(`${name} signing secret`, signingSecret)
    const { status } = await program.get('/api/v1/token', { 'x-api-key': apiKey })
    assert.equal(status, 200)
  }
  assert.equal((await ada.delete(`/web/tokens/${second.id}`)).status, 200)
  noteError(day, await program.get('/api/v1/token', { 'x-api-key': second.apiKey }), 401)
  noteError(day, await program.get('/api/v1/token', { authorization: second.signingSecret }), 401)
  noteError(day, await program.get(`/api/v1/nothing?api_key=${first.apiKey}`), 401)
  noteError(day, await program.get('/api/v1/nothing', { 'x-api-key': first.apiKey }), 404)
  noteError(day, await ada.post('/web/tokens', { name: '', apiKey: first.apiKey }), 400)
}

/** The same from the command line, while the service runs. Answers what went to standard error. */
async function workAtTerminal(env: Environment, day: Day): Promise<string> {
  const token = await runCommand(['token', 'create', '--name', 'terminal', '--json'], env)
  const { apiKey, signingSecret } = JSON.parse(token.stdout) as Record<string, string>
  day.secrets.set('API key of the terminal', apiKey ?? '')
  day.secrets.set('signing secret of the terminal', signingSecret ?? '')
  day.secrets.set('typed password', CAROL_PASSWORD)
  const args = ['user', 'create', '--email', 'carol@example.com', '--password-file', '-']
  const made = await runCommand(args, env, { input: `${CAROL_PASSWORD}\n` })
  assert.equal(made.code, 0, made.stderr)
  const again = await runCommand(args, env, { input: `${CAROL_PASSWORD}\n` })
  assert.equal(again.code, 1)
  day.secrets.set('cookie of a bot account', COOKIE)
  const account = ['account', 'add', 'notes', '--platform', 'google_meet', '--state', '-']
  const input = JSON.stringify(signedInState('google_meet', COOKIE))
  const added = await runCommand(account, env, { input })
  assert.equal(added.code, 0, added.stderr)
  return [token, made, again, added].map(({ stderr }) => stderr).join('\n')
}

function noteError(day: Day, { status, body, headers }: ApiResponse, expected: number): void {
  assert.equal(status, expected, JSON.stringify(body))
  day.errors.push(JSON.stringify([body, ...headers]))
}

function keepSession(secrets: Map<string, string>, name: string, person: HttpClient): void {
  secrets.set(`${name} session cookie`, person.cookie?.split('=')[1] ?? '')
  secrets.set(`${name} CSRF token`, person.csrfToken ?? '')
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
