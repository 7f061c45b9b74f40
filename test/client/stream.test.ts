import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createClient, HansardError, type MeetingEvent } from 'hansard/client'
import { createSeededRandom } from '../support/meetings/caption-streams.ts'
import { eventually } from '../support/time/eventually.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openFlakyProxy } from '../support/http/flaky-proxy.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'

const isStored = ({ type }: MeetingEvent) => type !== 'caption_partial'

test('the events of a meeting arrive once and in order over broken connections', async () => {
  const stage = createScriptedPlatform()
  await using service = await startService({}, { platforms: [stage] })
  const program = await openMeetingsClient(service)
  const random = createSeededRandom(1)
  // Breaks each connection after a random number of bytes: in the headers, in a message or between messages.
  await using proxy = await openFlakyProxy(service.port, (nth) =>
    nth > 12 ? null : random.between(300, 2_500),
  )
  const client = createClient({ url: proxy.url, apiKey: program.key['x-api-key'] })
  const id = await program.start('stage://talk')
  const room = stage.room('talk')
  const say = (captionId: string, text: string, isFinal: boolean) =>
    room.emit({
      kind: 'caption',
      captionId,
      speaker: 'Ana',
      text,
      ...(isFinal && { isFinal, version: 99 }),
    })
  room.emit({ kind: 'admitted' })
  for (let i = 0; i < 30; i += 1) say(`c${i}`, `This is sentence number ${i} of the talk.`, true)
  const seen: MeetingEvent[] = []
  const reading = (async () => {
    for await (const event of client.meetings.events(id)) seen.push(event)
  })()
  // Partial captions are not stored, so new ones are sent until one arrives.
  let words = 'This'
  await eventually(() => {
    words += ' grows'
    say('last', words, false)
    return seen.some(({ type }) => type === 'caption_partial') ? true : null
  })
  room.emit({ kind: 'over', because: 'host_ended' })
  await reading
  assert.deepEqual(seen.filter(isStored), await program.events(id))
  assert.ok(proxy.connections() > 3)

  // A second stream starts after a given sequence and omits partial captions.
  const rest = client.meetings.events(id, { after: 5 }, { partials: false })
  assert.equal((await rest.next()).value?.sequence, 6)
  await rest.return()
})

test('the stream of all meetings loses no event when the connection breaks before the first one', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  await using proxy = await openFlakyProxy(service.port, () => null)
  const client = createClient({ url: proxy.url, apiKey: program.key['x-api-key'] })
  const seen: MeetingEvent[] = []
  const reading = (async () => {
    for await (const event of client.events.stream({ events: 'meeting_status' })) {
      seen.push(event)
      if (event.type === 'meeting_status' && event.payload.status === 'error') return
    }
  })()
  // The first connection brings only the message with the resume position.
  await eventually(() => (proxy.receivedText().includes('\nid: ') ? true : null))
  proxy.cut()
  const id = await program.start('practice://denied?speed=1000')
  await reading
  const stored = (await program.events(id)).filter(({ type }) => type === 'meeting_status')
  assert.deepEqual(seen, stored)
})

test('a rejected stream throws without a retry', async () => {
  await using service = await startService()
  const program = await openMeetingsClient(service)
  const client = createClient({ url: service.url, apiKey: program.key['x-api-key'] })
  const isUnknown = (error: unknown) =>
    error instanceof HansardError && error.code === 'meeting_not_found'
  await assert.rejects(client.meetings.events('meeting_1_x').next(), isUnknown)
})

test('a stream to an unreachable service throws after patienceMs', async () => {
  const client = createClient({ url: 'http://127.0.0.1:9', apiKey: 'sk_x', patienceMs: 100 })
  const isGone = (error: unknown) => error instanceof HansardError && error.code === 'no_connection'
  await assert.rejects(client.events.stream().next(), isGone)
})
