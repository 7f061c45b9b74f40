import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readScript } from '../../src/bots/platforms/practice/script-reading/script-library.ts'
import { expectedTranscript } from '../../src/bots/platforms/practice/timeline.ts'
import { EVENT_TYPES } from '../../src/meetings/event-types.ts'
import { parseTranscriptMarkdown } from '../../src/meetings/transcript/markdown-format.ts'
import { findFrontMatter } from '../../src/projects/front-matter.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { startServiceForFile } from '../support/service-for-file.ts'
import { FEWEST_CONNECTIONS } from '../support/service/start-service.ts'

type Line = { speaker: string; text: string }

/** Each speaker's words in order, however they are split into segments. */
function wordsBySpeaker(lines: Line[]): Record<string, string> {
  const words: Record<string, string> = {}
  for (const { speaker, text } of lines) words[speaker] = `${words[speaker] ?? ''} ${text}`.trim()
  return words
}

const sharedService = startServiceForFile(FEWEST_CONNECTIONS)

test('a practice meeting ends with a saved transcript that matches its script', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const meetingId = await program.start('practice://standup?speed=100', { title: 'Weekly sync' })
  assert.match(meetingId, /^meeting_\d{13}_[0-9a-z]{12}$/)
  const meeting = await program.waitForStatus(meetingId)
  assert.partialDeepStrictEqual(meeting, { status: 'ended', reason: 'host_ended', project: 'api' })

  const expected = wordsBySpeaker(expectedTranscript(readScript('standup')))
  const { body: transcript } = await program.get(`/${meetingId}/transcript`)
  assert.deepEqual(wordsBySpeaker(transcript['segments'] as Line[]), expected)
  const { body: part } = await program.get(`/${meetingId}/transcript?after=1&limit=2`)
  const numbered = (transcript['segments'] as Array<Line & { segmentNumber: number }>).toSorted(
    (a, b) => a.segmentNumber - b.segmentNumber,
  )
  assert.deepEqual(part['segments'], numbered.slice(1, 3))

  const { body: document, headers } = await program.get(`/${meetingId}/document`)
  assert.equal(headers.get('content-type'), 'text/markdown; charset=utf-8')
  assert.match(headers.get('content-disposition') ?? '', /^attachment;.*Weekly sync\.md/)
  const text = String(document['text'])
  assert.deepEqual(wordsBySpeaker(parseTranscriptMarkdown(text)), expected)
  assert.partialDeepStrictEqual(findFrontMatter(text)?.fields, {
    title: 'Weekly sync',
    meetingId,
    status: 'completed',
    platform: 'practice',
    segments: (transcript['segments'] as Line[]).length,
  })

  const events = await program.events(meetingId)
  const finals = events.filter(({ type }) => type === 'segment_finalized')
  assert.deepEqual(wordsBySpeaker(finals.map(({ payload }) => payload as Line)), expected)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    events.map((_, i) => i + 1),
  )
  assert.deepEqual(
    events.filter(({ type }) => type === 'meeting_status').map(({ payload }) => payload['status']),
    ['joining', 'lobby', 'live', 'leaving', 'ended'],
  )
  assert.deepEqual(
    finals.map(({ payload }) => payload['segmentNumber']),
    finals.map((_, i) => i + 1),
  )
  const saved = events.findLast(({ type }) => type === 'document_saved')
  assert.equal(saved?.payload['totalSegments'], finals.length)
})

test('lost captions are marked in the transcript, in every format and in the events', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const meetingId = await program.start('practice://captions-lost?speed=10', { title: 'Report' })
  const stream = await fetch(`${service.url}/api/v1/meetings/${meetingId}/events/stream`, {
    headers: program.key,
  })
  await program.waitForStatus(meetingId)
  // A stream for programs contains only the interface's events.
  const types = new Set((await stream.text()).match(/(?<=^event: )\w+/gm))
  assert.deepEqual(
    [...types].filter((type) => !EVENT_TYPES.includes(type as never)),
    [],
  )
  assert.ok(types.has('segment_finalized'))
  const { body } = await program.get(`/${meetingId}/transcript`)
  const gaps = body['gaps'] as Array<Record<string, unknown>>
  assert.deepEqual(
    gaps.map(({ cause, afterSegmentNumber }) => ({ cause, afterSegmentNumber })),
    [{ cause: 'captions_lost', afterSegmentNumber: 2 }],
  )
  const lines = body['segments'] as Array<Line & { segmentNumber: number }>
  // The same speaker continues after the gap, in a new segment.
  assert.equal(lines[1]?.speaker, lines[2]?.speaker)
  const mark = /\d+ s not recorded: captions were lost/
  for (const format of ['md', 'txt', 'srt', 'vtt']) {
    const { body: text } = await program.get(`/${meetingId}/transcript?format=${format}`)
    const [before = '', after = ''] = String(text['text']).split(mark)
    assert.ok(before.includes(lines[1]?.text ?? '') && after.includes(lines[2]?.text ?? ''), format)
  }
  const { body: document } = await program.get(`/${meetingId}/document`)
  assert.match(String(document['text']), mark)
  const events = await program.events(meetingId)
  assert.deepEqual(
    events.filter(({ payload }) => payload['gaps'] !== undefined).map(({ payload }) => payload),
    [
      {
        ...events.find(({ payload }) => payload['segmentNumber'] === 3)?.payload,
        gaps,
      },
    ],
  )
})

test('every way a practice meeting can fail or end has its own reason', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const cases: Array<[url: string, more: Record<string, unknown>, status: string, reason: string]> =
    [
      ['practice://denied?speed=1000', {}, 'error', 'denied'],
      [
        'practice://lobby-timeout?speed=1000',
        { leave: { lobbyTimeout: 1 } },
        'error',
        'lobby_timeout',
      ],
      ['practice://removed?speed=1000', {}, 'ended', 'removed'],
      ['practice://host-ends?speed=1000', {}, 'ended', 'host_ended'],
      [
        'practice://everyone-leaves?speed=1000',
        { leave: { everyoneLeft: 1 } },
        'ended',
        'everyone_left',
      ],
    ]
  const started = await Promise.all(cases.map(([url, more]) => program.start(url, more)))
  for (const [i, [url, , status, reason]] of cases.entries()) {
    const meeting = await program.waitForStatus(started[i] ?? '')
    assert.deepEqual([url, meeting['status'], meeting['reason']], [url, status, reason])
  }
})

test('the speed of a practice meeting also shortens the time after which the bot leaves', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const cases: Array<[url: string, reason: string, detail: RegExp]> = [
    ['practice://everyone-leaves?speed=50', 'everyone_left', /nobody spoke for 60 s/],
    ['practice://lobby-timeout?speed=1000', 'lobby_timeout', /within 900 s/],
  ]
  const started = await Promise.all(cases.map(([url]) => program.start(url)))
  for (const [i, [url, reason, detail]] of cases.entries()) {
    const meeting = await program.waitForStatus(started[i] ?? '')
    assert.deepEqual([url, meeting['reason']], [url, reason])
    assert.match(String(meeting['detail']), detail)
  }
})

test('a stop returns immediately, ends the meeting, and can be repeated', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const meetingId = await program.start('practice://standup')
  const [first, second] = await Promise.all([
    program.post('/stop', { meetingId }),
    program.post('/stop', { meetingId }),
  ])
  assert.deepEqual(first?.body, { meetingId, status: 'stopping' })
  assert.equal(second?.status, 200)
  assert.partialDeepStrictEqual(await program.waitForStatus(meetingId), {
    status: 'ended',
    reason: 'stopped',
  })
  assert.deepEqual((await program.post('/stop', { meetingId })).body, {
    meetingId,
    status: 'ended',
  })
  assert.equal(
    (await program.post('/stop', { meetingId: 'meeting_1_x' })).body.code,
    'meeting_not_found',
  )
})

test('the status list shows active meetings, oldest first', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const one = await program.start('practice://standup', { title: 'One' })
  const two = await program.start('practice://standup', { saveTranscript: false })
  const listActive = async () => {
    const { body } = await program.get('/status')
    const all = body['meetings'] as Array<Record<string, unknown>>
    return all.filter(({ meetingId }) => [one, two].includes(String(meetingId)))
  }
  const meetings = await listActive()
  assert.deepEqual(
    meetings.map((meeting) => meeting['meetingId']),
    [one, two],
  )
  assert.partialDeepStrictEqual(meetings[0], { title: 'One', platform: 'practice', project: 'api' })
  assert.equal(meetings[1]?.['documentPath'], null)
  for (const meetingId of [one, two]) await program.post('/stop', { meetingId })
  await Promise.all([program.waitForStatus(one), program.waitForStatus(two)])
  assert.deepEqual(await listActive(), [])
})

test('a meeting that does not save its transcript has no document and returns a specific error', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const meetingId = await program.start('practice://host-ends?speed=1000', {
    saveTranscript: false,
  })
  await program.waitForStatus(meetingId)
  const missing = await program.get(`/${meetingId}/document`)
  assert.equal(missing.status, 404)
  assert.equal(missing.body.error, 'No saved document exists for this meeting')
  const unknown = await program.get('/meeting_1_x/document')
  assert.notEqual(unknown.body.error, missing.body.error)
  assert.ok(
    ((await program.get(`/${meetingId}/transcript`)).body['segments'] as unknown[]).length > 0,
  )
})

test('starts with the same Idempotency-Key create one meeting', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const project = 'same-key'
  const body = {
    url: 'practice://standup',
    callbackUrl: 'http://127.0.0.1:9/hook',
    project,
    titel: 'x',
  }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => program.post('/start', body, { 'idempotency-key': 'k1' })),
  )
  const made = answers.filter(({ status }) => status === 201)
  assert.ok(made.length >= 1 && answers.every(({ status }) => status === 201 || status === 409))
  const again = await program.post('/start', body, { 'idempotency-key': 'k1' })
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, made[0]?.body)
  const { body: listed } = await program.get(`?project=${project}`)
  assert.equal((listed['meetings'] as unknown[]).length, 1)
  await program.post('/stop', { meetingId: again.body['meetingId'] })
})

test('an invalid start request is rejected with all its problems', async () => {
  const service = sharedService()
  const program = await openMeetingsClient(service)
  const bad = await program.post('/start', {
    callbackUrl: 'ftp://x',
    title: '',
    project: '../etc',
    saveTranscript: 'true',
  })
  assert.equal(bad.status, 400)
  const paths = (bad.body['details'] as Array<{ path: string }>).map(({ path }) => path)
  assert.deepEqual(paths.toSorted(), ['callbackUrl', 'project', 'saveTranscript', 'title', 'url'])
  const other = { url: 'https://evil.example/meet.google.com', callbackUrl: 'http://127.0.0.1:9/' }
  const unsupported = await program.post('/start', other)
  assert.equal(unsupported.body.code, 'unsupported_meeting_url')
  assert.match(String(unsupported.body['hint']), /meet\.google\.com/)
})

test('a node that stops releases its meetings, and another node continues their transcripts', async () => {
  const masterKey = { HANSARD_MASTER_KEY: Buffer.alloc(32, 3).toString('base64') }
  await using second = await startService(masterKey)
  const program = await openMeetingsClient(second)
  const env = { ...masterKey, DATABASE_URL: second.databaseUrl }
  let meetingId = ''
  {
    await using first = await startService(env)
    const body = { url: 'practice://standup?speed=20', callbackUrl: 'http://127.0.0.1:9/hook' }
    const { body: made } = await first
      .anonymousClient()
      .post('/api/v1/meetings/start', { ...body, saveTranscript: false }, program.key)
    meetingId = String(made['meetingId'])
    await program.waitForStatus(meetingId, ['live', 'ended'])
  }
  assert.partialDeepStrictEqual(await program.waitForStatus(meetingId), { status: 'ended' })
  const statuses = (await program.events(meetingId))
    .filter(({ type }) => type === 'meeting_status')
    .map(({ payload }) => payload['status'])
  assert.deepEqual(statuses, ['joining', 'lobby', 'live', 'leaving', 'ended'])
})
