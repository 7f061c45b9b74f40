import { strict as assert } from 'node:assert'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { test } from 'node:test'
import { describeBrowser, findBrowser, readBrowserVersion } from './find-browser.ts'

const NOTHING_SET = { browserPath: undefined, browserCdp: undefined }

function makeMachine() {
  const root = mkdtempSync(join(tmpdir(), 'hansard-browser-'))
  // Under root, the program is started under another account.
  chmodSync(root, 0o755)
  const [one, two, home] = ['one', 'two', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const folder of [one, two, home]) mkdirSync(folder)
  return {
    one,
    two,
    home,
    machine: {
      env: { PATH: `${one}${delimiter}${two}${delimiter}/usr/bin-that-is-not-there` },
      home,
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  }
}

function makeProgram(path: string): string {
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, '#!/bin/sh\necho "Chromium 1.2.3"\n')
  chmodSync(path, 0o755)
  return path
}

test('a configured browser path is used first and must be executable', async () => {
  using place = makeMachine()
  makeProgram(join(place.one, 'chromium'))
  const mine = makeProgram(join(place.two, 'my browser'))
  const found = await findBrowser({ ...NOTHING_SET, browserPath: mine }, place.machine)
  assert.deepEqual(found, { kind: 'program', path: mine, from: 'configured' })
  await assert.rejects(
    findBrowser({ ...NOTHING_SET, browserPath: join(place.one, 'nothing') }, place.machine),
    /is not a program/,
  )
})

test('a configured DevTools endpoint is used before the browsers of the machine', async () => {
  using place = makeMachine()
  makeProgram(join(place.one, 'chromium'))
  const settings = { ...NOTHING_SET, browserCdp: 'ws://browser.example/x?token=hidden' }
  const found = await findBrowser(settings, place.machine)
  assert.equal(found?.kind, 'remote')
  assert.doesNotMatch(describeBrowser(found), /hidden/)
})

test('Chrome is preferred to Chromium whatever their order in PATH', async () => {
  using place = makeMachine()
  makeProgram(join(place.one, 'chromium'))
  const chrome = makeProgram(join(place.two, 'google-chrome'))
  const found = await findBrowser(NOTHING_SET, place.machine)
  assert.deepEqual(found, { kind: 'program', path: chrome, from: 'system' })
})

test('the newest browser of the Playwright cache is used when the machine has none', async () => {
  using place = makeMachine()
  const cache = join(place.home, '.cache/ms-playwright')
  makeProgram(join(cache, 'chromium-1200/chrome-linux/chrome'))
  const newest = makeProgram(join(cache, 'chromium-1201/chrome-linux/chrome'))
  const found = await findBrowser(NOTHING_SET, place.machine)
  assert.deepEqual(found, { kind: 'program', path: newest, from: 'playwright' })
})

test('the packaged browser is the last resort on Linux', async () => {
  using place = makeMachine()
  const found = await findBrowser(NOTHING_SET, place.machine)
  const hasPackage = process.platform === 'linux' && process.arch === 'x64'
  assert.deepEqual(found, hasPackage ? { kind: 'packaged', from: 'package' } : null)
})

test('shell mode uses the packaged browser unless a path is configured', async () => {
  using place = makeMachine()
  const chrome = makeProgram(join(place.one, 'google-chrome'))
  const shell = { ...NOTHING_SET, browserMode: 'shell' } as const
  const hasPackage = process.platform === 'linux' && process.arch === 'x64'
  assert.equal((await findBrowser(shell, place.machine))?.kind, hasPackage ? 'packaged' : 'program')
  const found = await findBrowser({ ...shell, browserPath: chrome }, place.machine)
  assert.deepEqual(found, { kind: 'program', path: chrome, from: 'configured' })
})

test('probing a browser starts the program and returns its version', async () => {
  using place = makeMachine()
  const path = makeProgram(join(place.one, 'chromium'))
  const version = await readBrowserVersion(
    { kind: 'program', path, from: 'system' },
    place.home,
    place.machine,
  )
  assert.equal(version, 'Chromium 1.2.3')
})
