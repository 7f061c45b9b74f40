import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openSharedBrowser } from '../support/browser/shared-browser.ts'
import { assertAccessible } from '../support/browser/accessibility.ts'
import {
  assertFitsPhone,
  openPageAndSettle,
  visitPage,
  openConsoleAs,
} from '../support/browser/console-pages.ts'
import { eventually } from '../support/time/eventually.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startService } from '../support/service/start-service.ts'

/** A service with these lane rules and one window, which its tests share. */
const openWithRules = (laneRules: { backoffMs?: number[]; rejectionBackoffMs?: number[] }) =>
  openForFile(async () => {
    await using stack = new AsyncDisposableStack()
    const service = stack.use(await startService({}, { laneRules }))
    const ada = await service.adminClient()
    const consoleWindow = stack.use(await openConsoleAs(await openSharedBrowser(), ada))
    const moved = stack.move()
    return { service, ada, consoleWindow, [Symbol.asyncDispose]: () => moved.disposeAsync() }
  })
const withUsualRules = openWithRules({})
const withoutRetries = openWithRules({ backoffMs: [1_800_000], rejectionBackoffMs: [] })

test('the deliveries page shows why a callback failed, checks its signature and replays it', async () => {
  const { service, ada, consoleWindow } = withUsualRules()
  const { id: tokenId, signingSecret } = await ada.createToken({ name: 'backend' })
  await using receiver = await openRecordingReceiver(signingSecret)
  receiver.setReply(() => ({ status: 422, body: 'no such <b>field</b>' }))
  await ada.post('/web/meetings/start', {
    url: 'practice://denied?speed=50',
    title: 'Board',
    callbackUrl: receiver.urlFor('/hook'),
    tokenId,
  })
  await receiver.waitUntil((calls) => calls.length > 0)
  const { page } = consoleWindow
  await visitPage(page, `${service.url}/deliveries?outcome=rejected`)
  await page
    .getByRole('button', { name: /^Open Meeting status 1, rejected/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Your server answered 422').waitFor()
  await dialog.getByText('no such <b>field</b>').waitFor()
  await dialog.getByRole('tab', { name: 'Request' }).click()
  await dialog.getByText('x-service-signature: sha256=').waitFor()
  await dialog.getByRole('tab', { name: 'Check signature' }).click()
  await dialog.getByLabel('Signing secret').fill('ss_wrong')
  await dialog.getByRole('button', { name: 'Check', exact: true }).click()
  await dialog.getByText('Signature does not match.').waitFor()
  await dialog.getByLabel('Signing secret').fill(signingSecret)
  await dialog.getByRole('button', { name: 'Check', exact: true }).click()
  await dialog.getByText('Signature valid.').waitFor()

  receiver.setReply(() => ({ status: 204 }))
  await dialog.getByRole('button', { name: 'Replay this event' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Replay', exact: true }).click()
  await page.getByText('Replaying 1 event').waitFor()
  await receiver.waitUntil((calls) => calls.some(({ status }) => status === 204))
  await page.getByLabel('Outcome').selectOption('delivered')
  await page
    .getByRole('button', { name: /^Open Meeting status 1, delivered/ })
    .first()
    .waitFor()
  assert.match(page.url(), /outcome=delivered/)
  assert.deepEqual(consoleWindow.pageErrors, [])
  assert.deepEqual(receiver.problems, [])
})

test('the console inbox receives callbacks and answers them', async () => {
  const { service, ada, consoleWindow } = withUsualRules()
  const { id: tokenId, signingSecret } = await ada.createToken({ name: 'backend' })
  const { page } = consoleWindow
  await visitPage(page, `${service.url}/deliveries/inbox`)
  await page.getByText('Listening.').waitFor()
  const { body } = await ada.post('/web/meetings/start', {
    url: 'practice://denied?speed=50',
    callbackUrl: 'listen:inbox',
    tokenId,
  })
  await page.getByText('Meeting status #1', { exact: true }).waitFor()
  const first = page.getByRole('listitem').filter({ hasText: 'Meeting status #1' }).last()
  await first.getByText('Joining', { exact: true }).waitFor()
  await page.getByText('delivered here').first().waitFor()
  // The next test needs an inbox that nothing else waits for.
  await page.getByText('Meeting status #2', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Check signature of Meeting status 1' }).click()
  await page.getByLabel('Signing secret').fill(signingSecret)
  await page.getByRole('button', { name: 'Check', exact: true }).click()
  await page.getByText('Signature valid.').waitFor()
  await visitPage(page, `${service.url}/deliveries?meeting=${String(body['meetingId'])}`)
  await page.getByRole('button', { name: /^Open Meeting status 1, delivered/ }).waitFor()
  assert.deepEqual(consoleWindow.pageErrors, [])
})

test('a practice meeting sends its callbacks to the inbox that was chosen', async () => {
  const { service, ada, consoleWindow } = withUsualRules()
  await ada.createToken({ name: 'backend' })
  const { page } = consoleWindow
  const stop = async () => {
    const { body } = await ada.get('/web/meetings/status')
    for (const { meetingId } of body['meetings'] as Array<{ meetingId: string }>) {
      await ada.post('/web/meetings/stop', { meetingId })
    }
  }
  const arrived = page.getByText('Meeting status #1', { exact: true })
  await visitPage(page, `${service.url}/deliveries/inbox`)
  await page.getByText('Listening.').waitFor()
  await page.getByRole('button', { name: 'Start a practice meeting' }).click()
  await arrived.waitFor()
  await stop()

  await visitPage(page, `${service.url}/meetings`)
  await page.getByRole('button', { name: 'More options' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Dry run')
  await page.getByLabel(/^The console inbox/).check()
  await page.getByLabel('Sign with token').waitFor()
  await page.getByRole('button', { name: 'Start a practice meeting' }).click()
  await page.waitForURL(/\/meetings\/meeting_/)
  await page.getByRole('heading', { name: 'Dry run' }).waitFor()
  await visitPage(page, `${page.url()}?tab=callbacks`)
  await page.getByText('No callback has arrived yet.').waitFor()
  await openPageAndSettle(page, `${service.url}/deliveries/inbox`)
  await arrived.waitFor()
  await page.getByText('delivered here').first().waitFor()
  await stop()
  assert.deepEqual(consoleWindow.pageErrors, [])
})

test('all undelivered events are replayed from one dialog that lists their receivers', async () => {
  const { service, ada, consoleWindow } = withoutRetries()
  const { id: tokenId, signingSecret } = await ada.createToken({ name: 'backend' })
  await using receiver = await openRecordingReceiver(signingSecret)
  let isFixed = false
  receiver.setReply(({ event }) => ({ status: event.sequence === 1 && !isFixed ? 400 : 200 }))
  for (const path of ['/one', '/two']) {
    const url = 'practice://denied?speed=50'
    const title = '<img src=x onerror="window.__pwned=1">'
    await ada.post('/web/meetings/start', {
      url,
      title,
      callbackUrl: receiver.urlFor(path),
      tokenId,
    })
  }
  // Until then the page changes, and a link that moves during a click is not followed.
  await eventually(async () => {
    const { events } = (await ada.get('/web/deliveries/failed')).body
    return events === 2 ? true : null
  })
  const { page, context } = consoleWindow
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url })
  await openPageAndSettle(page, `${service.url}/`)
  await page.getByText('2 events of 2 meetings could not be delivered').waitFor()
  assert.equal(await page.getByText('Success rate').count(), 0)
  await page.getByRole('link', { name: 'View and replay' }).click()
  await page.getByText('Success rate').waitFor()
  isFixed = true
  await page.getByRole('button', { name: 'Replay failed events' }).waitFor()
  await page.keyboard.press('R')
  const dialog = page.getByRole('dialog', { name: 'Replay 2 failed events?' })
  for (const path of ['/one', '/two']) await dialog.getByText(receiver.urlFor(path)).waitFor()
  await dialog.getByRole('button', { name: 'Replay all' }).click()
  await page.getByText('Replaying 2 events').waitFor()
  const isDelivered = (path: string) =>
    receiver.calls.some(
      (call) => call.path === path && call.event.sequence === 1 && call.status === 200,
    )
  await receiver.waitUntil(() => isDelivered('/one') && isDelivered('/two'))

  await visitPage(page, `${service.url}/meetings`)
  const [button] = await page.getByRole('button', { name: /^More about/ }).all()
  await button?.click()
  await page.getByRole('menuitem', { name: 'Copy ID' }).click()
  await page.getByRole('menuitem', { name: 'Copied ID' }).waitFor()
  const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
  const id = await clipboard()
  assert.match(id, /^meeting_\w+$/)
  await page.getByRole('menuitem', { name: 'Copy as curl' }).click()
  await page.getByRole('menuitem', { name: 'Copied as curl' }).waitFor()
  await assertAccessible(page, 'row-menu')
  assert.equal(
    await clipboard(),
    `curl -H "X-API-Key: $HANSARD_API_KEY" '${service.url}/api/v1/meetings/${id}'`,
  )
  assert.equal(await page.evaluate('window.__pwned'), undefined)
  assert.deepEqual(consoleWindow.pageErrors, [])
})

test('a receiver with another signing secret is on Home after its meeting has ended, until a retry succeeds', async () => {
  const { service, ada, consoleWindow } = withoutRetries()
  const { id: tokenId, signingSecret } = await ada.createToken({ name: 'backend' })
  await using receiver = await openRecordingReceiver(signingSecret)
  let isFixed = false
  receiver.setReply(() => ({ status: isFixed ? 204 : 401 }))
  const callbackUrl = receiver.urlFor('/hook?key=s3cret')
  const meeting = { url: 'practice://denied?speed=50', title: 'Board', callbackUrl, tokenId }
  const { body: started } = await ada.post('/web/meetings/start', meeting)
  await eventually(async () => {
    const { body } = await ada.get('/web/deliveries/receivers')
    const [one] = body['receivers'] as Array<{ failingSince: string | null; pending: number }>
    return one?.failingSince && one.pending > 1 ? true : null
  })
  const name = `127.0.0.1:${new URL(receiver.url).port}/hook`
  const { page } = consoleWindow
  await visitPage(page, `${service.url}/meetings/${String(started['meetingId'])}?tab=callbacks`)
  await page.getByText('Last error: 401. Usually another signing secret').waitFor()
  await openPageAndSettle(page, `${service.url}/`)
  const attention = page.getByRole('region', { name: 'Needs attention' })
  await attention.getByText(`Callbacks to ${name} fail.`).waitFor()
  await attention.getByText(/401 since .*\d\d:\d\d, \d+ events waiting. Usually another/).waitFor()
  await attention.getByRole('link', { name: 'View deliveries' }).click()
  const list = page.getByRole('region', { name: 'Receivers' })
  await list.getByText('Signed with the token backend.').waitFor()
  await list.getByRole('link', { name: 'Board' }).waitFor()
  await page.getByRole('button', { name: 'Open Meeting status 1, failed' }).waitFor()
  await assertAccessible(page, 'deliveries-failing')
  await assertFitsPhone(page, 'deliveries-failing')
  await list.getByRole('button', { name: `Check signature of ${name}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Signed with the secret of the token backend').waitFor()
  await dialog.getByLabel('Signing secret').fill(signingSecret)
  await dialog.getByRole('button', { name: 'Check', exact: true }).click()
  await dialog.getByText('Signature valid.').waitFor()
  await page.keyboard.press('Escape')
  assert.doesNotMatch(await page.locator('main').innerText(), /http_\d|s3cret/)

  await list.getByRole('link', { name: `Attempts at ${name}` }).click()
  await page.getByText(`Only callbacks to ${name}`).waitFor()
  await page.getByRole('button', { name: 'Open Meeting status 1, failed' }).waitFor()
  isFixed = true
  await list.getByRole('button', { name: `Retry now: ${name}` }).click()
  await page.getByText('Retrying the callbacks of 1 meeting').waitFor()
  await receiver.waitUntil((calls) => calls.some(({ status }) => status === 204))
  await list.waitFor({ state: 'detached' })
  assert.deepEqual(consoleWindow.pageErrors, [])
})
