import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import {
  assertAccessible,
  assertFitsPhone,
  assertNoHorizontalScroll,
  openPageAndSettle,
  visitPage,
  openConsoleAs,
  PHONE_WIDTH,
} from '../support/browser/console-pages.ts'
import { eventually } from '../support/time/eventually.ts'
import type { HttpClient } from '../support/http/http-client.ts'
import { sendRequest } from '../support/http/raw-requests.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startService } from '../support/service/start-service.ts'

const PUBLIC = ['/setup', '/sign-in', '/invite', '/reset']
const PRIVATE = [
  '/',
  '/meetings',
  '/deliveries',
  '/deliveries/inbox',
  ...['profile', 'sign-in', 'tokens', 'sessions'].map((tab) => `/account?tab=${tab}`),
]
const HOSTILE = `<img src=x onerror="window.__pwned=1"><script>window.__pwned=1</script>`

let browser: Browser
before(async () => {
  browser = await openSharedBrowser()
})

const opened = openForFile(async () => {
  const service = await startService()
  const ada = await service.adminClient()
  return { service, ada, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
})

/** Runs a meeting whose callbacks fail and a meeting that fails to join. Returns the paths of their pages. */
async function runMeetings(ada: HttpClient, tokenId: string): Promise<string[]> {
  const start = async (request: object) => {
    const { body } = await ada.post('/web/meetings/start', request)
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

/** Tabs that the slow accessibility check skips: plain lists, which other tabs have too. */
const LIST_TABS = /tab=(?:people|events)$/

test('every page has no accessibility violations in both themes, fits a phone of 360 pixels and shows HTML as text', async () => {
  const { service, ada } = opened()
  await ada.put('/web/profile', { name: HOSTILE })
  const { id } = await ada.createToken({ name: HOSTILE })
  const meetingPages = await runMeetings(ada, id)
  await using guest = await openIsolatedWindow(browser, service.url)
  await using member = await openConsoleAs(browser, ada)
  await member.context.setExtraHTTPHeaders({ 'user-agent': HOSTILE })
  for (const [consoleWindow, paths] of [
    [guest, PUBLIC],
    [member, [...PRIVATE, ...meetingPages.filter((path) => !LIST_TABS.test(path))]],
  ] as const) {
    const { page } = consoleWindow
    for (const path of paths) {
      await visitPage(page, `${service.url}${path}`)
      await assertAccessible(page, path)
      assert.equal(await page.getByRole('heading', { level: 1 }).count(), 1, path)
      await assertFitsPhone(page, path)
      assert.equal(await page.evaluate('window.__pwned'), undefined, path)
    }
    assert.deepEqual(consoleWindow.blockedRequests, [])
    assert.deepEqual(consoleWindow.pageErrors, [])
  }
  // On a phone, the page is also opened, not only made narrow.
  await member.page.setViewportSize({ width: PHONE_WIDTH, height: 800 })
  await openPageAndSettle(member.page, `${service.url}/`)
  await assertNoHorizontalScroll(member.page, '/')
  for (const path of meetingPages.filter((tab) => LIST_TABS.test(tab))) {
    await visitPage(member.page, `${service.url}${path}`)
    await assertNoHorizontalScroll(member.page, path)
  }
})

test('an unknown address shows the page of the console with status 404, signed in or not', async () => {
  const { service, ada } = opened()
  await using guest = await openIsolatedWindow(browser, service.url)
  await using member = await openConsoleAs(browser, ada)
  for (const { page } of [guest, member]) {
    for (const path of ['/nothing/here', '/web/nothing', '/s/a/b']) {
      const response = await page.goto(`${service.url}${path}`)
      assert.equal(response?.status(), 404, path)
      await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
    }
    await assertAccessible(page, 'not-found')
    await assertFitsPhone(page, 'not-found')
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await page.waitForURL((url) => ['/', '/sign-in'].includes(url.pathname))
  }
})

test('a meeting, project, document, task or run that does not exist has a heading and a way on', async () => {
  const { service, ada } = opened()
  const { apiKey } = await ada.createToken({ name: 'writer' })
  await sendRequest(service.url, {
    method: 'PUT',
    path: '/api/v1/projects/real/documents/plan.md',
    headers: { 'x-api-key': apiKey, 'content-type': 'text/markdown' },
    body: 'words',
  })
  await using consoleWindow = await openConsoleAs(browser, ada)
  const { page } = consoleWindow
  const cases = [
    ['/meetings/meeting_unknown', 'Meeting not found', '/meetings'],
    ['/projects/unknown', 'Project not found', '/projects'],
    ['/projects/real/none.md', 'none.md', '/projects/real'],
    ['/tasks/unknown', 'Task not found', '/tasks'],
    ['/runs/exec_unknown', 'Run not found', '/tasks'],
  ] as const
  for (const [path, title, next] of cases) {
    await visitPage(page, `${service.url}${path}`)
    await page.getByRole('heading', { name: title, level: 1 }).waitFor()
    await page.getByText('doesn’t exist, was deleted, or you don’t have access').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0, path)
    await assertAccessible(page, `missing-${title}`)
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Go to/ })
      .click()
    await page.waitForURL(`${service.url}${next}`)
  }
})

test('a page that shows an error keeps it while it asks again', async () => {
  const { service, ada } = opened()
  await using consoleWindow = await openConsoleAs(browser, ada)
  const { page } = consoleWindow
  await openPageAndSettle(page, `${service.url}/meetings/meeting_unknown`)
  const title = page.getByRole('heading', { name: 'Meeting not found', level: 1 })
  await title.waitFor()
  const asked = Promise.withResolvers<void>()
  // This request is never answered.
  await page.route('**/web/meetings/meeting_unknown*', () => asked.resolve())
  // Old enough to be read again when the user comes back to the tab.
  await page.clock.install()
  await page.clock.fastForward(60_000)
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
  await asked.promise
  assert.equal(await title.count(), 1)
  assert.equal(await page.locator('main [data-waiting]').count(), 0)
})

test('the accessibility check finds text with too little contrast, even if only one theme has it', async () => {
  const { service, ada } = opened()
  await using window = await openConsoleAs(browser, ada)
  const { page } = window
  await openPageAndSettle(page, `${service.url}/account`)
  await assertAccessible(page, 'account')
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('@media (prefers-color-scheme: dark) { .faint { color: #111; background: #222 } }')
    document.adoptedStyleSheets.push(sheet)
    document.querySelector('h1').classList.add('faint')
  })()`)
  await assert.rejects(assertAccessible(page, 'account'), /account in dark[^]*color-contrast/)
})

test('requests of a page to other hosts are recorded and blocked', async () => {
  const received: string[] = []
  const otherServer = createServer((request) => void received.push(request.url ?? ''))
  const imageUrls: string[] = []
  const ownServer = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(imageUrls.map((url) => `<img src="${url}">`).join(''))
  })
  await using stack = new AsyncDisposableStack()
  for (const server of [otherServer, ownServer]) {
    stack.defer(() => server.close().closeAllConnections())
    await once(server.listen(0, '127.0.0.1'), 'listening')
  }
  const [other, origin] = [otherServer, ownServer].map(
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  )
  imageUrls.push(`${other}/one`, 'http://tracker.example/two')
  await using consoleWindow = await openIsolatedWindow(browser, origin ?? '')
  await consoleWindow.page.goto(`${origin}/`)
  assert.deepEqual(consoleWindow.blockedRequests.toSorted(), imageUrls)
  assert.deepEqual(received, [])
})

test('the API reference requires signing in', async () => {
  const { service } = opened()
  await using consoleWindow = await openIsolatedWindow(browser, service.url)
  await consoleWindow.page.goto(`${service.url}/docs`)
  await consoleWindow.page.waitForURL(/\/sign-in\?next=%2Fdocs$/)
})

test('the API reference works without requests to other hosts', async () => {
  const { service, ada } = opened()
  await using consoleWindow = await openConsoleAs(browser, ada)
  await consoleWindow.page.goto(`${service.url}/docs`)
  await consoleWindow.page.getByRole('heading', { name: 'Meetings' }).first().waitFor()
  // requestIdleCallback shows that the page has finished. An idle network would only be a guess.
  await consoleWindow.page.evaluate(
    'new Promise((done) => requestIdleCallback(done, { timeout: 5000 }))',
  )
  assert.deepEqual(consoleWindow.blockedRequests, [])
  assert.deepEqual(consoleWindow.pageErrors, [])
})

test('a token can be created with the keyboard alone', async () => {
  const { service, ada } = opened()
  await using consoleWindow = await openConsoleAs(browser, ada)
  const { page } = consoleWindow
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
  const { service, ada } = opened()
  await using consoleWindow = await openConsoleAs(browser, ada)
  const { page } = consoleWindow
  await openPageAndSettle(page, `${service.url}/`)
  await page.keyboard.press('g')
  await page.keyboard.press('m')
  await page.waitForURL(/\/meetings$/)
  await page.getByLabel('Meeting link').waitFor()
  await page.keyboard.press('n')
  await page.keyboard.type('practice://standup?speed=10')
  await page.getByRole('status').getByText('Practice standup').waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.locator('#line-1').waitFor()
  await page.keyboard.press('[')
  await page.locator('.transcript .line-time:focus').waitFor()
  await page.keyboard.press('s')
  // The dialog sets the focus shortly after it opens, so pressing Tab earlier would have no effect.
  await page.getByRole('dialog').locator('[data-autofocus]:focus').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('Ended', { exact: true }).waitFor()
})
