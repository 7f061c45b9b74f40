import { strict as assert } from 'node:assert'
import { chmodSync, writeFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseConfig } from '../../src/config/config.ts'
import { SETTINGS } from '../../src/config/settings.ts'
import { runCheck, STANDARD_CHECKS } from '../../src/operations/doctor/checks.ts'
import { createBrowserScript } from '../support/browser/browser-script.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { HttpClient } from '../support/http/http-client.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { startServiceWithCommands } from '../support/service/service-with-commands.ts'
import {
  createTestDataFolder,
  waitForNoProcesses,
  runCommand,
  startServiceProcess,
} from '../support/service/service-process.ts'

/** Starting a browser takes longer than all other checks together. */
const NO_BROWSER = { HANSARD_BROWSER_PATH: '/no/such/chromium' }

type Check = { name: string; ok: boolean; detail: string; fix?: string }
type Report = { ok: boolean; checks: Check[] }

const NAMES =
  'configuration,node,time zones,data folder,disk,secrets,port,callers,callbacks,database files,database,roles,receivers,mail,browser,speech,speech delay,selectors file,Google Meet,Microsoft Teams'.split(
    ',',
  )

test('config shows every setting and its source, and hides secrets', async () => {
  await using folder = createTestDataFolder()
  const key = Buffer.alloc(32, 9).toString('base64')
  const hidden = {
    DATABASE_URL: 'postgres://ada:hidden-word@127.0.0.1:1/hansard',
    HANSARD_MASTER_KEY: key,
    HANSARD_BROWSER_CDP: 'ws://127.0.0.1:9222/devtools/hidden-path',
  }
  const env = { ...folder.env, ...hidden, HANSARD_LOG_LEVEL: 'warn' }

  const json = await runLoadedCommand(['config', '--json'], env)
  assert.equal(json.code, 0, json.stderr)
  const rows = JSON.parse(json.stdout) as Array<{ name: string; value: unknown; from: string }>
  assert.deepEqual(
    rows.map(({ name }) => name),
    Object.values(SETTINGS).map((setting) => setting.env),
  )
  const row = (wanted: string) => rows.find(({ name }) => name === wanted)
  for (const name of Object.keys(hidden))
    assert.deepEqual(row(name), { name, value: '(hidden)', from: 'environment' })
  assert.deepEqual(row('HANSARD_LOG_LEVEL')?.value, 'warn')
  assert.deepEqual(row('HANSARD_HOST')?.from, 'default')
  assert.deepEqual(row('HANSARD_PUBLIC_URL'), {
    name: 'HANSARD_PUBLIC_URL',
    value: null,
    from: 'not set',
  })

  const table = await runLoadedCommand(['config'], env)
  assert.equal(table.code, 0)
  assert.match(table.stdout, /^SETTING +VALUE +FROM\n/)
  assert.match(table.stdout, /\nHANSARD_LOG_LEVEL +warn +environment\n/)
  for (const { stdout, stderr } of [json, table])
    assert.doesNotMatch(stdout + stderr, new RegExp(`hidden-word|hidden-path|${key.slice(0, 20)}`))
})

test('doctor names the addresses that callbacks may go to', async () => {
  const check = STANDARD_CHECKS.find(({ name }) => name === 'callbacks')
  assert.ok(check)
  const detailWith = async (env: Record<string, string>) => {
    const config = parseConfig({ env, root: '/' })
    return (await runCheck(check, { config, runningService: null })).detail
  }
  assert.match(await detailWith({}), /private addresses and on this machine/)
  const beyond = { HANSARD_HOST: '0.0.0.0', HANSARD_CALLBACK_ALLOW: '10.1.0.0/16' }
  assert.match(await detailWith(beyond), /must be at public addresses, and in 10\.1\.0\.0\/16/)
})

test('an invalid configuration fails every command, with JSON errors when --json is given', async () => {
  await using folder = createTestDataFolder()
  const env = { ...folder.env, HANSARD_PORT: 'many', HANSARD_LOGLEVEL: 'warn' }
  for (const args of [
    ['config', '--json'],
    ['token', 'list', '--json'],
    ['user', 'list', '--json'],
  ]) {
    const { code, stdout, stderr } = await runLoadedCommand(args, env)
    assert.deepEqual([code, stdout], [1, ''], args.join(' '))
    const { error, fix } = JSON.parse(stderr) as { error: string; fix: string }
    assert.match(error, /2 problem\(s\)[\s\S]*did you mean HANSARD_LOG_LEVEL\?/)
    assert.match(fix, /docs\/configuration\.md/)
  }
  const { code, stdout } = await runLoadedCommand(['doctor'], env)
  assert.equal(code, 1)
  assert.match(stdout, /^FAIL {2}configuration .*2 problem/)
  assert.match(stdout, /fix: See docs\/configuration\.md/)
})

test('doctor, token and user work with and without a running service', async () => {
  await using folder = await createInitializedDataFolder()
  const env = { ...folder.env, HANSARD_BROWSER_MODE: 'shell' }
  const createKey = async (name: string) => {
    const args = ['token', 'create', '--name', name, '--json']
    const { code, stdout, stderr } = await runLoadedCommand(args, env)
    assert.equal(code, 0, stderr)
    return (JSON.parse(stdout) as { apiKey: string }).apiKey
  }
  const alone = await runLoadedCommand(['doctor', '--json'], env)
  assert.equal(alone.code, 0, alone.stdout + alone.stderr)
  const report = JSON.parse(alone.stdout) as Report
  assert.equal(report.ok, true)
  assert.deepEqual(
    report.checks.map(({ name, ok }) => [name, ok]),
    NAMES.map((name) => [name, true]),
  )
  assert.match(
    detailOf(report, 'browser'),
    /^\S.* \d+\..* \(package, runs (in|without) its sandbox/,
  )
  const early = await createKey('early')
  await waitForNoProcesses(folder.data)

  await using service = await startServiceProcess(env)
  const withService = await runLoadedCommand(['doctor'], env)
  assert.equal(withService.code, 0, withService.stdout + withService.stderr)
  assert.equal(withService.stdout.match(/^ok {4}/gm)?.length, NAMES.length)
  assert.ok(
    withService.stdout.includes(`the service is running at ${service.url}`),
    withService.stdout,
  )
  assert.match(withService.stdout, /database +PostgreSQL of the running service/)
  for (const apiKey of [early, await createKey('late')]) {
    const key = { 'x-api-key': apiKey }
    assert.equal((await new HttpClient(service.url).get('/api/v1/token', key)).status, 200)
  }
  const { stdout } = await runLoadedCommand(['user', 'invite'], env)
  assert.ok(stdout.startsWith(`${service.url}/setup#`), stdout)
})

test('with an external database doctor recognises the service by its port, also where requests go through a proxy', async () => {
  await using opened = await startServiceWithCommands()
  const { service } = opened
  const env = {
    ...opened.env,
    ...NO_BROWSER,
    // `fetch` would use this proxy, where nothing listens. Node reads these settings when it starts.
    NODE_USE_ENV_PROXY: '1',
    HTTP_PROXY: 'http://127.0.0.1:9',
  }
  const { stdout } = await runCommand(['doctor', '--json'], env)
  const report = JSON.parse(stdout) as Report
  assert.equal(detailOf(report, 'port'), `the service is running at ${service.url}`)
})

test('doctor shows each problem with its fix and exits with 1', async () => {
  await using folder = createTestDataFolder()
  const taken = createServer().listen(0, '127.0.0.1')
  await using stack = new AsyncDisposableStack()
  stack.defer(() => void taken.close())
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  const env = {
    ...folder.env,
    HANSARD_PORT: String(port),
    ...NO_BROWSER,
    HANSARD_MIN_FREE_DISK_MB: '999999999',
    DATABASE_URL: 'postgres://ada:hidden-word@127.0.0.1:1/hansard',
  }
  const json = await runLoadedCommand(['doctor', '--json'], env)
  assert.equal(json.code, 1)
  const report = JSON.parse(json.stdout) as Report
  assert.equal(report.ok, false)
  const bad = report.checks.filter(({ ok }) => !ok)
  assert.deepEqual(
    bad.map(({ name }) => name),
    ['disk', 'port', 'database', 'browser'],
  )
  for (const { name, fix } of bad) assert.ok(fix, `${name} has a fix`)
  assert.match(detailOf(report, 'port'), new RegExp(`${port}`))
  assert.match(bad.find(({ name }) => name === 'port')?.fix ?? '', /HANSARD_PORT/)

  const text = await runLoadedCommand(['doctor', '--deep'], env)
  assert.equal(text.code, 1)
  assert.equal(text.stdout.match(/^FAIL {2}/gm)?.length, 6)
  assert.equal(text.stdout.match(/fix: \S/g)?.length, 6)
  assert.match(text.stdout, /FAIL {2}rehearsal teams +browser: .*is not a program/)
  assert.doesNotMatch(text.stdout + text.stderr, /hidden-word|\n\s+at /)
})

test('doctor fails for a browser with a window when the machine has no display', async () => {
  await using database = await createTestDatabase()
  await using folder = createTestDataFolder()
  using script = await createBrowserScript(
    () => ['if [ "$1" = --version ]; then echo "Chromium 999.0"; exit; fi'],
    'chromium',
  )
  const programs = script.folder
  const env = {
    ...folder.env,
    PATH: programs,
    DATABASE_URL: database.url,
    HANSARD_BROWSER_MODE: 'headed',
    HANSARD_BROWSER_PATH: script.program,
  }
  const checkBrowser = async (more: Record<string, string> = {}) => {
    const { stdout } = await runLoadedCommand(['doctor', '--json'], { ...env, ...more })
    return (JSON.parse(stdout) as Report).checks.find(({ name }) => name === 'browser')
  }
  assert.partialDeepStrictEqual(await checkBrowser(), {
    ok: false,
    detail: 'a browser with a window needs a display, but DISPLAY is not set',
    fix: 'Install Xvfb (Debian: apt-get install xvfb), or set HANSARD_BROWSER_MODE=headless',
  })
  makeProgram(programs, 'Xvfb', 'echo 7 >&3; exec /bin/sleep 60')
  const good = await checkBrowser()
  assert.equal(good?.ok, true)
  assert.match(good?.detail ?? '', /^Chromium 999\.0 \(configured, runs (in|without) its sandbox/)
  const shell = makeProgram(programs, 'headless_shell', 'echo "Chromium 999.0"')
  assert.partialDeepStrictEqual(await checkBrowser({ HANSARD_BROWSER_PATH: shell }), { ok: false })
})

test('doctor checks the websites of the platforms, unless bots reach the network another way', async () => {
  await using database = await createTestDatabase()
  await using folder = createTestDataFolder()
  const env = { ...folder.env, ...NO_BROWSER, DATABASE_URL: database.url }
  const sites = async (more: Record<string, string>) => {
    const { stdout } = await runLoadedCommand(['doctor', '--json'], { ...env, ...more })
    return (JSON.parse(stdout) as Report).checks
      .filter(({ name }) => name === 'Google Meet' || name === 'Microsoft Teams')
      .map(({ ok, detail }) => [ok, detail])
  }
  const off = [true, 'not checked: HANSARD_REACHABILITY_CHECK is off']
  assert.deepEqual(await sites({}), [off, off])
  const proxy = [true, 'not checked: bots use the proxy in HANSARD_BROWSER_ARGS']
  assert.deepEqual(
    await sites({
      HANSARD_REACHABILITY_CHECK: 'on',
      HANSARD_BROWSER_ARGS: '["--proxy-server=http://127.0.0.1:9"]',
    }),
    [proxy, proxy],
  )
})

function detailOf({ checks }: Report, wanted: string): string {
  return checks.find(({ name }) => name === wanted)?.detail ?? ''
}

function makeProgram(folder: string, name: string, script: string): string {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`)
  chmodSync(path, 0o755)
  return path
}
