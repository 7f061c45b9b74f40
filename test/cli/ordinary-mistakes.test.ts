import { strict as assert } from 'node:assert'
import { spawn, type StdioOptions } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { createTestDataFolder, runCommand } from '../support/service/service-process.ts'
import { IS_ROOT, NAMED_ACCOUNT, whyNoOtherAccount } from '../support/service/other-account.ts'

const LAUNCHER = join(INSTALLATION_FOLDER, 'bin/hansard.mjs')
const STACK_TRACE = /\n\s+at /

test('a reader that closes the pipe ends a command without an error', async () => {
  await using folder = createTestDataFolder()
  for (const args of [['config'], ['config', '--json'], ['--help']]) {
    const child = spawn(process.execPath, [LAUNCHER, ...args], {
      env: folder.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.destroy()
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    assert.deepEqual([code, errors], [0, ''], args.join(' '))
  }
})

test(
  'output that cannot be written is reported without a stack trace',
  { skip: !existsSync('/dev/full') && 'there is no /dev/full' },
  async () => {
    await using folder = createTestDataFolder()
    using full = new DisposableStack()
    const device = openSync('/dev/full', 'w')
    full.defer(() => closeSync(device))
    const stdio: StdioOptions = ['ignore', device, 'pipe']
    const child = spawn(process.execPath, [LAUNCHER, 'config'], { env: folder.env, stdio })
    assert.ok(child.stderr)
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    assert.equal(code, 1)
    assert.match(errors, /^hansard: The output could not be written: ENOSPC.*\n$/)
  },
)

test(
  'a data folder that this account cannot enter is named, without a stack trace',
  { skip: IS_ROOT && whyNoOtherAccount() },
  async () => {
    await using folder = createTestDataFolder()
    using stack = new DisposableStack()
    // The scratch folder of the tests is closed to other accounts. Without root, a closed folder does the same.
    const closed = join(dirname(folder.data), 'closed')
    mkdirSync(closed, { mode: 0o700 })
    if (!IS_ROOT) chmodSync(closed, 0o000)
    stack.defer(() => chmodSync(closed, 0o700))
    const data = join(closed, 'data')
    const env = { ...folder.env, HOME: '/', HANSARD_DATA: data }
    const options = IS_ROOT ? { account: NAMED_ACCOUNT } : {}
    for (const args of [['serve'], ['token', 'list'], ['backup', '-o', '/dev/null']]) {
      const { code, stderr } = await runCommand(args, env, options)
      assert.equal(code, 1)
      assert.ok(stderr.includes(`Hansard cannot use the data folder ${data}: EACCES`), stderr)
      assert.match(stderr, /HANSARD_DATA/)
      assert.doesNotMatch(stderr, STACK_TRACE)
    }
    const doctor = await runCommand(['doctor'], env, options)
    assert.match(doctor.stdout, /FAIL {2}port +Hansard cannot use the data folder/)
  },
)

test(
  'a data folder that cannot be created is an error and not an endless loop',
  { skip: !existsSync('/proc/self') && 'there is no /proc' },
  async () => {
    await using folder = createTestDataFolder()
    const env = { ...folder.env, HANSARD_DATA: '/proc/nope' }
    for (const args of [['serve'], ['token', 'list']]) {
      const { code, stderr } = await runCommand(args, env, { limitMs: 30_000 })
      assert.equal(code, 1)
      assert.match(stderr, /Hansard cannot use the data folder \/proc\/nope: ENOENT/)
      assert.doesNotMatch(stderr, STACK_TRACE)
    }
  },
)
