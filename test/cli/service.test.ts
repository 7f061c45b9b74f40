import { strict as assert } from 'node:assert'
import { readdirSync } from 'node:fs'
import { test } from 'node:test'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'

test('service install --print prints a unit with the data folder in force, and writes nothing', async () => {
  await using folder = createTestDataFolder('my data %n')
  const run = (...args: string[]) => runLoadedCommand(['service', ...args], folder.env)
  const printed = await run('install', '--user', '--print')
  assert.equal(printed.code, 0, printed.stderr)
  const escaped = folder.data.replaceAll('%', '%%')
  assert.ok(printed.stdout.includes(`\nReadWritePaths="${escaped}"\n`), printed.stdout)
  assert.match(printed.stdout, /\/bin\/hansard\.mjs" serve\n/)
  const system = await run('install', '--system', '--print', '--account', 'ada')
  assert.match(system.stdout, /\nUser=ada\n/)
  assert.deepEqual(readdirSync(folder.env['HOME'] ?? ''), [])
})

test('service refuses names that are no names of a unit or an account, and a unit that does not exist', async () => {
  await using folder = createTestDataFolder()
  const run = (...args: string[]) => runLoadedCommand(['service', ...args], folder.env)
  for (const args of [
    ['install', '--print', '--name', '../hansard'],
    ['install', '--print', '--name', 'a@b'],
    ['install', '--print', '--account', 'a\nExecStart=b'],
    ['install', '--print', '--user', '--system'],
    ['uninstall', '--user'],
  ]) {
    const { code, stdout, stderr } = await run(...args)
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    assert.match(stderr, /^hansard: /)
    assert.doesNotMatch(stderr, /\n\s+at /)
  }
})
