import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, openIsolatedWindow } from '../support/browser/open-browser.ts'
import {
  assertAccessible,
  assertNoHorizontalScroll,
  openPageAndSettle,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import { eventually } from '../support/time/eventually.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { startService } from '../support/service/start-service.ts'

const PUBLIC = ['/setup', '/sign-in', '/invite']
const PRIVATE = [
  '/',
  '/meetings',
  '/deliveries',
  '/deliveries/inbox',
  ...['profile', 'tokens', 'sessions'].map((tab) => `/account?tab=${tab}`),
]
const HOSTILE = `<img src=x onerror="window.__pwned=1"><script>window.__pwned=1</script>`

let browser: Browser
before(async () => {
  browser = await openBrowser()
})
after(() => browser.close())

/** A meeting that is over with callbacks that failed, and one that failed itself. */
async function holdMeetings(ada: HttpClient, tokenId: string): Promise<string[]> {
  const start = async (wish: object) => {
    const { body } = await ada.post('/web/meetings/start', wish)
    return `/meetings/${String(body['meetingId'])}`
  }
  const callbackUrl = 'http://127.0.0.1:9/hook'
  const talk = await start({
    url: 'practice://standup?speed=100',
    title: 'A meeting with quite a long title for a small telephone',
    callbackUrl,
    tokenId,
  })
  const denied = await start({ url: 'practice://denied?speed=100' })
  for (const path of [talk, denied]) {
    await eventually(async () => {
      const { body } = await ada.get(`/web${path}`)
      const { status } = body['meeting'] as { status: string }
      return ['ended', 'error'].includes(status) ? true : null
    })
  }
  const tabs = ['insights', 'people', 'callbacks', 'document', 'events', 'details']
  return [denied, ...tabs.map((tab) => `${talk}?tab=${tab}`)]
}

/** Plain lists of what other tabs have too; looking through each of them takes seconds. */
const LISTS = /tab=(?:people|events)$/

test('every page is free of accessibility faults in both themes', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  const { id } = await ada.createToken({ name: 'backend' })
  const held = await holdMeetings(ada, id)
  await using guest = await openIsolatedWindow(browser, service.url)
  await using member = await openConsoleAs(browser, ada)
  for (const [seen, paths] of [
    [guest, PUBLIC],
    [member, [...PRIVATE, ...held.filter((path) => !LISTS.test(path))]],
  ] as const) {
    for (const path of paths) {
      await openPageAndSettle(seen.page, `${service.url}${path}`)
      await assertAccessible(seen.page, path)
      assert.equal(await seen.page.getByRole('heading', { level: 1 }).count(), 1, path)
    }
    assert.deepEqual(seen.blockedRequests, [])
    assert.deepEqual(seen.pageErrors, [])
  }
})

test('every page fits a phone of 360 pixels', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  const { id } = await ada.createToken({
    name: 'a token with quite a long name for a small telephone',
  })
  const held = await holdMeetings(ada, id)
  await using seen = await openConsoleAs(browser, ada, { width: 360 })
  for (const path of [...PRIVATE, ...held, ...PUBLIC]) {
    await openPageAndSettle(seen.page, `${service.url}${path}`)
    await assertNoHorizontalScroll(seen.page, path)
  }
})

test('names are text, whatever they say', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  await ada.put('/web/profile', { name: HOSTILE.slice(0, 100) })
  await ada.createToken({ name: HOSTILE.slice(0, 100) })
  await using seen = await openConsoleAs(browser, ada)
  await seen.context.setExtraHTTPHeaders({ 'user-agent': HOSTILE })
  for (const path of PRIVATE) {
    await openPageAndSettle(seen.page, `${service.url}${path}`)
    assert.equal(await seen.page.evaluate('window.__pwned'), undefined)
  }
  assert.deepEqual(seen.pageErrors, [])
})

test('what a page wants from elsewhere is noticed and gets nowhere', async () => {
  const asked: string[] = []
  const elsewhere = createServer((request) => void asked.push(request.url ?? ''))
  const wanted: string[] = []
  const own = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(wanted.map((url) => `<img src="${url}">`).join(''))
  })
  await using stack = new AsyncDisposableStack()
  for (const server of [elsewhere, own]) {
    stack.defer(() => server.close().closeAllConnections())
    await once(server.listen(0, '127.0.0.1'), 'listening')
  }
  const [other, origin] = [elsewhere, own].map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  )
  wanted.push(`${other}/one`, 'http://tracker.example/two')
  await using seen = await openIsolatedWindow(browser, origin ?? '')
  await seen.page.goto(`${origin}/`)
  assert.deepEqual(seen.blockedRequests.toSorted(), wanted)
  assert.deepEqual(asked, [])
})

test('the API reference wants a signed-in reader', async () => {
  await using service = await startService()
  await service.adminClient()
  await using seen = await openIsolatedWindow(browser, service.url)
  await seen.page.goto(`${service.url}/docs`)
  await seen.page.waitForURL(/\/sign-in\?next=%2Fdocs$/)
})

test('the API reference works without asking another host', async () => {
  await using service = await startService()
  await using seen = await openConsoleAs(browser, await service.adminClient())
  await seen.page.goto(`${service.url}/docs`)
  await seen.page.getByRole('heading', { name: 'Meetings' }).first().waitFor()
  // The page says itself when it has nothing left to do; an idle network is only guessed from outside.
  await seen.page.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 5000 }))')
  assert.deepEqual(seen.blockedRequests, [])
  assert.deepEqual(seen.pageErrors, [])
})

test('a token can be made with the keyboard alone', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  await using seen = await openConsoleAs(browser, ada)
  const { page } = seen
  await openPageAndSettle(page, `${service.url}/account?tab=tokens`)
  for (let i = 0; i < 40; i += 1) {
    if (
      (await page.getByRole('button', { name: 'New token' }).and(page.locator(':focus')).count()) >
      0
    )
      break
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('Enter')
  await page.getByLabel('Token name').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('by keyboard')
  await page.keyboard.press('Enter')
  const key = page.getByLabel('API key', { exact: true })
  assert.match(await key.inputValue(), /^sk_/)
})

test('a practice meeting can be started, read and stopped with the keyboard alone', async () => {
  await using service = await startService()
  const ada = await service.adminClient()
  await using seen = await openConsoleAs(browser, ada)
  const { page } = seen
  await openPageAndSettle(page, `${service.url}/`)
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.waitForURL(/\/meetings$/)
  await page.getByLabel('Meeting link').waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('practice://standup')
  await page.getByRole('status').getByText('Practice standup').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.locator('#line-1').waitFor()
  await page.keyboard.press('[')
  await page.locator('.transcript .line-time:focus').waitFor()
  await page.keyboard.press('s')
  // The dialog takes the focus a moment after it is there, and would take it back from whoever is faster.
  await page.getByRole('dialog').locator('[data-autofocus]:focus').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Ended', { exact: true }).waitFor()
})
