import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { eventually } from '../support/time/eventually.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { openForFile } from '../support/open-for-file.ts'
import { startWithRoutes } from '../support/service/start-nodes.ts'

const sharedService = openForFile(async () => {
  const service = await startWithRoutes()
  return Object.assign(service, { ada: await service.adminClient() })
})

test('every route of the public API for shared resources also exists for the console', async () => {
  const service = sharedService()
  const shared = [
    'meetings',
    'deliv',
    'tasks',
    'executions',
    'prompts',
    'usage',
    'projects',
    'search',
  ]
  const routesUnder = (prefix: string) =>
    service.routes
      .filter(({ url }) => shared.some((start) => url.startsWith(`${prefix}/${start}`)))
      .map(({ method, url }) => `${method} ${url.slice(prefix.length)}`)
  const consoleRoutes = new Set(routesUnder('/web'))
  assert.deepEqual(
    routesUnder('/api/v1').filter((route) => !consoleRoutes.has(route)),
    [],
  )
  const anonymous = service.anonymousClient()
  for (const path of [
    '/web/meetings',
    '/web/deliveries',
    '/web/events/stream',
    '/web/projects',
    '/web/search?q=x',
    '/web/tasks',
  ]) {
    assert.equal((await anonymous.get(path)).status, 401, path)
  }
})

test('a meeting started in the console without a callback URL sends no events', async () => {
  const { ada } = sharedService()
  const { status, body } = await ada.post('/web/meetings/start', {
    url: 'practice://denied?speed=100',
    title: 'Read along',
  })
  assert.equal(status, 201)
  const path = `/web/meetings/${String(body['meetingId'])}`
  const { body: page } = await ada.get(`${path}/events?wait=5`)
  assert.ok((page['events'] as unknown[]).length > 0)
  const { body: sent } = await ada.get(`${path}/deliveries`)
  assert.deepEqual(sent['deliveries'], [])
})

test('a start in the console needs both a callback URL and a token, or neither', async () => {
  const { ada } = sharedService()
  const { id: tokenId, signingSecret } = await ada.createToken()
  await using receiver = await openRecordingReceiver(signingSecret)
  const url = 'practice://denied?speed=100'
  const callbackUrl = receiver.urlFor('/hook')
  for (const half of [{ callbackUrl }, { tokenId }]) {
    const { status, body } = await ada.post('/web/meetings/start', { url, ...half })
    assert.equal(status, 400)
    assert.equal((body['details'] as Array<{ path: string }>)[0]?.path, 'tokenId')
  }
  const { status } = await ada.post('/web/meetings/start', { url, callbackUrl, tokenId })
  assert.equal(status, 201)
  await receiver.waitUntil((calls) => calls.length > 0)
  const { body } = await ada.post('/web/callbacks/test', { callbackUrl, tokenId })
  assert.equal(body['delivered'], true)
  assert.deepEqual(receiver.problems, [])
})

test('the console shows the HTTP request of an attempt as the receiver got it', async () => {
  const { ada } = sharedService()
  const { id: tokenId, signingSecret } = await ada.createToken()
  await using receiver = await openRecordingReceiver(signingSecret)
  const callbackUrl = receiver.urlFor('/hook')
  const { body: started } = await ada.post('/web/meetings/start', {
    url: 'practice://denied?speed=100',
    callbackUrl,
    tokenId,
  })
  // An attempt is stored shortly after the receiver has responded.
  await eventually(async () => {
    const { body } = await ada.get(`/web/meetings/${String(started['meetingId'])}/deliveries`)
    return (body['deliveries'] as unknown[]).length > 2 ? true : null
  })
  for (const { headers, body } of receiver.calls
    .filter(({ path }) => path === '/hook')
    .slice(0, 3)) {
    if (headers['x-service-event'] === 'caption_partial') continue
    const id = String(headers['x-service-delivery-id'])
    const { body: sentRequest } = await ada.get(`/web/deliveries/${id}/request`)
    assert.equal(sentRequest['url'], callbackUrl)
    assert.equal(sentRequest['body'], body.toString())
    const sentHeaders = sentRequest['headers'] as Record<string, string>
    for (const name of ['x-service-signature', 'x-service-previous-sequence', 'webhook-id']) {
      assert.equal(sentHeaders[name], headers[name], name)
    }
  }
  const { status } = await ada.get('/web/deliveries/dlv_unknown/request')
  assert.equal(status, 404)
  const { body: figures } = await ada.get('/web/deliveries/figures')
  assert.ok(Number(figures['delivered']) > 0)
})

test('the console can check a meeting link before it starts a meeting', async () => {
  const { ada } = sharedService()
  const checkLink = (url: string) => ada.post('/web/meetings/link', { url })
  const { body } = await checkLink('https://meet.google.com/abc-defg-hij')
  assert.deepEqual(body, { platform: 'google_meet', label: 'Google Meet abc-defg-hij', others: [] })
  const cases: Array<[string, RegExp]> = [
    ['https://zoom.us/j/1', /Zoom/],
    ['https://meet.google.com/landing', /does not name a meeting/],
    ['https://calendar.google.com/event?eid=1', /calendar/],
    ['practice://nothing', /no practice meeting/],
    ['two words', /isn’t a valid link/],
    ['https://example.com/x', /supported platform/],
  ]
  for (const [url, message] of cases) {
    const answer = await checkLink(url)
    assert.equal(answer.status, 400, url)
    assert.match((answer.body['details'] as Array<{ message: string }>)[0]?.message ?? '', message)
  }
})
