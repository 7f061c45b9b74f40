import { strict as assert } from 'node:assert'
import { chownSync, lstatSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../support/time/eventually.ts'
import { HttpClient } from '../support/http/http-client.ts'
import { waitForNoProcesses, runCommand } from '../support/service/service-process.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { startServiceWithCommands } from '../support/service/service-with-commands.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

type CreatedToken = { name: string; apiKey: string; signingSecret: string }
type Listed = {
  id: string
  name: string
  keyPrefix: string
  keyLast4: string
  scopes: string[] | null
  expiresAt: string | null
  lastUsedAt: string | null
  revokedAt: string | null
  nextSecretSince: string | null
  nextSecretDue: string | null
  oldSecretUntil: string | null
}

test('hansard token creates, lists and revokes keys while the service is running', async (t) => {
  await using opened = await startServiceWithCommands()
  const { service } = opened
  const hansard = (...args: string[]) => opened.hansard('token', ...args)
  const create = async (name: string, ...more: string[]): Promise<CreatedToken> => {
    const { code, stdout, stderr } = await hansard('create', '--name', name, '--json', ...more)
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout) as CreatedToken
  }
  const status = async ({ apiKey }: CreatedToken) =>
    (await new HttpClient(service.url).get('/api/v1/token', { 'x-api-key': apiKey })).status
  const list = async () =>
    (JSON.parse((await hansard('list', '--json')).stdout) as { tokens: Listed[] }).tokens

  await t.test(
    'token create --json prints only the name, the API key and the signing secret',
    async () => {
      const early = await create('early')
      assert.equal(await status(early), 200)
      assert.deepEqual(Object.keys(early), ['name', 'apiKey', 'signingSecret'])
      assert.equal(early.name, 'early')
      assert.match(early.apiKey, /^sk_[0-9A-Za-z]{38}$/)
      assert.match(early.signingSecret, /^ss_[0-9A-Za-z]{43}$/)
    },
  )

  await t.test(
    'token list shows the projects of a key, and an invalid project is refused',
    async () => {
      await create('limited', '--project', 'sales', 'board')
      assert.match((await hansard('list')).stdout, / limited .* everything +sales,board +service /)
      const refused = await hansard('create', '--name', 'wrong', '--project', '../x')
      assert.equal(refused.code, 2)
      assert.match(refused.stderr, /letters, digits/)
    },
  )

  await t.test('token list shows scopes and expiry but no secret', async () => {
    const created = await create('narrow', '--scope', 'read', 'tasks', '--days', '30')
    const narrow = (await list()).find(({ name }) => name === 'narrow')
    assert.deepEqual(narrow?.scopes, ['read', 'tasks'])
    const days = (Date.parse(narrow.expiresAt ?? '') - Date.now()) / 86_400_000
    assert.ok(days > 29.9 && days <= 30, `${days} days`)
    const { code, stdout } = await hansard('list')
    assert.equal(code, 0)
    assert.match(
      stdout,
      /^ID +NAME +KEY +PERMISSIONS +PROJECTS +KIND +CREATED BY +LAST USED +EXPIRES +STATE\n/,
    )
    assert.match(stdout, /narrow +sk_\w+…\w{4} +read,tasks +all +service +command line +never/)
    assert.ok(!stdout.includes(created.apiKey) && !stdout.includes(created.signingSecret))
  })

  await t.test('token rotate creates, cancels and activates the next signing secret', async () => {
    const { signingSecret } = await create('turning')
    const rotate = async (...more: string[]) => {
      const { code, stdout, stderr } = await hansard('rotate', 'turning', '--json', ...more)
      assert.equal(code, 0, stderr)
      return JSON.parse(stdout) as { token: Listed; signingSecret?: string }
    }
    const lost = await rotate()
    assert.match(lost.signingSecret ?? '', /^ss_[0-9A-Za-z]{43}$/)
    assert.notEqual(lost.signingSecret, signingSecret)
    const since = Date.parse(lost.token.nextSecretSince ?? '')
    assert.equal(Date.parse(lost.token.nextSecretDue ?? '') - since, 86_400_000)
    const twice = await hansard('rotate', 'turning')
    assert.equal(twice.code, 1)
    assert.match(
      twice.stderr,
      /already has a pending signing secret\n {2}Activate it, or cancel the rotation first/,
    )
    assert.match((await hansard('list')).stdout, /turning .* active, next secret due 2/)

    const cancelled = await rotate('--cancel')
    assert.deepEqual(Object.keys(cancelled), ['token'])
    assert.equal(cancelled.token.nextSecretSince, null)
    const next = await hansard('rotate', 'turning')
    assert.match(next.stdout, /^Next signing secret {2}ss_\w{43}\n/)
    assert.match(next.stdout, new RegExp(`hansard token rotate ${cancelled.token.id} --activate`))
    assert.notEqual((await rotate('--activate')).token.oldSecretUntil, null)
    assert.match((await hansard('list')).stdout, /turning .* active, old secret valid until 2/)
    const done = await hansard('rotate', 'turning', '--activate')
    assert.equal(done.code, 1)
    assert.match(done.stderr, /^hansard: This token has no pending signing secret/)
  })

  await t.test('token revoke by id or name disables a key within two seconds', async () => {
    const [one, two] = [await create('by id'), await create('by name')]
    assert.deepEqual([await status(one), await status(two)], [200, 200])
    const id = (await list()).find(({ name }) => name === 'by id')?.id ?? ''
    for (const [created, which] of [
      [one, id],
      [two, 'by name'],
    ] as const) {
      const { code, stdout, stderr } = await hansard('revoke', which, '--json')
      const ended = performance.now()
      assert.equal(code, 0, stderr)
      assert.equal(JSON.parse(stdout).token.name, created.name)
      // Only the time of the request matters, because the response may be late.
      await eventually(async () => {
        const askedAt = performance.now()
        if ((await status(created)) === 401) return true
        assert.ok(askedAt - ended < 2_000, 'a key was accepted two seconds after it was revoked')
        return null
      })
    }
    const revoked = (await list()).filter(({ revokedAt }) => revokedAt !== null)
    assert.deepEqual(revoked.map(({ name }) => name).toSorted(), ['by id', 'by name'])
  })

  await t.test('token revoke refuses a name that is unknown, revoked or not unique', async () => {
    const twins = [await create('twin'), await create('twin')]
    const unknown = await hansard('revoke', 'nobody')
    assert.equal(unknown.code, 1)
    assert.match(
      unknown.stderr,
      /^hansard: There is no active token nobody\n {2}hansard token list/,
    )
    assert.equal((await hansard('revoke', 'by name')).code, 1)
    const twin = await hansard('revoke', 'twin', '--json')
    assert.equal(twin.code, 1)
    assert.equal(twin.stdout, '')
    assert.deepEqual(JSON.parse(twin.stderr), {
      error: '2 active tokens are named twin',
      fix: 'hansard token list shows the ids',
    })
    for (const created of twins) assert.equal(await status(created), 200)
  })
})

test('a command starts the database despite an empty lock file left by a crash', async () => {
  await using folder = await createInitializedDataFolder()
  const cluster = readdirSync(folder.data).find((name) => /^pg\d+$/.test(name)) ?? ''
  const file = join(folder.data, cluster, 'postmaster.pid')
  writeFileSync(file, '')
  utimesSync(file, 0, 0)
  const { uid, gid } = lstatSync(join(folder.data, cluster))
  chownSync(file, uid, gid)
  const { code, stderr } = await runLoadedCommand(['token', 'list', '--json'], folder.env)
  assert.equal(code, 0, stderr)
  await waitForNoProcesses(folder.data)
})

/** `TEST_SIZE=full` runs more. */
const CONCURRENT_COMMANDS = IS_FULL_SIZE ? 10 : 3

test('commands that run concurrently without the service all succeed', async () => {
  await using folder = await createInitializedDataFolder()
  const create = (name: string) =>
    runCommand(['token', 'create', '--name', name, '--json'], folder.env)
  const names = Array.from({ length: CONCURRENT_COMMANDS }, (_, i) => `overlapping ${i}`)
  // Some commands start while another one opens, uses or closes the database.
  const all = await Promise.all(
    names.map(async (name, i) => {
      await sleep(i * 150)
      return create(name)
    }),
  )
  assert.deepEqual(
    all.filter(({ code }) => code !== 0).map(({ stderr }) => stderr),
    [],
  )
  const { stdout } = await runLoadedCommand(['token', 'list', '--json'], folder.env)
  const { tokens } = JSON.parse(stdout) as { tokens: Listed[] }
  assert.deepEqual(tokens.map(({ name }) => name).toSorted(), names)
  await waitForNoProcesses(folder.data)
})
