import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Db } from '../../../src/db/database.ts'
import { startServiceForFile } from '../../support/service-for-file.ts'
import { startService } from '../../support/service/start-service.ts'
import {
  sendWebhook,
  startedEvent,
  stoppedEvent,
  WEBHOOK_SECRET,
  ZOOM_SETTINGS,
} from '../../support/zoom/webhooks.ts'

let db: Db
const shared = startServiceForFile(ZOOM_SETTINGS, { routes: (_, opened) => void (db = opened) })
const send = (
  ...args: Parameters<typeof sendWebhook> extends [string, ...infer Rest] ? Rest : never
) => sendWebhook(`http://127.0.0.1:${shared().port}`, ...args)

let streams = 0
function newStream() {
  streams += 1
  return {
    streamId: `webhook-${streams}`,
    meetingUuid: 'uuid==',
    number: 81_234_567_800 + streams,
    serverUrl: 'wss://a.sjc.zoom.us:443',
    at: 1_000_000 + streams,
  }
}
const rowOf = (streamId: string) =>
  db
    .selectFrom('zoom_stream')
    .select(['meeting_number', 'server_url', 'has_stopped', 'stop_reason'])
    .where('stream_id', '=', streamId)
    .executeTakeFirst()

test('a webhook without the exact and fresh signature of Zoom is refused and stores nothing', async () => {
  const stream = newStream()
  const body = startedEvent(stream)
  const minutes = (count: number) => new Date(Date.now() + count * 60_000)
  const forged = [
    { secret: 'another' },
    { signature: '' },
    { signature: 'v0=' },
    { signature: `v0=${'0'.repeat(64)}` },
    { at: minutes(-6) },
    { at: minutes(6) },
    { timestamp: 'now' },
    { timestamp: '' },
  ]
  for (const signing of forged) {
    const answer = await send(body, signing)
    assert.deepEqual([answer.status, answer.body['code']], [401, 'invalid_webhook_signature'])
  }
  const bare = await fetch(`http://127.0.0.1:${shared().port}/hooks/zoom`, { method: 'POST' })
  assert.equal(bare.status, 401)
  assert.equal(await rowOf(stream.streamId), undefined)
  assert.equal((await send(body, { at: minutes(-4) })).status, 200)
  assert.equal((await rowOf(stream.streamId))?.meeting_number, String(stream.number))
})

test('the check of the address is answered with the token and its hash', async () => {
  const { status, body } = await send({
    event: 'endpoint.url_validation',
    payload: { plainToken: 'qgg8vlvZRS6UYooatFL8Aw' },
  })
  assert.equal(status, 200)
  const { createHmac } = await import('node:crypto')
  assert.deepEqual(body, {
    plainToken: 'qgg8vlvZRS6UYooatFL8Aw',
    encryptedToken: createHmac('sha256', WEBHOOK_SECRET)
      .update('qgg8vlvZRS6UYooatFL8Aw')
      .digest('hex'),
  })
})

test('signed webhooks that are not valid get a 4xx, and unknown events are ignored', async () => {
  const stream = newStream()
  const started = startedEvent(stream)
  const cases: ReadonlyArray<readonly [unknown, number]> = [
    ['{', 400],
    ['', 400],
    ['[]', 400],
    ['null', 400],
    [{ event: 7 }, 400],
    [{ event: 'meeting.rtms_started' }, 400],
    [{ ...started, payload: {} }, 400],
    [{ ...started, payload: { rtms_stream_id: 'a\0b', meeting_uuid: 'u', server_urls: 'x' } }, 400],
    [{ ...started, payload: { object: { rtms_stream_id: {}, meeting_uuid: 1 } } }, 400],
    ['['.repeat(5_000), 400],
    [{ event: 'x', filler: 'y'.repeat(70_000) }, 413],
    [{ event: 'meeting.rtms_interrupted', payload: { meeting_uuid: 'u' } }, 200],
    [{ event: 'recording.completed', payload: 7 }, 200],
  ]
  for (const [body, status] of cases)
    assert.equal((await send(body)).status, status, JSON.stringify(body).slice(0, 80))
  assert.equal(await rowOf(stream.streamId), undefined)
})

test('deliveries that are repeated, late or out of order change nothing', async () => {
  const stream = newStream()
  await send(startedEvent(stream))
  await send(startedEvent(stream))
  // Zoom moved the stream, then a late copy of the first delivery arrives.
  const moved = { ...stream, serverUrl: 'wss://b.sjc.zoom.us', at: stream.at + 10 }
  await send(startedEvent(moved))
  await send(startedEvent(stream))
  assert.equal((await rowOf(stream.streamId))?.server_url, moved.serverUrl)
  await send(stoppedEvent(stream, 6))
  await send(stoppedEvent(stream, 1))
  await send(startedEvent({ ...moved, at: moved.at + 10 }))
  assert.partialDeepStrictEqual(await rowOf(stream.streamId), { has_stopped: true, stop_reason: 6 })

  const early = newStream()
  await send(stoppedEvent(early, 1))
  await send(startedEvent(early))
  assert.equal((await rowOf(early.streamId))?.has_stopped, true)

  const nested = newStream()
  const { payload, ...rest } = startedEvent({ ...nested, number: '812 3456 7899' })
  await send({ ...rest, payload: { object: payload } })
  assert.equal((await rowOf(nested.streamId))?.meeting_number, '81234567899')
})

test('an organization that removes the app no longer counts as one that has it', async () => {
  const installed = () =>
    db.selectFrom('zoom_account').select(['account_id', 'is_installed']).execute()
  const now = Date.now()
  await send(startedEvent({ ...newStream(), at: now }))
  assert.deepEqual(await installed(), [{ account_id: 'account-1', is_installed: true }])
  const removal = { event: 'app_deauthorized', payload: { account_id: 'account-1' } }
  await send({ ...removal, event_ts: now - 1_000 })
  assert.equal((await installed())[0]?.is_installed, true)
  await send({ ...removal, event_ts: now + 1 })
  assert.equal((await installed())[0]?.is_installed, false)
})

test('without a Zoom app, webhooks find nothing and links are refused with what to do', async () => {
  await using service = await startService()
  const answer = await sendWebhook(`http://127.0.0.1:${service.port}`, startedEvent(newStream()))
  assert.deepEqual([answer.status, answer.body['code']], [404, 'not_found'])
  const admin = await service.adminClient()
  const { apiKey } = await admin.createToken()
  const start = await service
    .anonymousClient()
    .post(
      '/api/v1/meetings/start',
      { url: 'https://zoom.us/j/81234567890', callbackUrl: 'http://127.0.0.1:9/' },
      { 'x-api-key': apiKey },
    )
  assert.equal(start.status, 400)
  assert.match(JSON.stringify(start.body), /HANSARD_ZOOM_CLIENT_ID/)
})
