import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  buildChromiumArguments,
  overridesEgressProxy,
  type LaunchConditions,
} from './chromium-arguments.ts'

const PLAIN: LaunchConditions = {
  mode: 'headless',
  hasSandbox: true,
  isShell: false,
  profile: '/tmp/profile',
  proxy: 'socks5://127.0.0.1:1',
}

test('the sandbox is on unless the system refuses it, and Chromium never opens a debugging port', () => {
  assert.ok(!buildChromiumArguments(PLAIN).includes('--no-sandbox'))
  assert.ok(buildChromiumArguments({ ...PLAIN, hasSandbox: false }).includes('--no-sandbox'))
  for (const mode of ['headless', 'shell', 'headed'] as const) {
    const args = buildChromiumArguments({ ...PLAIN, mode })
    assert.ok(args.includes('--remote-debugging-pipe'))
    assert.ok(!args.some((argument) => argument.startsWith('--remote-debugging-port')))
    assert.equal(args.includes('--headless'), mode !== 'headed')
  }
})

test("every Chromium argument is passed once, and the operator's arguments come last", () => {
  const args = buildChromiumArguments({ ...PLAIN, hasSandbox: false, isShell: true }, ['--lang=de'])
  const values = args.filter((argument) => argument.startsWith('--lang='))
  assert.deepEqual(values, ['--lang=en-US', '--lang=de'])
  const names = args.map((argument) => argument.split('=')[0])
  assert.equal(new Set(names).size, names.length - 1)
})

test('features that the operator disables are added to the built-in list', () => {
  const args = buildChromiumArguments(PLAIN, ['--disable-features=Mine', '--flag'])
  const off = args.filter((argument) => argument.startsWith('--disable-features='))
  assert.equal(off.length, 1)
  assert.match(off[0] ?? '', /=Avoid.*,Translate,.*,Mine$/)
})

test('local addresses go through the egress proxy too, when there is one', () => {
  const args = buildChromiumArguments(PLAIN)
  assert.ok(args.includes('--proxy-server=socks5://127.0.0.1:1'))
  assert.ok(args.includes('--proxy-bypass-list=<-loopback>'))
  const without = buildChromiumArguments({ ...PLAIN, proxy: null })
  assert.ok(!without.some((argument) => argument.startsWith('--proxy')))
})

test('overridesEgressProxy recognises every argument that sets a proxy', () => {
  assert.ok(
    ['--proxy-server=http://x', '--proxy-pac-url=x', '--no-proxy-server'].every(
      overridesEgressProxy,
    ),
  )
  assert.ok(!['--lang=en', '--proxy-bypass-list=x', 'proxy-server'].some(overridesEgressProxy))
})
