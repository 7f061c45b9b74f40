import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { BrowserPool } from '../../src/bots/browser/pool/browser-slot.ts'
import { openStage, type Stage } from '../../stage/stage.ts'
import { eventually } from '../support/time/eventually.ts'
import { NEVER_ABORTED, stageNetworkOptions, openTestPool, POOL_REQUEST } from './open-test-pool.ts'

let canary: Server
let port: number
const hits: string[] = []
let stage: Stage
let pool: BrowserPool
before(async () => {
  canary = createServer((request, response) => {
    hits.push(request.url ?? '')
    response.end('<script>parent.postMessage("reached", "*")</script>')
  }).listen(0, '127.0.0.1')
  await once(canary, 'listening')
  port = (canary.address() as AddressInfo).port
  stage = await openStage()
  pool = await openTestPool({ ...stageNetworkOptions(stage), settings: { botsPerBrowser: 8 } })
})
after(async () => {
  await pool[Symbol.asyncDispose]()
  await stage[Symbol.asyncDispose]()
  canary.close()
})

/** Every way in which a page can request an address. Each resolves to whether it got a response. */
const WAYS = `(address) => {
  const settled = (work) => work.then(() => 'reached', () => 'closed')
  const element = (tag) => new Promise((resolve, reject) => {
    const it = Object.assign(document.createElement(tag), { onload: resolve, onerror: reject })
    it[tag === 'link' ? 'href' : 'src'] = 'http://' + address + '/' + tag
    if (tag === 'link') it.rel = 'stylesheet'
    document.documentElement.append(it)
  })
  const worker = new Promise((resolve, reject) => {
    const script = "fetch('http://" + address + "/worker', { mode: 'no-cors' }).then(() => postMessage(1), () => postMessage(0))"
    new Worker('data:text/javascript,' + encodeURIComponent(script)).onmessage = ({ data }) => data ? resolve() : reject()
  })
  const socket = new Promise((resolve, reject) => {
    Object.assign(new WebSocket('ws://' + address + '/socket'), { onopen: resolve, onerror: reject })
  })
  const frame = new Promise((resolve, reject) => {
    addEventListener('message', resolve)
    const it = Object.assign(document.createElement('iframe'), { src: 'http://' + address + '/frame', onload: reject })
    document.documentElement.append(it)
  })
  const asked = fetch('http://' + address + '/fetch', { mode: 'no-cors' })
  return Promise.all([asked, element('img'), element('script'), element('link'), worker, socket, frame].map(settled))
}`

test('a page cannot reach this machine by any protocol or host name', async () => {
  await using world = await openTestPool()
  await using slot = await world.acquire(POOL_REQUEST, NEVER_ABORTED)
  await slot.page.goto('data:text/html,hello')
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '[::ffff:127.0.0.1]']) {
    const found = await slot.page.evaluate<string[]>(`(${WAYS})('${host}:${port}')`)
    assert.deepEqual(new Set(found), new Set(['closed']), host)
  }
  await assert.rejects(slot.page.goto(`http://127.0.0.1:${port}/page`), /ERR_SOCKS/)
  assert.deepEqual(hits, [])
})

test('a page on the stage reaches the stage and nothing else', async () => {
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  await slot.page.goto('https://meet.google.com/')
  const found = await slot.page.evaluate<string[]>(`(${WAYS})('127.0.0.1:${port}')`)
  assert.deepEqual(new Set(found), new Set(['closed']))
  const stageItself = `https://127.0.0.1:${stage.port}/`
  await assert.rejects(slot.page.goto(stageItself), /ERR_SOCKS/)
  await assert.rejects(slot.page.goto('https://meet.example/'), /ERR_SOCKS/)
  assert.deepEqual(hits, [])
})

test("a rehearsal never uses the operator's proxy or Chrome to reach the Internet", async () => {
  const settings = { browserArgs: [`--proxy-server=http://127.0.0.1:${port}`] }
  await using staged = await openTestPool({ ...stageNetworkOptions(stage), settings })
  await using slot = await staged.acquire(POOL_REQUEST, NEVER_ABORTED)
  await slot.page.goto('https://meet.google.com/')
  await assert.rejects(slot.page.goto('http://example.com/'), /ERR_SOCKS/)
  assert.deepEqual(hits, [])
  await using operators = await openTestPool({
    ...stageNetworkOptions(stage),
    settings: { browserCdp: `ws://127.0.0.1:${port}/` },
  })
  await assert.rejects(operators.acquire(POOL_REQUEST, NEVER_ABORTED), /cannot reach the stage/)
})

test('a page cannot open files or browser-internal pages', async () => {
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  const { page } = slot
  await page.goto('https://meet.google.com/')
  for (const address of ['file:///etc/passwd', 'chrome://version/', 'view-source:https://x/']) {
    const refused = page.waitForEvent('console', (message) => /Not allowed/.test(message.text()))
    await page.evaluate(`location.href = '${address}'`)
    await refused
    assert.equal(page.url(), 'https://meet.google.com/')
  }
  assert.equal(await page.evaluate(`fetch('file:///etc/passwd').catch(() => 'closed')`), 'closed')
})

test('camera and microphone are granted to the given origins only, and every other permission is denied', async () => {
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  const ask = (name: string) =>
    `navigator.permissions.query({ name: '${name}' }).then(({ state }) => state)`
  await slot.page.goto('https://meet.google.com/')
  assert.equal(await slot.page.evaluate(ask('camera')), 'granted')
  assert.equal(await slot.page.evaluate(ask('microphone')), 'granted')
  const devices = `navigator.mediaDevices.getUserMedia({ audio: true, video: true }).then((all) => all.getTracks().length)`
  assert.equal(await slot.page.evaluate(devices), 2)
  for (const name of ['geolocation', 'notifications', 'clipboard-read']) {
    assert.equal(await slot.page.evaluate(ask(name)), 'denied', name)
  }
  await slot.page.goto('https://teams.live.com/')
  assert.equal(await slot.page.evaluate(ask('camera')), 'denied')
})

test('downloads are blocked, popups are closed and dialogs are dismissed', async () => {
  await using slot = await pool.acquire(POOL_REQUEST, NEVER_ABORTED)
  const { page, context } = slot
  await page.goto('https://meet.google.com/')
  assert.equal(await page.evaluate(`confirm('Are you sure?')`), false)
  assert.equal(await page.evaluate(`prompt('Your name?')`), null)
  const failed = page.waitForEvent('download').then((download) => download.failure())
  await page.evaluate(`Object.assign(document.createElement('a'),
    { href: URL.createObjectURL(new Blob(['x'])), download: 'x.exe' }).click()`)
  assert.match((await failed) ?? '', /./)
  await page.evaluate(`open('https://teams.live.com/'); open('about:blank', '', 'noopener')`)
  await eventually(() => (context.pages().length === 1 ? true : null))
  // A page that asks whether to leave it is closed too.
  await page.evaluate(`onbeforeunload = (event) => event.preventDefault()`)
  await page.mouse.click(5, 5)
  await page.goto('https://teams.live.com/')
  assert.equal(new URL(page.url()).host, 'teams.live.com')
})
