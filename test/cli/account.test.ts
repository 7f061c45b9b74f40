import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createTestDatabase } from '../support/database/test-database.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder, runCommand } from '../support/service/service-process.ts'
import { signedInState } from '../support/meetings/bot-accounts.ts'

const SECRET = 'cookie-value-that-nobody-may-see'

test('hansard account imports, lists, checks and removes accounts without printing secrets', async () => {
  await using folder = createTestDataFolder()
  await using database = await createTestDatabase()
  const env = { ...folder.env, DATABASE_URL: database.url }
  const output: string[] = []
  const hansard = async (args: string, input?: string) => {
    const words = ['account', ...args.split(' ')]
    const ended = await (input ? runCommand(words, env, { input }) : runLoadedCommand(words, env))
    output.push(ended.stdout, ended.stderr)
    return ended
  }
  const google = JSON.stringify(signedInState('google_meet', SECRET))
  const stale = signedInState('microsoft_teams', SECRET)
  for (const cookie of stale.cookies) cookie.expires = 1
  const write = (name: string, content: string) => {
    const file = join(folder.env['HOME'] ?? '', name)
    writeFileSync(file, content)
    return file
  }
  const file = write('state.json', JSON.stringify(stale))

  const added = await hansard('add notes --platform google_meet --state - --limit 2 --json', google)
  assert.equal(added.code, 0, added.stderr)
  assert.deepEqual(JSON.parse(added.stdout), {
    name: 'notes',
    platform: 'google_meet',
    isNew: true,
    isSignedIn: true,
  })
  const teams = await hansard(`add desk --platform microsoft_teams --state ${file}`)
  assert.match(
    teams.stdout,
    /^Added desk for Microsoft Teams\nNone of its cookies looks like a sign-in/,
  )
  const again = await hansard(
    `add notes --platform google_meet --state ${write('google.json', google)}`,
  )
  assert.equal(again.stdout, 'Renewed notes for Google Meet\n')

  const { stdout: table } = await hansard('list')
  assert.match(
    table,
    /^NAME +PLATFORM +IN USE[^\n]*\ndesk +microsoft_teams +0 of 1 .*\nnotes +google_meet +0 of 2 /,
  )
  const check = await hansard('check')
  assert.equal(check.code, 1)
  assert.match(
    check.stdout,
    /^FAIL {2}desk: the sign-in has expired\. Run hansard account add desk/,
  )
  assert.match(check.stdout, /\nok {4}notes: signed in to Google Meet, until 2/)

  assert.equal((await hansard('remove notes')).stdout, 'Removed notes\n')
  const gone = await hansard('remove notes')
  assert.deepEqual([gone.code, gone.stderr], [1, 'hansard: There is no such bot account\n'])
  for (const text of output) assert.ok(!text.includes(SECRET), text)
})

test('account add without a usable sign-in explains what to do and stores nothing', async () => {
  await using folder = createTestDataFolder()
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = folder.env as Record<string, string>
  const add = (...more: string[]) =>
    runLoadedCommand(['account', 'add', 'notes', '--platform', 'google_meet', ...more], env)
  const window = await add()
  assert.equal(window.code, 1)
  assert.match(window.stderr, /There is no display here to open a browser on\n {2}.*--state FILE/)
  const missing = await add('--state', '/no/such/file')
  assert.match(missing.stderr, /--state: \/no\/such\/file cannot be read/)
  const file = join(folder.env['HOME'] ?? '', 'state.json')
  writeFileSync(file, `{"cookies": "${SECRET}"`)
  const { code, stderr } = await add('--state', file)
  assert.equal(code, 1)
  assert.match(stderr, /^hansard: It is not JSON\n {2}docs\/bots\.md/)
  assert.ok(!stderr.includes(SECRET))
})
