import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openIsolatedWindow } from '../support/browser/open-browser.ts'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
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
  ...['profile', 'sign-in', 'notifications', 'tokens', 'sessions'].map(
    (tab) => `/account?tab=${tab}`,
  ),
]
const HOSTILE = `<img src=x onerror="window.__pwned=1"><script>window.__pwned=1</script>`

const opened = openForFile(async () => {
  const service = await startService()
  const ada = await service.adminClient()
  return { service, ada, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
})

/** The windows of all tests. Only the page changes in them. */
const guestWindow = openForFile(async () =>
  openIsolatedWindow(await openSharedBrowser(), opened().service.url),
)
const memberWindow = openForFile(async () => openConsoleAs(await openSharedBrowser(), opened().ada))

/** Runs a meeting whose callbacks fail. Returns the paths of its tabs. */
async function runMeeting(ada: HttpClient, tokenId: string): Promise<string[]> {
  const { body } = await ada.post('/web/meetings/start', {
    url: 'practice://standup?speed=100',
    title: 'A meeting with quite a long title for a small telephone',
    callbackUrl: 'http://127.0.0.1:9/hook',
    tokenId,
  })
  const path = `/meetings/${String(body['meetingId'])}`
  await eventually(async () => {
    const { meeting } = (await ada.get(`/web${path}`)).body
    return (meeting as { status: string }).status === 'ended' ? true : null
  })
  const tabs = ['insights', 'people', 'callbacks', 'document', 'events', 'details']
  return tabs.map((tab) => `${path}?tab=${tab}`)
}

/** Tabs that the slow accessibility check skips: plain lists, which other tabs have too. */
const LIST_TABS = /tab=(?:people|events)$/

test('every page has no accessibility violations in both themes, fits a phone of 360 pixels and shows HTML as text', async () => {
  const { service, ada } = opened()
  await ada.put('/web/profile', { name: HOSTILE })
  const { id } = await ada.createToken({ name: HOSTILE })
  const meetingPages = await runMeeting(ada, id)
  const member = memberWindow()
  await member.context.setExtraHTTPHeaders({ 'user-agent': HOSTILE })
  for (const [consoleWindow, paths] of [
    [guestWindow(), PUBLIC],
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
  const wide = member.page.viewportSize()
  await member.page.setViewportSize({ width: PHONE_WIDTH, height: 800 })
  await openPageAndSettle(member.page, `${service.url}/`)
  await assertNoHorizontalScroll(member.page, '/')
  for (const path of meetingPages.filter((tab) => LIST_TABS.test(tab))) {
    await visitPage(member.page, `${service.url}${path}`)
    await assertNoHorizontalScroll(member.page, path)
  }
  if (wide !== null) await member.page.setViewportSize(wide)
})

test('an unknown address shows that there is no page and leads home, signed in or not', async () => {
  const { service } = opened()
  for (const { page } of [guestWindow(), memberWindow()]) {
    for (const path of ['/nothing/here', '/web/nothing', '/s/a/b']) {
      await visitPage(page, `${service.url}${path}`)
      await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
    }
    await page.getByRole('link', { name: 'Go to the home page' }).click()
    await page.waitForURL((url) => ['/', '/sign-in'].includes(url.pathname))
  }
  const { page } = guestWindow()
  await page.goto(`${service.url}/nothing/here`)
  await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
  await assertAccessible(page, 'not-found')
  await assertFitsPhone(page, 'not-found')
  await page.goto(`${service.url}/docs`)
  await page.waitForURL(/\/sign-in\?next=%2Fdocs$/)
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
  const { page } = memberWindow()
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

test('a practice meeting can be started, read and stopped with the keyboard alone', async () => {
  const { page } = memberWindow()
  await visitPage(page, `${opened().service.url}/`)
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

test('the API reference works without requests to other hosts', async () => {
  const { page, blockedRequests, pageErrors } = memberWindow()
  await page.goto(`${opened().service.url}/docs`)
  await page.getByRole('heading', { name: 'Meetings' }).first().waitFor()
  // requestIdleCallback shows that the page has finished. An idle network would only be a guess.
  await page.evaluate('new Promise((done) => requestIdleCallback(done, { timeout: 5000 }))')
  assert.deepEqual(blockedRequests, [])
  assert.deepEqual(pageErrors, [])
})

test('the accessibility check finds text with too little contrast, even if only one theme has it', async () => {
  const { service } = opened()
  const { page } = memberWindow()
  await openPageAndSettle(page, `${service.url}/account`)
  await page.evaluate(`(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('@media (prefers-color-scheme: dark) { .faint { color: #111; background: #222 } }')
    document.adoptedStyleSheets.push(sheet)
    document.querySelector('h1').classList.add('faint')
  })()`)
  await assert.rejects(assertAccessible(page, 'account'), /account in dark[^]*color-contrast/)
})

test('a page that shows an error keeps it while it asks again', async () => {
  const { service } = opened()
  const { page } = memberWindow()
  await visitPage(page, `${service.url}/meetings/meeting_none`)
  const title = page.getByRole('heading', { name: 'Meeting not found', level: 1 })
  await title.waitFor()
  const asked = Promise.withResolvers<void>()
  // This request is never answered.
  await page.route('**/web/meetings/meeting_none*', () => asked.resolve())
  // Old enough to be read again when the user comes back to the tab.
  await page.clock.install()
  await page.clock.fastForward(60_000)
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))")
  await asked.promise
  assert.equal(await title.count(), 1)
  assert.equal(await page.locator('main [data-waiting]').count(), 0)
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
  await using consoleWindow = await openIsolatedWindow(await openSharedBrowser(), origin ?? '')
  await consoleWindow.page.goto(`${origin}/`)
  assert.deepEqual(consoleWindow.blockedRequests.toSorted(), imageUrls)
  assert.deepEqual(received, [])
})
