import { strict as assert } from 'node:assert'
import { after, before, test } from 'node:test'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import {
  createTestDataFolder,
  runCommand,
  type TestDataFolder,
} from '../support/service/service-process.ts'

type Report = { play: string; name: string; ok: boolean; detail: string }

let folder: TestDataFolder
before(() => {
  folder = createTestDataFolder()
})
after(() => folder[Symbol.asyncDispose]())

/** With this machine's headless shell. */
const rehearse = (...args: string[]) =>
  runLoadedCommand(['rehearse', ...args], { ...folder.env, HANSARD_BROWSER_MODE: 'shell' })

test('hansard rehearse joins with both caption sources and reports every step', async () => {
  const { code, stdout, stderr } = await rehearse('meet', '--json')
  assert.equal(code, 0, stdout + stderr)
  const { ok, steps } = JSON.parse(stdout) as { ok: boolean; steps: Report[] }
  assert.equal(ok, true)
  const names = 'page loaded,joined,people,captions,words,selectors,left'.split(',')
  assert.deepEqual(
    steps.map(({ play, name }) => `${play}: ${name}`),
    [
      ': browser',
      ...names.map((name) => `Google Meet, wire: ${name}`),
      ...names.map((name) => `Google Meet, page: ${name}`),
    ],
  )
  const captions = steps.filter(({ name }) => name === 'captions')
  assert.match(captions[0]?.detail ?? '', /^from the wire/)
  assert.match(captions[1]?.detail ?? '', /^from the page/)
})

test('hansard rehearse runs a named script and checks how it ends', async () => {
  const { code, stdout } = await rehearse('teams', 'denied')
  assert.equal(code, 0, stdout)
  assert.match(
    stdout,
    /^ok {4}browser .*\nMicrosoft Teams\nok {4}page loaded .*\nok {4}end +denied, with evidence\n$/,
  )
})

test('hansard rehearse exits with 1 and reports the reason when a step fails', async () => {
  const env = { ...folder.env, HANSARD_BROWSER_PATH: '/no/such/chromium' }
  const none = await runCommand(['rehearse', 'meet'], env)
  assert.equal(none.code, 1)
  assert.match(none.stdout, /^FAIL {2}browser +HANSARD_BROWSER_PATH: .* is not a program\. Install/)

  const unknown = await rehearse('meet', 'opera')
  assert.equal(unknown.code, 1)
  assert.match(
    unknown.stderr,
    /There is no rehearsal meet-opera\n {2}The scripts are in stage\/scripts\//,
  )
})

test('hansard rehearse --against refuses a link of no meeting and an invalid duration', async () => {
  const other = await rehearse('--against', 'https://example.com/abc')
  assert.equal(other.code, 1)
  assert.match(other.stderr, /not a link of a Google Meet or Microsoft Teams meeting/)
  const minutes = await rehearse('--against', 'https://example.com', '--minutes', '0')
  assert.equal(minutes.code, 2)
})

test('hansard rehearse refuses arguments that do not go together, and a report file that it cannot write', async () => {
  const link = 'https://meet.google.com/abc-defg-hij'
  for (const [args, problem] of [
    [['meet', '--against', link], /the link names the platform/],
    [['--account', 'notes'], /--account works only together with --against/],
    [['meet', '--report', 'report.json'], /--report works only together with --against/],
    [['--against', link, '--report', '/no/such/folder/report.json'], /report cannot be written/],
  ] as const) {
    const { code, stderr } = await rehearse(...args)
    assert.equal(code, 1)
    assert.match(stderr, problem)
  }
})
