import { strict as assert } from 'node:assert'
import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { openDisplay } from '../../src/bots/browser/launch/display.ts'
import { findBrowserAccount } from '../../src/bots/browser/launch/isolation.ts'
import { unpackPackagedBrowser } from '../../src/bots/browser/launch/packaged-browser.ts'
import { isPidAlive, removeOrphanedProfiles } from '../../src/bots/browser/launch/profile.ts'
import { PROCESS_ENV_AND_HOME, INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { OperatorError } from '../../src/lib/operator-error.ts'
import { findBrowserProcess, listBrowserProcesses } from '../support/browser/browser-process.ts'
import { createBrowserScript } from '../support/browser/browser-script.ts'
import { IS_ROOT, listEntriesOfOthers } from '../support/service/other-account.ts'
import { eventually } from '../support/time/eventually.ts'
import { NEVER_ABORTED, openTestPool, POOL_REQUEST } from './open-test-pool.ts'

const onlyRoot = { skip: IS_ROOT ? false : 'only root can run programs as another account' }
/** Only ends a test that would otherwise hang. */
const CHILD_MS = 60_000
const withinLimit = () => ({ signal: AbortSignal.timeout(CHILD_MS) })
const onLinux = { skip: process.platform !== 'linux' }

test('a browser gets no secrets of the service and opens no port', onLinux, async () => {
  const env = {
    ...PROCESS_ENV_AND_HOME.env,
    HANSARD_MASTER_KEY: 'hunter2',
    DATABASE_URL: 'postgres://hunter2',
    AWS_TOKEN: 'x',
  }
  await using pool = await openTestPool({ host: { ...PROCESS_ENV_AND_HOME, env } })
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  const pid = await findBrowserProcess(slot.context.browser())
  const names = readFileSync(`/proc/${pid}/environ`, 'utf8')
    .split('\0')
    .map((line) => line.split('=')[0] ?? '')
  assert.deepEqual(
    names.filter((name) => /HANSARD|DATABASE|AWS|TEST_|NODE/.test(name)),
    [],
  )
  assert.ok(names.includes('PATH'))
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  assert.match(command, /--remote-debugging-pipe/)
  assert.doesNotMatch(command, /--remote-debugging-(port|address)/)
})

test(
  'under root no process of a browser runs as root, and the sandbox is on if the kernel allows it',
  onlyRoot,
  async () => {
    const account = await findBrowserAccount(PROCESS_ENV_AND_HOME.env)
    assert.ok(account !== null)
    const [program, ...args] = account.command
    const hasNamespaces =
      spawnSync(program, [...args, 'unshare', '-U', '-r', 'true'], { timeout: CHILD_MS }).status ===
      0
    await using pool = await openTestPool()
    await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
    await slot.page.goto('data:text/html,hello')
    const processes = await listBrowserProcesses(slot.context.browser())
    assert.ok(processes.length >= 3)
    for (const { id, type } of processes) {
      assert.equal(readStatus(id, 'Uid'), Array(4).fill(account.uid).join('\t'), type)
      assert.equal(readStatus(id, 'Groups'), '', type)
    }
    const renderer = processes.find(({ type }) => type === 'renderer')
    // The sandbox filters a page's system calls.
    assert.equal(readStatus(renderer?.id ?? 0, 'Seccomp'), hasNamespaces ? '2' : '0')
    const folder = findProfileFolder(await findBrowserProcess(slot.context.browser()))
    assert.equal(statSync(folder).uid, account.uid)
    assert.deepEqual(listEntriesOfOthers(folder, account), [])
    assert.equal(statSync(dirname(folder)).mode & 0o777, 0o710)
    assert.equal(statSync(dirname(folder)).uid, 0)
  },
)

test(
  'under root a browser whose sandbox the system refuses runs without it, and later browsers do not try again',
  onlyRoot,
  async () => {
    using scripted = await createBrowserScript((folder) => [
      `case "$*" in *--no-sandbox*) ;; *) echo x >> ${folder}/refused; echo 'No usable sandbox!' >&2; exit 1 ;; esac`,
    ])
    await using pool = await openTestPool({
      settings: { browserPath: scripted.program, botsPerBrowser: 1 },
    })
    await using first = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
    await using second = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
    for (const { context } of [first, second]) {
      const pid = await findBrowserProcess(context.browser())
      assert.match(readFileSync(`/proc/${pid}/cmdline`, 'utf8'), /--no-sandbox/)
      assert.notEqual(readStatus(pid, 'Uid').split('\t')[0], '0')
    }
    assert.equal(readFileSync(join(scripted.folder, 'refused'), 'utf8'), 'x\n')
  },
)

test(
  'under root a browser that other accounts cannot start is refused with a fix',
  onlyRoot,
  async () => {
    using scripted = await createBrowserScript(() => [])
    chmodSync(scripted.folder, 0o700)
    await using pool = await openTestPool({ settings: { browserPath: scripted.program } })
    await assert.rejects(pool.acquire(POOL_REQUEST, NEVER_ABORTED), (error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.message, /another account/)
      assert.match(error.fix ?? '', /for all accounts/)
      return true
    })
  },
)

test(
  'a killed process leaves no browser running, and the next process removes its profile',
  onLinux,
  async () => {
    const child = fork(join(import.meta.dirname, 'hold-browser.ts'), {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    const [pids] = (await once(child, 'message', withinLimit())) as [number[]]
    assert.ok(pids.length >= 3 && pids.every(isPidAlive))
    const left = () => readdirSync(tmpdir()).filter((name) => name.includes(`-${child.pid}-`))
    assert.equal(left().length, 1)
    child.kill('SIGKILL')
    await eventually(() => (pids.some(isPidAlive) ? null : true))
    // Another test's pool may remove the profile first.
    await removeOrphanedProfiles()
    await eventually(() => (left().length === 0 ? true : null))
  },
)

test('only profiles of dead processes of this machine are removed', async () => {
  const parent = mkdtempSync(join(tmpdir(), 'hansard-sweep-'))
  const names = ['hansard-browser-elsewhere-1-abcdef', 'hansard-browser', 'other-1-abcdef']
  for (const name of names) mkdirSync(join(parent, name))
  assert.equal(await removeOrphanedProfiles(parent), 0)
  assert.deepEqual(readdirSync(parent).toSorted(), names.toSorted())
  rmSync(parent, { recursive: true })
})

test('a browser that cannot start gives every waiting bot a clear error with a fix', async () => {
  await using pool = await openTestPool({ settings: { browserPath: '/bin/false' } })
  const asked = await Promise.allSettled(
    [1, 2, 3].map(() => pool.acquire(POOL_REQUEST, NEVER_ABORTED)),
  )
  for (const answer of asked) {
    assert.ok(answer.status === 'rejected')
    assert.ok(answer.reason instanceof OperatorError)
    assert.match(answer.reason.message, /does not start/)
    assert.ok(answer.reason.fix)
  }
  await using none = await openTestPool({ settings: { browserPath: '/nowhere/chrome' } })
  await assert.rejects(none.acquire(POOL_REQUEST, NEVER_ABORTED), /HANSARD_BROWSER_PATH/)
})

test('one failed browser start fails only one bot, and the others start another browser', async () => {
  using scripted = await createBrowserScript((folder) => [
    `mkdir ${folder}/second 2>/dev/null && exit 1`,
  ])
  await using pool = await openTestPool({
    settings: { browserPath: scripted.program, botsPerBrowser: 3 },
  })
  const asked = await Promise.allSettled(
    [1, 2, 3].map(() => pool.acquire(POOL_REQUEST, NEVER_ABORTED)),
  )
  assert.deepEqual(
    asked.map(({ status }) => status),
    ['rejected', 'fulfilled', 'fulfilled'],
  )
})

test(
  'without a display the browser window uses Xvfb, or the error says what is missing',
  onLinux,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hansard-screen-'))
    const env = { PATH: folder }
    await assert.rejects(openDisplay({ env, home: folder }), (error) => {
      assert.ok(error instanceof OperatorError)
      assert.match(error.fix ?? '', /xvfb/i)
      return true
    })
    // A fake Xvfb: it writes its display number to file descriptor 3 and keeps running.
    writeFileSync(join(folder, 'Xvfb'), '#!/bin/sh\necho 77 >&3\nexec /bin/sleep 60\n')
    chmodSync(join(folder, 'Xvfb'), 0o755)
    {
      await using display = await openDisplay({ env, home: folder })
      assert.deepEqual(display.env, { DISPLAY: ':77' })
    }
    await using own = await openDisplay({ env: { DISPLAY: ':5' }, home: folder })
    assert.deepEqual(own.env, {})
    const account = await findBrowserAccount(PROCESS_ENV_AND_HOME.env)
    if (account !== null) {
      writeFileSync(join(folder, '.Xauthority'), 'key')
      const host = { env: { DISPLAY: ':5' }, home: folder }
      await using shared = await openDisplay(host, { account, keyFolder: folder })
      assert.equal(statSync(shared.env['XAUTHORITY'] ?? '').uid, account.uid)
    }
    await using pool = await openTestPool({
      settings: { browserMode: 'headed' },
      host: { env, home: folder },
    })
    await assert.rejects(pool.acquire(POOL_REQUEST, NEVER_ABORTED), /no window/)
    rmSync(folder, { recursive: true })
  },
)

test('a display whose Xvfb does not end on request is killed', onLinux, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-screen-'))
  // The program that the shell becomes ignores SIGTERM too.
  writeFileSync(
    join(folder, 'Xvfb'),
    `#!/bin/sh\ntrap '' TERM\necho $$ > ${folder}/pid\necho 77 >&3\nexec /bin/sleep 600\n`,
  )
  chmodSync(join(folder, 'Xvfb'), 0o755)
  const display = await openDisplay({ env: { PATH: folder }, home: folder }, undefined, 1)
  await display[Symbol.asyncDispose]()
  assert.equal(isPidAlive(Number(readFileSync(join(folder, 'pid'), 'utf8'))), false)
  rmSync(folder, { recursive: true })
})

test('under root a program for another account that hangs is given up', onlyRoot, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hansard-account-'))
  writeFileSync(join(folder, 'setpriv'), '#!/bin/sh\nexec /bin/sleep 600\n')
  chmodSync(join(folder, 'setpriv'), 0o755)
  await assert.rejects(findBrowserAccount({ PATH: folder }, 1), { signal: 'SIGKILL' })
  rmSync(folder, { recursive: true })
})

test(
  "under root the display's key is in a folder that the browser cannot change, and no link is followed",
  onlyRoot,
  async () => {
    using scripted = await createBrowserScript(
      (folder) => [
        `echo "$XAUTHORITY" > ${folder}/key`,
        `ls -ld "$(dirname "$XAUTHORITY")" >> ${folder}/key`,
        'exit 1',
      ],
      'chrome',
    )
    const { folder } = scripted
    writeFileSync(join(folder, '.Xauthority'), 'key')
    const env = { ...PROCESS_ENV_AND_HOME.env, DISPLAY: ':5', XAUTHORITY: undefined }
    const host = { env, home: folder }
    await using pool = await openTestPool({
      settings: { browserPath: scripted.program, browserMode: 'headed' },
      host,
    })
    await assert.rejects(pool.acquire(POOL_REQUEST, NEVER_ABORTED), /does not start/)
    assert.match(readFileSync(join(folder, 'key'), 'utf8'), /display-key\ndrwx--x--- \d+ (root|0) /)

    const account = await findBrowserAccount(PROCESS_ENV_AND_HOME.env)
    assert.ok(account !== null)
    const target = join(folder, 'owned-by-root')
    writeFileSync(target, 'secret')
    symlinkSync(target, join(folder, 'display-key'))
    await assert.rejects(openDisplay(host, { account, keyFolder: folder }), { code: 'EEXIST' })
    assert.equal(statSync(target).uid, 0)
    assert.equal(readFileSync(target, 'utf8'), 'secret')
  },
)

test("a bot in the operator's own Chrome uses its sign-ins and leaves it running", async () => {
  const { path, env } = await unpackPackagedBrowser(
    join(INSTALLATION_FOLDER, 'node_modules/.cache'),
  )
  const folder = mkdtempSync(join(tmpdir(), 'hansard-own-'))
  const args = [
    '--no-sandbox',
    '--remote-debugging-port=0',
    `--user-data-dir=${folder}`,
    'about:blank',
  ]
  const chrome = spawn(path, args, {
    env: { ...PROCESS_ENV_AND_HOME.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  using _ = { [Symbol.dispose]: () => void chrome.kill() }
  let [endpoint, output] = ['', '']
  for await (const line of createInterface({ input: chrome.stderr, ...withinLimit() })) {
    output += `${line}\n`
    endpoint = /^DevTools listening on (ws:\S+)/.exec(line)?.[1] ?? ''
    if (endpoint !== '') break
  }
  assert.notEqual(endpoint, '', output)
  chrome.stderr.resume()
  {
    await using pool = await openTestPool({ settings: { browserCdp: endpoint } })
    const slots = [
      await pool.acquire(POOL_REQUEST, NEVER_ABORTED),
      await pool.acquire(POOL_REQUEST, NEVER_ABORTED),
    ]
    const [first, second] = slots
    await first?.context.addCookies([
      { name: 'person', value: 'ana', url: 'https://meet.google.com' },
    ])
    assert.equal((await second?.context.cookies())?.[0]?.value, 'ana')
    await first?.[Symbol.asyncDispose]()
    assert.equal(await second?.page.evaluate('1 + 1'), 2)
    assert.equal(second?.lostSignal.aborted, false)
    await using apart = await pool.acquire(
      { ...POOL_REQUEST, storageState: { cookies: [], origins: [] } },
      NEVER_ABORTED,
    )
    assert.deepEqual(await apart.context.cookies(), [])
  }
  assert.equal(chrome.exitCode, null)
  const ended = once(chrome, 'exit', withinLimit())
  chrome.kill()
  await ended
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  await using gone = await openTestPool({ settings: { browserCdp: `${endpoint}?token=hunter2` } })
  await assert.rejects(gone.acquire(POOL_REQUEST, NEVER_ABORTED), (error) => {
    assert.ok(error instanceof OperatorError)
    assert.doesNotMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), /hunter2/)
    return true
  })
})

/** A field of /proc/<pid>/status. */
function readStatus(pid: number, name: string): string {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n')
  return (lines.find((line) => line.startsWith(`${name}:`)) ?? '').slice(name.length + 1).trim()
}

function findProfileFolder(pid: number): string {
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  return /--user-data-dir=([^\0]+)/.exec(command)?.[1] ?? ''
}
