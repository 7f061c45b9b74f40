import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import {
  openRecordingReceiver,
  type ReceivedCallback,
} from '../support/callbacks/recording-receiver.ts'

type Delivery = { deliveryId: string; meetingId: string; sequence: number; type: string }
type Page = {
  deliveries: Array<Delivery & Record<string, unknown>>
  nextCursor: string | null
  failedEvents?: unknown[]
}

const EVENTS = ['meeting_status', 'participant_joined', 'segment_finalized', 'document_saved']

const idOf = ({ headers }: ReceivedCallback) => String(headers['x-service-delivery-id'])

test('every attempt is listed once over all pages, newest first, and can be filtered', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  receiver.setReply(() =>
    receiver.calls.length === 0
      ? { status: 500, body: 'out of <b>order</b>' }
      : { status: 200, body: 'ok' },
  )
  const callbackUrl = receiver.url
  const id = await program.start('practice://host-ends?speed=50', { callbackUrl, events: EVENTS })
  const other = await program.start('practice://denied?speed=50', { callbackUrl, events: EVENTS })
  for (const one of [id, other]) {
    await program.waitForStatus(one)
    await program.waitForDelivery(one)
  }
  const read = async (path: string) => {
    const { status, body } = await program.ask('GET', path)
    assert.equal(status, 200, JSON.stringify(body))
    return body as unknown as Page
  }
  const calls = receiver.calls.map(idOf)
  const all: string[] = []
  for (let more = ''; ;) {
    const page = await read(`/deliveries?limit=7${more}`)
    all.push(...page.deliveries.map(({ deliveryId }) => deliveryId))
    if (page.nextCursor === null) break
    more = `&cursor=${page.nextCursor}`
  }
  assert.deepEqual(all.toSorted(), calls.toSorted())
  assert.equal(new Set(all).size, all.length)

  const mine = await read(`/meetings/${id}/deliveries?limit=100`)
  assert.deepEqual(
    mine.deliveries.map(({ deliveryId }) => deliveryId).toSorted(),
    receiver.callsFor(id).map(idOf).toSorted(),
  )
  const times = mine.deliveries.map(({ startedAt }) => String(startedAt))
  assert.deepEqual(times, times.toSorted().toReversed())
  assert.deepEqual(mine.failedEvents, [])
  for (const call of receiver.callsFor(id)) {
    const { body } = await program.admin.get(`/web/deliveries/${idOf(call)}/request`)
    const { headers } = body as unknown as Pick<ReceivedCallback, 'headers'>
    const name = 'x-service-previous-sequence'
    assert.equal(headers[name], call.headers[name], `of ${call.event.sequence}`)
  }
  const failed = await read('/deliveries?outcome=failed')
  assert.equal(failed.deliveries.length, 1)
  assert.partialDeepStrictEqual(failed.deliveries[0], {
    kind: 'meeting',
    status: 500,
    error: null,
    answer: 'out of <b>order</b>',
  })
  assert.equal(typeof failed.deliveries[0]?.['nextAttemptAt'], 'string')
  const first = await read(`/meetings/${other}/deliveries?sequence=1&outcome=delivered`)
  assert.deepEqual(
    first.deliveries.map(({ type, sequence, meetingId }) => [type, sequence, meetingId]),
    [['meeting_status', 1, other]],
  )
  const joins = await read(`/deliveries?meeting=${id}&type=participant_joined`)
  assert.ok(joins.deliveries.length > 0)
  assert.deepEqual((await read('/deliveries?since=2100-01-01T00:00:00.000Z')).deliveries, [])
  for (const query of ['cursor=x', 'cursor=1.', 'outcome=maybe', 'limit=0', 'since=now']) {
    assert.equal((await program.ask('GET', `/deliveries?${query}`)).status, 400, query)
  }
  assert.equal((await program.get('/meeting_1_x/deliveries')).status, 404)
})

test('a request that is repeated after a reset is an attempt of its own, with its own id', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  // The receiver reads the second request, on a connection that has carried a response, and resets the connection.
  receiver.setReply(() => (receiver.calls.length === 1 ? 'cut' : { status: 200 }))
  const options = { callbackUrl: receiver.url, events: EVENTS }
  const id = await program.start('practice://host-ends?speed=50', options)
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  const sent = receiver.calls.map(idOf)
  assert.equal(new Set(sent).size, sent.length)
  const [, cut, repeated] = receiver.calls as [unknown, ReceivedCallback, ReceivedCallback]
  assert.deepEqual(repeated.body, cut.body)
  const { body } = await program.ask('GET', `/meetings/${id}/deliveries?limit=100`)
  const { deliveries } = body as unknown as Page
  assert.deepEqual(deliveries.map(({ deliveryId }) => deliveryId).toSorted(), sent.toSorted())
  const failed = deliveries.filter(({ outcome }) => outcome === 'failed')
  assert.equal(failed.length, 1)
  assert.partialDeepStrictEqual(failed[0], { deliveryId: idOf(cut), error: 'connection_reset' })
})

test('a test event is sent to a URL or to a meeting, and the receiver library accepts it', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  const testCall = (body: unknown) => program.ask('POST', '/callbacks/test', body)
  receiver.setReply(({ path }) => ({ status: path === '/busy' ? 503 : 200, body: 'thanks' }))

  const good = await testCall({ callbackUrl: receiver.url })
  assert.partialDeepStrictEqual(good.body, {
    delivered: true,
    status: 200,
    error: null,
    answer: 'thanks',
  })
  const busy = await testCall({ callbackUrl: receiver.urlFor('/busy') })
  assert.partialDeepStrictEqual(busy.body, { delivered: false, status: 503 })
  receiver.setDown(true)
  const down = await testCall({ callbackUrl: receiver.url })
  assert.partialDeepStrictEqual(down.body, { delivered: false, status: null })
  assert.equal(typeof down.body.error, 'string')
  receiver.setDown(false)

  const callbackUrl = receiver.urlFor('/meeting')
  const id = await program.start('practice://denied?speed=1000', { callbackUrl })
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  const before = receiver.calls.length
  const { body: result } = await testCall({ meetingId: id })
  assert.equal(result['delivered'], true)
  const [arrived, ...more] = receiver.calls.slice(before)
  assert.deepEqual([arrived?.path, more], ['/meeting', []])
  assert.equal(arrived?.headers['x-service-event'], 'test')
  // A receiver that removes duplicates must not mistake a test event for an event of the meeting.
  assert.notEqual(arrived.event.meetingId, id)
  const { body: listed } = await program.get(`/${id}/deliveries?type=test`)
  const [row] = (listed as unknown as Page).deliveries
  assert.partialDeepStrictEqual(row, { deliveryId: result['deliveryId'], sequence: 0 })
  assert.deepEqual(receiver.problems, [])

  for (const bad of [{}, { callbackUrl: receiver.url, meetingId: id }, { callbackUrl: 'x' }]) {
    assert.equal((await testCall(bad)).status, 400)
  }
  assert.equal((await testCall({ meetingId: 'meeting_1_x' })).status, 404)
})

test('a service with a public URL shows the status of a receiver at a private address, but not its response', async () => {
  await using service = await startService({ HANSARD_PUBLIC_URL: 'https://hansard.example.com' })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  receiver.setReply(() => ({ status: 200, body: 'an internal page' }))
  const callbackUrl = receiver.url
  const tested = await program.ask('POST', '/callbacks/test', { callbackUrl })
  assert.partialDeepStrictEqual(tested.body, { delivered: true, status: 200 })
  const id = await program.start('practice://denied?speed=1000', { callbackUrl })
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  assert.equal((await program.ask('POST', '/callbacks/test', { meetingId: id })).status, 200)
  const { body } = await program.get(`/${id}/deliveries`)
  const { deliveries } = body as unknown as Page
  assert.deepEqual(new Set(deliveries.map(({ status }) => status)), new Set([200]))
  for (const shown of [tested.body, body])
    assert.doesNotMatch(JSON.stringify(shown), /an internal page/)
})
