import { strict as assert } from 'node:assert'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { describeConfig } from '../src/cli/commands/config.ts'
import {
  callbackPolicyOf,
  ConfigError,
  parseConfig,
  showsPrivateAnswers,
} from '../src/config/config.ts'
import { SETTINGS } from '../src/config/settings.ts'
import { readEnvFile } from '../src/config/load-config.ts'
import { formatDateLabel } from '../src/projects/files/file-names.ts'
import { requireEnv } from './support/database/test-database.ts'

const root = '/opt/hansard'

function problemsOf(
  env: Record<string, string>,
  file: Record<string, string> = {},
): readonly string[] {
  try {
    parseConfig({ env, file, root })
    return []
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems
  }
}

test('without any settings the defaults apply', () => {
  const config = parseConfig({ env: {}, root })
  assert.equal(config.port, 8080)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.data, '/opt/hansard/data')
  assert.deepEqual(config.browserArgs, [])
  assert.equal(config.databaseUrl, undefined)
  assert.ok(Object.isFrozen(config))
})

test('all problems of a configuration are reported together', () => {
  const problems = problemsOf({
    HANSARD_PORT: 'eighty',
    HANSARD_BROWSER_ARGS: '--lang=en',
    HANSARD_CALLBACK_POLICY: 'anything',
    HANSARD_LOG_LEVEL: 'loud',
    HANSARD_MASTER_KEY: 'c2hvcnQ=',
    DATABASE_URL: 'mysql://x',
    HANSARD_ADMIN_EMAIL: 'a@example.com',
    HANSARD_PROT: '80',
  })
  assert.equal(problems.length, 8)
})

test('an unknown setting is an error that suggests the closest name', () => {
  assert.deepEqual(problemsOf({ HANSARD_PROT: '80' }), [
    'HANSARD_PROT (in the environment) is not a setting; did you mean HANSARD_PORT?',
  ])
  assert.deepEqual(problemsOf({}, { HANSARD_QUITE_ELSE: '1' }), [
    'HANSARD_QUITE_ELSE (in the file) is not a setting',
  ])
  for (const name of ['DATABASE_URL', 'OPENAI_API_KEY'])
    assert.deepEqual(problemsOf({ [`HANSARD_${name}`]: 'x' }), [
      `HANSARD_${name} (in the environment) is not a setting; did you mean ${name}?`,
    ])
})

test('a URL setting with unused parts is refused without quoting its password', () => {
  const refused = {
    HANSARD_PUBLIC_URL: ['https://ex.com/hansard', 'https://ex.com/?a', 'https://u:hidden@ex.com'],
    HANSARD_TEAMS_LOGIN_URL: ['https://ex.com/common', 'https://u:hidden@ex.com/'],
    HANSARD_AI_BASE_URL: ['https://u:hidden@ex.com/v1', 'https://hidden@ex.com/v1', 'nowhere'],
  }
  for (const [name, values] of Object.entries(refused)) {
    for (const value of values) {
      const problems = problemsOf({ [name]: value })
      assert.equal(problems.length, 1, value)
      assert.ok(problems[0]?.startsWith(`${name} must `), problems[0])
      assert.doesNotMatch(problems[0] ?? '', /hidden@|:hidden/)
    }
  }
  const env = { HANSARD_PUBLIC_URL: 'https://ex.com:8443/', HANSARD_AI_BASE_URL: 'http://h:1/v1' }
  const config = parseConfig({ env, root })
  assert.deepEqual([config.publicUrl, config.aiBaseUrl], ['https://ex.com:8443', 'http://h:1/v1'])
})

test('a time zone accepts current and older IANA names', () => {
  const names =
    'UTC Etc/UTC GMT Europe/Paris Europe/Kyiv Europe/Kiev Asia/Kolkata Asia/Calcutta US/Eastern'
  for (const name of [...names.split(' '), 'America/Argentina/Buenos_Aires', 'America/Nuuk']) {
    const config = parseConfig({ env: { HANSARD_TIME_ZONE: name }, root })
    assert.equal(config.timeZone, name)
    assert.ok(formatDateLabel(new Date(0), config.timeZone).startsWith('19'), name)
  }
  for (const name of ['Europe/Nowhere', '+01:00', 'PST', 'Europe/Paris '])
    assert.match(
      problemsOf({ HANSARD_TIME_ZONE: name })[0] ?? '',
      /must be an IANA time zone/,
      name,
    )
})

test('callbacks to private addresses are allowed by default only while the service listens on loopback', () => {
  const policyAt = (env: Record<string, string>) => callbackPolicyOf(parseConfig({ env, root }))
  assert.equal(policyAt({}), 'private-ok')
  for (const host of ['127.0.0.1', '127.9.9.9', '::1', 'localhost'])
    assert.equal(policyAt({ HANSARD_HOST: host }), 'private-ok', host)
  for (const host of ['0.0.0.0', '::', '10.1.2.3', '192.168.0.9', 'hansard.example.com'])
    assert.equal(policyAt({ HANSARD_HOST: host }), 'public-only', host)
  const given = { HANSARD_HOST: '0.0.0.0', HANSARD_CALLBACK_POLICY: 'private-ok' }
  assert.equal(policyAt(given), 'private-ok')
})

test('responses of private receivers are shown only by a service that other machines cannot reach', () => {
  const isShown = (env: Record<string, string>) => showsPrivateAnswers(parseConfig({ env, root }))
  assert.equal(isShown({}), true)
  assert.equal(isShown({ HANSARD_PUBLIC_URL: 'https://hansard.example.com' }), false)
  assert.equal(isShown({ HANSARD_HOST: '0.0.0.0' }), false)
  assert.equal(isShown({ HANSARD_HOST: '::', HANSARD_CALLBACK_POLICY: 'private-ok' }), false)
})

test('variables of client programs are not reported as unknown settings', () => {
  const env = { HANSARD_API_KEY: 'sk_x', HANSARD_SIGNING_SECRET: 'ss_x' }
  assert.deepEqual(problemsOf(env, env), [])
})

test('an invalid value is quoted in the error unless it is a secret', () => {
  assert.match(problemsOf({ HANSARD_PORT: '99999' })[0] ?? '', /given: "99999"/)
  assert.doesNotMatch(problemsOf({ HANSARD_MASTER_KEY: 'hunter2' })[0] ?? '', /hunter2/)
  assert.doesNotMatch(problemsOf({ DATABASE_URL: 'mysql://u:hunter2@h' })[0] ?? '', /hunter2/)
})

test('number, list and flag settings are parsed strictly', () => {
  for (const port of ['-1', '1.5', '65536', '0x50', ' 80', '8080abc']) {
    assert.equal(problemsOf({ HANSARD_PORT: port }).length, 1, port)
  }
  for (const args of ['{}', '[1]', '"--lang"', '[', 'null']) {
    assert.equal(problemsOf({ HANSARD_BROWSER_ARGS: args }).length, 1, args)
  }
  assert.equal(problemsOf({ HANSARD_RATE_LIMIT: 'true' }).length, 1)
  for (const proxy of ['yes', '10.0.0.0/64', '10.0.0.1,,', 'proxy.example', '10']) {
    assert.equal(problemsOf({ HANSARD_TRUST_PROXY: proxy }).length, 1, proxy)
  }
  for (const hosts of [
    'https://meet.example',
    'meet.example/group',
    'a b',
    'a,',
    'a:99999',
    '::1',
  ]) {
    assert.equal(problemsOf({ HANSARD_GALENE_HOSTS: hosts }).length, 1, hosts)
  }
  const zoom = { HANSARD_ZOOM_CLIENT_ID: 'id', HANSARD_ZOOM_CLIENT_SECRET: 's' }
  const webhooks = { HANSARD_ZOOM_WEBHOOK_SECRET: 't' }
  for (const [env, problems] of [
    [{ ...zoom, ...webhooks }, 0],
    [zoom, 1],
    [webhooks, 1],
    [{ HANSARD_ZOOM_CLIENT_ID: 'id' }, 2],
    [{ ...zoom, ...webhooks, HANSARD_ZOOM_CLIENT_SECRET_FILE: '/x' }, 1],
    [{ ...zoom, HANSARD_ROLES: 'bots', DATABASE_URL: 'postgres://x/y' }, 0],
    [{ HANSARD_ZOOM_CLIENT_ID: 'id', HANSARD_ROLES: 'tasks', DATABASE_URL: 'postgres://x/y' }, 0],
  ] as const)
    assert.equal(problemsOf(env).length, problems, JSON.stringify(env))
  assert.deepEqual(
    parseConfig({ env: { HANSARD_GALENE_HOSTS: 'Meet.example, [::1]:8443' }, root }).galeneHosts,
    ['meet.example', '[::1]:8443'],
  )
  assert.deepEqual(
    parseConfig({ env: { HANSARD_BROWSER_ARGS: '["--lang=en"]' }, root }).browserArgs,
    ['--lang=en'],
  )
  assert.equal(parseConfig({ env: { HANSARD_RATE_LIMIT: 'off' }, root }).rateLimit, false)
})

test('the environment wins over the file, and an empty value counts as not set', () => {
  const config = parseConfig({
    env: { HANSARD_PORT: '1111', HANSARD_HOST: '' },
    file: { HANSARD_PORT: '2222', HANSARD_HOST: '::1', HANSARD_DATA: '/srv/x' },
    root,
  })
  assert.equal(config.port, 1111)
  assert.equal(config.host, '::1')
  assert.deepEqual(
    [config.sources.port, config.sources.host, config.sources.data, config.sources.logLevel],
    ['environment', 'file', 'file', 'default'],
  )
})

test('the printed configuration shows every setting and no secret', () => {
  const secrets: Record<string, string> = {
    DATABASE_URL: 'postgres://user:hunter2@db.example/x',
    HANSARD_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    HANSARD_BROWSER_CDP: 'wss://browser.example/?token=hunter2',
  }
  const rows = describeConfig(parseConfig({ env: secrets, root }))
  assert.deepEqual(
    rows.map(({ name }) => name),
    Object.values(SETTINGS).map(({ env }) => env),
  )
  for (const name of Object.keys(secrets)) {
    assert.equal(rows.find((row) => row.name === name)?.value, '(hidden)')
  }
  assert.doesNotMatch(JSON.stringify(rows), /hunter2|AQEBAQ/)
})

test('an invalid line of the .env file is reported with its number', () => {
  const folder = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'env-'))
  const path = join(folder, '.env')
  assert.deepEqual(readEnvFile(path), {})
  writeFileSync(path, '# comment\n\nHANSARD_PORT=81\nHANSARD_HOST="::1"\n')
  assert.deepEqual(readEnvFile(path), { HANSARD_PORT: '81', HANSARD_HOST: '::1' })
  writeFileSync(path, 'HANSARD_PORT=81\nHANSARD_HOST ::1\n')
  assert.throws(() => readEnvFile(path), /line 2: expected NAME=value/)
})

test('the Microsoft Teams settings must be complete and use https', () => {
  const whole = {
    HANSARD_TEAMS_TENANT: 'contoso.example',
    HANSARD_TEAMS_CLIENT_ID: 'bot',
    HANSARD_TEAMS_CLIENT_SECRET: 'hidden',
  }
  assert.deepEqual(problemsOf(whole), [])
  const { HANSARD_TEAMS_CLIENT_SECRET: _, ...half } = whole
  assert.match(problemsOf(half).join(), /go together/)
  assert.deepEqual(problemsOf({ ...half, HANSARD_TEAMS_CLIENT_SECRET_FILE: '/run/secret' }), [])
  const twice = { ...whole, HANSARD_TEAMS_CLIENT_SECRET_FILE: '/run/secret' }
  assert.match(problemsOf(twice).join(), /exclude each other/)
  const plain = { ...whole, HANSARD_TEAMS_LOGIN_URL: 'http://login.example' }
  assert.match(problemsOf(plain).join(), /must be an https address/)
  assert.deepEqual(problemsOf({ ...whole, HANSARD_TEAMS_LOGIN_URL: 'http://127.0.0.1:1' }), [])
})

test('HANSARD_EVENT_DAYS must not be shorter than the callback retries', () => {
  const days = { HANSARD_EVENT_DAYS: '1' }
  assert.deepEqual(problemsOf(days), [])
  assert.deepEqual(problemsOf({ ...days, HANSARD_CALLBACK_GIVE_UP_HOURS: '25' }), [
    'HANSARD_EVENT_DAYS is shorter than HANSARD_CALLBACK_GIVE_UP_HOURS',
  ])
})
