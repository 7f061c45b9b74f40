import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { Client } from 'pg'
import { createPracticePlatform } from '../../src/bots/platforms/practice/practice-platform.ts'
import { parseConfig } from '../../src/config/config.ts'
import {
  describeLastError,
  describeProblem,
} from '../../src/deliveries/history/delivery-summary.ts'
import { DELIVERY_ERROR_CODES } from '../../src/network/network-errors.ts'
import { EVENTS } from '../../src/meetings/event-types.ts'
import { runCheck, STANDARD_CHECKS } from '../../src/operations/doctor/checks.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'
import { eventually } from '../support/time/eventually.ts'

/** All event types except partial captions, which use sequences but are not stored. */
const STORED_TYPES = Object.entries(EVENTS).flatMap(([type, { isStored }]) =>
  isStored ? [type] : [],
)

type Failed = {
  events: number
  meetings: number
  lastFailedAt: string | null
  destinations: Array<Record<string, unknown>>
}

const NOTHING_FAILED: Failed = { events: 0, meetings: 0, lastFailedAt: null, destinations: [] }

test('replaying failed events sends each event of every meeting once, even when two callers ask concurrently', async () => {
  await using service = await startService({}, { laneRules: { rejectionBackoffMs: [] } })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  let isFixed = false
  /** Two consecutive events and a single one. */
  const rejected = [2, 3, 6]
  receiver.setReply(({ event }) => ({
    status: rejected.includes(event.sequence) && !isFixed ? 400 : 200,
  }))
  const start = async (path: string) => {
    const callbackUrl = receiver.urlFor(path)
    const options = { callbackUrl, events: STORED_TYPES }
    const id = await program.start('practice://host-ends?speed=50', options)
    await program.waitForStatus(id)
    await program.waitForDelivery(id)
    return id
  }
  const ids = [await start('/one?key=hidden'), await start('/two')]
  const failed = async () =>
    (await program.ask('GET', '/deliveries/failed')).body as unknown as Failed
  const { lastFailedAt, ...counts } = await failed()
  const { body: second } = await program.get(`/${ids[1]}`)
  const { startedAt } = second['meeting'] as { startedAt: string }
  assert.ok(lastFailedAt !== null && lastFailedAt > startedAt)
  assert.deepEqual(counts, {
    events: 6,
    meetings: 2,
    destinations: ['/one', '/two'].map((path) => ({
      url: receiver.urlFor(path),
      events: 3,
      meetings: 1,
    })),
  })

  // Events that are rejected again become failed events again.
  const replay = () => program.ask('POST', '/deliveries/failed/replay')
  assert.deepEqual((await replay()).body, { events: 6, meetings: 2, remaining: 0 })
  await eventually(async () => ((await failed()).events === 6 ? true : null))

  isFixed = true
  const before = receiver.calls.length
  const answers = await Promise.all([replay(), program.admin.post('/web/deliveries/failed/replay')])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [202, 202],
  )
  assert.equal(
    answers.reduce((sum, { body }) => sum + Number(body['events']), 0),
    6,
  )
  await receiver.waitUntil((calls) => calls.length >= before + 6)
  const arrived = receiver.calls
    .slice(before)
    .map(({ event, headers }) => [
      event.meetingId,
      event.sequence,
      headers['x-service-previous-sequence'],
    ])
  const expected = ids.flatMap((id) => rejected.map((n) => [id, n, String(n - 1)]))
  assert.deepEqual(arrived.map(String).toSorted(), expected.map(String).toSorted())
  assert.deepEqual(await failed(), NOTHING_FAILED)
  assert.equal((await replay()).body['events'], 0)
  assert.deepEqual(receiver.problems, [])
})

test('failed events of a closed lane are not replayed', async () => {
  await using service = await startService({}, { laneRules: { rejectionBackoffMs: [] } })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  receiver.setReply(({ event }) => ({ status: event.sequence === 1 ? 400 : 410 }))
  const id = await program.start('practice://denied?speed=50', { callbackUrl: receiver.url })
  await program.waitForStatus(id)
  await receiver.waitUntil((calls) => calls.some(({ status }) => status === 410))
  await eventually(async () => {
    const { body } = await program.get(`/${id}`)
    const { delivery } = body['meeting'] as { delivery: { state: string } }
    return delivery.state === 'closed' ? true : null
  })
  const { body } = await program.ask('POST', '/deliveries/failed/replay')
  assert.deepEqual(body, { events: 0, meetings: 0, remaining: 0 })
})

test('a replay names the previous wanted event and removes its events from the failed events', async () => {
  await using service = await startService({}, { laneRules: { rejectionBackoffMs: [] } })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  let requests = 0
  receiver.setReply(() => ({ status: ++requests === 2 ? 400 : 200 }))
  const options = { callbackUrl: receiver.url, events: ['segment_finalized'] }
  const id = await program.start('practice://host-ends?speed=50', options)
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  const [first, rejected] = receiver.calls.map(({ event }) => event.sequence)
  const failed = async () => (await program.ask('GET', '/deliveries/failed')).body['events']
  assert.equal(await failed(), 1)

  const before = receiver.calls.length
  const range = { from: rejected, to: rejected }
  assert.equal((await program.post(`/${id}/events/replay`, range)).status, 202)
  await receiver.waitUntil((calls) => calls.length > before)
  const again = receiver.calls[before]
  assert.deepEqual(
    [again?.event.sequence, again?.headers['x-service-previous-sequence']],
    [rejected, String(first)],
  )
  assert.equal(await failed(), 0)
})

test('a replay of old events survives a failure, and rejections at another URL add no failed events', async () => {
  await using service = await startService(
    {},
    { laneRules: { rejectionBackoffMs: [], backoffMs: [20] } },
  )
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  let failuresLeft = 1
  receiver.setReply(({ path, event }) => {
    if (path === '/original') return { status: 200 }
    if (event.sequence === 2) return { status: 400 }
    failuresLeft -= 1
    return { status: failuresLeft >= 0 ? 503 : 200 }
  })
  const options = { callbackUrl: receiver.urlFor('/original'), events: STORED_TYPES }
  const id = await program.start('practice://host-ends?speed=50', options)
  await program.waitForStatus(id)
  await program.waitForDelivery(id)
  const sequences = (await program.events(id)).map(({ sequence }) => sequence)
  const database = new Client({ connectionString: service.databaseUrl })
  await database.connect()
  await database.query(`update event set at = at - interval '26 hours'`)
  await database.end()

  await program.post(`/${id}/events/replay`, { callbackUrl: receiver.urlFor('/other') })
  const arrived = () =>
    receiver.calls.flatMap(({ path, event }) => (path === '/other' ? event.sequence : []))
  await receiver.waitUntil(() => arrived().at(-1) === sequences.at(-1))
  assert.deepEqual(arrived(), [1, ...sequences])
  assert.deepEqual((await program.ask('GET', '/deliveries/failed')).body, NOTHING_FAILED)
  const { body } = await program.get(`/${id}/deliveries?outcome=rejected`)
  assert.deepEqual(body['failedEvents'], [])
  assert.equal((body['deliveries'] as unknown[]).length, 1)
  const replay = await program.ask('POST', '/deliveries/failed/replay')
  assert.deepEqual(replay.body, { events: 0, meetings: 0, remaining: 0 })
})

type Receiver = {
  url: string
  tokenName: string | null
  failingSince: string | null
  pending: number
  meetings: Array<{ meetingId: string; title: string; pending: number; isFailing: boolean }>
}

test('a receiver that fails is listed with the reason after its meetings have ended, until a retry succeeds', async () => {
  // Longer than the test, so that only a person retries.
  const stage = createScriptedPlatform()
  const platforms = [stage, createPracticePlatform()]
  const laneRules = { backoffMs: [1_800_000] }
  await using service = await startService({}, { laneRules, platforms })
  const program = await openMeetingsClient(service)
  await using receiver = await openRecordingReceiver(program.signingSecret)
  let isFixed = false
  receiver.setReply(() => ({ status: isFixed ? 204 : 401 }))
  const url = receiver.urlFor('/hook')
  const startedAt = new Date().toISOString()
  const ids: string[] = []
  for (const [i, title] of ['Board', 'Review'].entries()) {
    const callbackUrl = `${url}?key=s3cret-${i}`
    ids.push(await program.start('practice://denied?speed=50', { title, callbackUrl }))
  }
  // One lane that no node owns, and one that a node owns because its meeting continues.
  const live = await program.start('stage://live', { title: 'Live', callbackUrl: url })
  stage.room('live').emit({ kind: 'admitted' })
  for (const id of ids) await program.waitForStatus(id)
  await program.waitForStatus(live, ['live'])
  const list = async () =>
    (await program.ask('GET', '/deliveries/receivers')).body['receivers'] as Receiver[]
  const [failing] = await eventually(async () => {
    const receivers = await list()
    const isEach = receivers[0]?.meetings.every(({ isFailing }) => isFailing)
    return isEach && receivers[0]?.meetings.length === 3 ? receivers : null
  })
  assert.partialDeepStrictEqual(failing, {
    url,
    tokenName: 'test',
    problem: { label: '401', hint: 'Usually another signing secret' },
    meetingCount: 3,
  })
  assert.ok(failing && failing.failingSince !== null && failing.failingSince >= startedAt)
  const { meetings } = failing
  assert.deepEqual(
    new Map(meetings.map(({ meetingId, title }) => [meetingId, title])),
    new Map([
      [ids[0], 'Board'],
      [ids[1], 'Review'],
      [live, 'Live'],
    ]),
  )
  assert.ok(meetings.every(({ pending }) => pending > 0))
  assert.doesNotMatch(JSON.stringify(failing), /s3cret/)

  const { body: attempts } = await program.ask('GET', `/deliveries?receiver=${url}`)
  const [attempt, ...others] = attempts['deliveries'] as Array<Record<string, unknown>>
  assert.equal(others.length, 2)
  assert.partialDeepStrictEqual(attempt, { url, tokenName: 'test', status: 401 })
  const id = String(attempt?.['deliveryId'])
  assert.deepEqual((await program.ask('GET', `/deliveries/${id}`)).body, { delivery: attempt })
  assert.equal((await program.ask('GET', '/deliveries/dlv_unknown')).status, 404)
  const { body: none } = await program.ask('GET', `/deliveries?receiver=${url}/more`)
  assert.deepEqual(none['deliveries'], [])

  await using folder = createTestDataFolder()
  const env = {
    ...folder.env,
    HANSARD_URL: service.url,
    HANSARD_API_KEY: program.key['x-api-key'],
    DATABASE_URL: service.databaseUrl,
    HANSARD_DATA: service.dataFolder,
  }
  const hansard = async (...args: string[]) => {
    const { code, stdout, stderr } = await runLoadedCommand(['deliveries', ...args], env)
    assert.deepEqual([code, stderr], [0, ''], args.join(' '))
    return stdout
  }
  const listed = await hansard('list', '--outcome', 'failed')
  const row = `${url} +401 +\\d{4}-.* \\d+ +test +Usually another signing secret`
  assert.match(listed, new RegExp(row))
  assert.match(listed, new RegExp(`failed +401 +meeting_status 1 +Board +${url} +dlv_`))
  const shown = await hansard('show', id)
  assert.match(shown, new RegExp(`Receiver: +${url}\nSigned with: +the token test`))
  assert.match(shown, /Problem: +401\. Usually another signing secret\n/)
  const check = STANDARD_CHECKS.find((one) => one.name === 'receivers')
  assert.ok(check)
  const config = parseConfig({ env, root: '/' })
  const result = await runCheck(check, { config, runningService: null })
  assert.equal(result.ok, false, result.detail)
  assert.match(result.detail, /^127\.0\.0\.1:\d+: 401 since \d{4}-\S+ \S+ UTC, \d+ waiting$/)

  isFixed = true
  const retry = async (body?: object) => {
    const { status, body: result } = await program.ask('POST', '/deliveries/retry', body)
    assert.equal(status, 202)
    return result['meetings']
  }
  assert.equal(await retry({ receiver: `${url}/more` }), 0)
  assert.equal(
    await hansard('retry', '--receiver', url),
    'Retrying the callbacks of 3 meeting(s)\n',
  )
  for (const one of ids) await program.waitForDelivery(one)
  await receiver.waitUntil(() => receiver.callsFor(live).some(({ status }) => status === 204))
  await eventually(async () =>
    (await list()).every((one) => one.failingSince === null) ? true : null,
  )
  assert.equal(await retry(), 0)
  assert.equal(await hansard('retry'), 'Nothing waits for a receiver that fails.\n')
  const good = await runCheck(check, { config, runningService: null })
  assert.deepEqual([good.ok, good.detail], [true, 'no receiver of callbacks fails'])
  assert.deepEqual(receiver.problems, [])
})

test('a problem of a receiver has words for every status and every error', () => {
  const label = (status: number | null, error: string | null = null) =>
    describeProblem({ status, error })?.label
  assert.deepEqual([label(204), label(200, 'timeout')], [undefined, 'Timeout'])
  for (let status = 100; status < 600; status += 1) {
    if (status >= 200 && status < 300) continue
    assert.match(describeProblem({ status, error: null })?.hint ?? '', /^[A-Z]/, String(status))
    assert.equal(label(status), String(status))
  }
  for (const code of [...DELIVERY_ERROR_CODES, 'token_removed', 'held_back', 'http_401']) {
    const { label: text = '', hint = '' } = describeLastError(code) ?? {}
    assert.doesNotMatch(text + hint, /_(?!ALLOW|CALLBACK)/, code)
    assert.ok(hint !== '', code)
  }
})
