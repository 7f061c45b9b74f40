import { strict as assert } from 'node:assert'
import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder, runCommand } from '../support/service/service-process.ts'
import { IS_ROOT, NAMED_ACCOUNT, whyNoOtherAccount } from '../support/service/other-account.ts'

const STACK_TRACE = /\n\s+at /

test('a reader that closes the pipe ends a command without an error', async () => {
  await using folder = createTestDataFolder()
  for (const args of [['config', '--json'], ['--help']]) {
    const { code, stderr } = await runCommand(args, folder.env, { output: 'closed' })
    assert.deepEqual([code, stderr], [0, ''], args.join(' '))
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
    const { code, stderr } = await runCommand(['config'], folder.env, { output: device })
    assert.equal(code, 1)
    assert.match(stderr, /^hansard: The output could not be written: ENOSPC.*\n$/)
  },
)

test(
  'a data folder that this account cannot enter is named, without a stack trace',
  { skip: IS_ROOT && whyNoOtherAccount() },
  async () => {
    await using folder = createTestDataFolder()
    using stack = new DisposableStack()
    // The tests' scratch folder is closed to other accounts. Without root, a closed folder has the same effect.
    const closed = join(dirname(folder.data), 'closed')
    mkdirSync(closed, { mode: 0o700 })
    if (!IS_ROOT) chmodSync(closed, 0o000)
    stack.defer(() => chmodSync(closed, 0o700))
    const data = join(closed, 'data')
    const env = { ...folder.env, HOME: '/', HANSARD_DATA: data }
    const options = IS_ROOT ? { account: NAMED_ACCOUNT } : {}
    const { code, stderr } = await runCommand(['serve'], env, options)
    assert.equal(code, 1)
    assert.ok(stderr.includes(`Hansard cannot use the data folder ${data}: EACCES`), stderr)
    assert.match(stderr, /HANSARD_DATA/)
    assert.doesNotMatch(stderr, STACK_TRACE)
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
      const { code, stderr } = await runLoadedCommand(args, env)
      assert.equal(code, 1)
      assert.match(stderr, /Hansard cannot use the data folder \/proc\/nope: ENOENT/)
      assert.doesNotMatch(stderr, STACK_TRACE)
    }
  },
)
