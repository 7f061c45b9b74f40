import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeTestDatabase } from '../support/database.ts'
import { makePlace, runProcess } from '../support/process.ts'
import { signedIn } from '../support/bot-accounts.ts'

const SECRET = 'cookie-value-that-nobody-may-see'

test('hansard account imports, lists, checks and removes accounts, and shows no secret', async () => {
  await using place = makePlace()
  await using database = await makeTestDatabase()
  const env = { ...place.env, DATABASE_URL: database.url }
  const said: string[] = []
  const hansard = async (args: string, input?: string) => {
    const ended = await runProcess(['account', ...args.split(' ')], env, input ? { input } : {})
    said.push(ended.stdout, ended.stderr)
    return ended
  }
  const google = JSON.stringify(signedIn('google_meet', SECRET))
  const file = join(place.env['HOME'] ?? '', 'state.json')
  writeFileSync(file, JSON.stringify(signedIn('microsoft_teams', SECRET)))

  const added = await hansard('add notes --platform google_meet --state - --limit 2 --json', google)
  assert.equal(added.code, 0, added.stderr)
  assert.deepEqual(JSON.parse(added.stdout), {
    name: 'notes',
    platform: 'google_meet',
    isNew: true,
    isSignedIn: true,
  })
  const teams = await hansard(`add desk --platform microsoft_teams --state ${file}`)
  assert.equal(teams.stdout, 'Added desk for Microsoft Teams\n')
  const again = await hansard('add notes --platform google_meet --state -', google)
  assert.equal(again.stdout, 'Renewed notes for Google Meet\n')

  const { botAccounts } = JSON.parse((await hansard('list --json')).stdout) as {
    botAccounts: Array<Record<string, unknown>>
  }
  assert.deepEqual(
    botAccounts.map(({ name, platform, limit, inUse }) => [name, platform, limit, inUse]),
    [
      ['desk', 'microsoft_teams', 1, 0],
      ['notes', 'google_meet', 2, 0],
    ],
  )
  assert.match(
    (await hansard('list')).stdout,
    /^NAME +PLATFORM +IN USE[\s\S]*\nnotes +google_meet +0 of 2/,
  )
  const check = await hansard('check')
  assert.equal(check.code, 0, check.stdout)
  assert.match(check.stdout, /^ok {3}desk: signed in to Microsoft Teams, until 2/)

  const stale = signedIn('google_meet', SECRET)
  for (const cookie of stale.cookies) cookie.expires = 1
  const old = await hansard('add old --platform google_meet --state -', JSON.stringify(stale))
  assert.match(old.stdout, /No cookie of it looks like a sign-in/)
  const bad = await hansard('check old')
  assert.equal(bad.code, 1)
  assert.match(bad.stdout, /^BAD {2}old: the sign-in has run out: hansard account add old/)

  assert.equal((await hansard('remove notes')).stdout, 'Removed notes\n')
  const gone = await hansard('remove notes')
  assert.deepEqual([gone.code, gone.stderr], [1, 'hansard: There is no such bot account\n'])
  for (const text of said) assert.ok(!text.includes(SECRET), text)
})

test('what cannot become an account is refused with what to do, and nothing is stored', async () => {
  await using place = makePlace()
  const { DISPLAY: _, WAYLAND_DISPLAY: __, ...env } = place.env as Record<string, string>
  const add = (more: string[], input?: string) =>
    runProcess(
      ['account', 'add', 'notes', '--platform', 'google_meet', ...more],
      env,
      input ? { input } : {},
    )
  const window = await add([])
  assert.equal(window.code, 1)
  assert.match(window.stderr, /There is no display here to open a browser on\n {2}.*--state FILE/)
  const missing = await add(['--state', '/no/such/file'])
  assert.match(missing.stderr, /--state: \/no\/such\/file cannot be read/)
  for (const [input, says] of [
    [`{"cookies": "${SECRET}"`, /It is not JSON/],
    [`{"cookies": "${SECRET}"}`, /It is not a storage state of Playwright \(cookies\)/],
    [JSON.stringify(signedIn('microsoft_teams', SECRET)), /It holds no cookie of Google Meet/],
  ] as const) {
    const { code, stderr } = await add(['--state', '-'], input)
    assert.equal(code, 1)
    assert.match(stderr, says)
    assert.ok(!stderr.includes(SECRET))
  }
})
