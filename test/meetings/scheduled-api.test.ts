import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createManualClock } from '../support/time/manual-clock.ts'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'
import { openForFile } from '../support/open-for-file.ts'

const clock = createManualClock()
const at = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000).toISOString()

const opened = openForFile(async () => {
  const service = await startService({}, { clock, platforms: [createScriptedPlatform()] })
  const program = await openMeetingsClient(service)
  return { service, program, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() }
})

type ListedMeeting = { meetingId: string; status: string }
const listed = (body: Record<string, unknown>) =>
  (body['meetings'] as ListedMeeting[]).map(({ meetingId }) => meetingId)

test('a scheduled meeting is in the response, the history and its page, without events or a document', async () => {
  const { program } = opened()
  const body = { url: 'stage://one', callbackUrl: 'http://127.0.0.1:9/', title: 'Review' }
  const answer = await program.post('/start', { ...body, joinAt: at(60) })
  const { meetingId: id, ...started } = answer.body
  assert.equal(answer.status, 201)
  const joinAt = at(60)
  const expected = { status: 'scheduled', project: 'api', documentPath: null, joinAt }
  assert.deepEqual(started, { platform: 'google_meet', ...expected })
  assert.partialDeepStrictEqual((await program.get(`/${String(id)}`)).body['meeting'], {
    ...expected,
    startedAt: joinAt,
    statuses: [],
    visits: 0,
    delivery: null,
  })
  const { body: history } = await program.get('?status=scheduled')
  assert.partialDeepStrictEqual((history['meetings'] as object[])[0], expected)
  assert.deepEqual(listed(history), [id])
  for (const query of ['?status=joining', '?begun=true'])
    assert.deepEqual(listed((await program.get(query)).body), [])
  assert.deepEqual(listed((await program.get('?begun=false')).body), [id])
  assert.deepEqual(listed((await program.get('/status')).body), [])
  assert.deepEqual(await program.events(String(id)), [])
  assert.equal((await program.get(`/${String(id)}/document`)).status, 404)
  assert.deepEqual((await program.get(`/${String(id)}/transcript`)).body['segments'], [])
  const { body: metrics } = await program.ask('GET', '/../../metrics')
  assert.match(String(metrics['text']), /^hansard_meetings_scheduled 1$/m)
  assert.match(
    String(metrics['text']),
    /^hansard_meetings\{platform="google_meet",status="joining"\} 0$/m,
  )
  assert.doesNotMatch(String(metrics['text']), /status="scheduled"/)

  assert.equal((await program.remove(`/${String(id)}`)).body.code, 'meeting_active')
  const stopped = await program.post('/stop', { meetingId: id })
  assert.deepEqual(stopped.body, { meetingId: id, status: 'ended' })
  assert.deepEqual(await program.events(String(id)), [])
  assert.equal((await program.remove(`/${String(id)}`)).status, 200)
})

test('a join time with an offset is accepted; one that is refused is named with the other problems', async () => {
  const { program } = opened()
  const start = (joinAt: unknown, url = 'stage://one') =>
    program.post('/start', { url, callbackUrl: 'http://127.0.0.1:9/', joinAt })
  const local = at(60).replace('Z', '+00:00')
  const accepted = await start(local)
  assert.deepEqual([accepted.status, accepted.body['joinAt']], [201, at(60)])
  await program.post('/stop', { meetingId: accepted.body['meetingId'] })
  for (const wrong of ['tomorrow', '2099-11-15T13:00:00', 5, at(90 * 24 * 60 + 1), at(-11)]) {
    const { status, body } = await start(wrong)
    assert.deepEqual([status, body.code], [400, 'invalid_request'], String(wrong))
    const [first] = body['details'] as Array<{ path: string }>
    assert.equal(first?.path, 'joinAt')
  }
  const both = await start(at(-11), 'https://example.com/')
  assert.deepEqual(
    (both.body['details'] as Array<{ path: string }>).map(({ path }) => path),
    ['url', 'joinAt'],
  )
  const now = await start(at(-9))
  assert.partialDeepStrictEqual(now.body, { status: 'joining', joinAt: null })
  await program.post('/stop', { meetingId: now.body['meetingId'] })
})

test('a scheduled meeting has nothing to replay, and its callback URL can be tested', async () => {
  const { program } = opened()
  await using receiver = await openRecordingReceiver(program.signingSecret)
  receiver.acceptAnyTimestamp()
  const id = await program.start('stage://one', { callbackUrl: receiver.url, joinAt: at(60) })
  const replay = await program.post(`/${id}/events/replay`, {})
  assert.deepEqual([replay.status, replay.body.code], [404, 'nothing_to_replay'])
  const tested = await program.ask('POST', '/callbacks/test', { meetingId: id })
  assert.partialDeepStrictEqual(tested, { status: 200, body: { delivered: true } })
  assert.equal((await program.post('/unknown/events/replay', {})).body.code, 'meeting_not_found')
  await program.post('/stop', { meetingId: id })
})

test('PATCH changes time, title and project of a scheduled meeting, and is refused afterwards', async () => {
  const { program } = opened()
  const id = await program.start('stage://one', { joinAt: at(60) })
  const patch = (body: object) => program.ask('PATCH', `/meetings/${id}`, body)
  const { status, body } = await patch({ joinAt: at(90), title: 'Retro', project: 'sales' })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    meetingId: id,
    status: 'scheduled',
    title: 'Retro',
    project: 'sales',
    documentPath: null,
    joinAt: at(90),
  })
  const { body: log } = await program.admin.get('/web/audit?action=meeting%20moved')
  assert.partialDeepStrictEqual((log['entries'] as object[])[0], { detail: 'api → sales' })
  assert.equal((await patch({})).status, 400)
  assert.equal((await patch({ joinAt: at(-30) })).body.code, 'invalid_request')
  await program.post('/stop', { meetingId: id })
  const late = await patch({ joinAt: at(120) })
  assert.deepEqual([late.status, late.body.code], [409, 'meeting_not_scheduled'])
  assert.partialDeepStrictEqual((await patch({ project: 'api' })).body, { project: 'api' })
})

test('revoking a token stops its scheduled meetings and says how many', async () => {
  const { program } = opened()
  const kept = await program.start('stage://kept', { joinAt: at(60) })
  const { apiKey, id: tokenId } = await program.admin.createToken({ name: 'other' })
  const own = { ...program.key }
  Object.assign(program.key, { 'x-api-key': apiKey })
  const ids = [
    await program.start('stage://one', { joinAt: at(60) }),
    await program.start('stage://two', { joinAt: at(61) }),
  ]
  Object.assign(program.key, own)
  const { body } = await program.admin.delete(`/web/tokens/${tokenId}`)
  assert.partialDeepStrictEqual(body, { stoppedMeetings: 0, cancelledMeetings: 2 })
  for (const id of ids) {
    const { meeting } = (await program.get(`/${id}`)).body
    assert.partialDeepStrictEqual(meeting, { status: 'ended', reason: 'stopped', statuses: [] })
  }
  const { meeting } = (await program.get(`/${kept}`)).body
  assert.partialDeepStrictEqual(meeting, { status: 'scheduled' })
  const action = 'scheduled%20meetings%20of%20token%20stopped'
  const { body: log } = await program.admin.get(`/web/audit?action=${action}`)
  assert.partialDeepStrictEqual((log['entries'] as object[])[0], { detail: '2' })
  await program.post('/stop', { meetingId: kept })
})

test('a person schedules a meeting in the console without a token', async () => {
  const { program } = opened()
  const start = await program.admin.post('/web/meetings/start', {
    url: 'stage://console',
    joinAt: at(60),
  })
  assert.partialDeepStrictEqual(start.body, { status: 'scheduled', joinAt: at(60) })
  const { meetingId } = start.body
  const { body } = await program.admin.post('/web/meetings/stop', { meetingId })
  assert.equal(body['status'], 'ended')
})

test('hansard join sends a bot now or at a later time', async () => {
  const { program, service } = opened()
  await using folder = createTestDataFolder()
  const env = {
    HANSARD_URL: `http://127.0.0.1:${service.port}`,
    HANSARD_API_KEY: program.key['x-api-key'],
  }
  const join = (...args: string[]) =>
    runLoadedCommand(['join', 'stage://one', ...args], { ...folder.env, ...env })
  const later = at(60)
  const scheduled = await join('--at', later, '--title', 'Review')
  const [, id = ''] = /^Scheduled (\S+) for /.exec(scheduled.stdout) ?? []
  assert.deepEqual([scheduled.code, scheduled.stdout], [0, `Scheduled ${id} for ${later}\n`])
  assert.partialDeepStrictEqual((await program.get(`/${id}`)).body['meeting'], { title: 'Review' })
  await program.post('/stop', { meetingId: id })
  const now = await join('--json')
  const { meetingId, status } = JSON.parse(now.stdout) as Record<string, string>
  assert.equal(status, 'joining')
  await program.post('/stop', { meetingId })
  for (const time of ['noon', '2099-02-30T09:00', '2099-13-01T09:00']) {
    const wrong = await join('--at', time)
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /Give a time such as/)
  }
  const refused = await join('--at', at(-30))
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /joinAt: Must not be more than 10 minutes in the past/)
})
