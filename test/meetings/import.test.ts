import { strict as assert } from 'node:assert'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { MAX_RESERVED_IMPORTS } from '../../src/meetings/importing/transcript-imports.ts'
import type { ApiResponse } from '../support/http/http-client.ts'
import { assertError, openSocket, sendBytes } from '../support/http/raw-requests.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { createTaskCalls, createTaskDataFolder } from '../support/tasks/task-service.ts'
import { eventually } from '../support/time/eventually.ts'

const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const data = stack.use(createTaskDataFolder({ stats: '---\nbuiltin: stats\n---\n' }))
  const env = { HANSARD_DATA: data.path, HANSARD_RECAP: 'on' }
  const service = stack.use(await startService(env))
  const program = await openMeetingsClient(service)
  const tasks = createTaskCalls(service.url, service.anonymousClient(), program.key['x-api-key'])
  const importFile = (body: object, headers: Record<string, string> = {}) =>
    program.post('/import', body, headers)
  const moved = stack.move()
  return {
    ...tasks,
    service,
    data,
    program,
    importFile,
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
})

const VTT = [
  'WEBVTT',
  '00:00:01.500 --> 00:00:04.000\n<v Ada>Good morning. Let us talk about the zeppelin.</v>',
  '00:00:05.000 --> 00:00:07.000\n<v Ben <b>>I will send the contract to the customer by Friday.</v>',
  '00:00:08.000 --> 00:00:11.000\n<v Ada>We decided to buy the zeppelin in March.</v>',
  '',
].join('\n\n')

type Detail = Record<string, unknown> & {
  participants: Array<{ name: string }>
  talkTime: Array<{ speaker: string; words: number }>
  statuses: Array<{ status: string; detail: string | null }>
}

function idOf({ status, body }: ApiResponse): string {
  assert.equal(status, 201, JSON.stringify(body))
  return String(body['meetingId'])
}

async function detailOf(id: string): Promise<Detail> {
  return (await opened().program.get(`/${id}`)).body['meeting'] as Detail
}

test('an imported transcript is an ended meeting with document, search, talk time and recap', async () => {
  const { importFile, program, data } = opened()
  const response = await importFile({
    content: VTT.replace(' <b>', ''),
    fileName: 'Airship sync.vtt',
    project: 'imports',
    startedAt: '2024-05-06T09:00:00+02:00',
  })
  const id = idOf(response)
  const { body } = response
  assert.deepEqual(body, {
    meetingId: id,
    status: 'ended',
    platform: 'imported',
    project: 'imports',
    documentPath: 'deployed-md-files/docs/imports/meetings/2024-05-06 0700 - Airship sync.md',
    segmentCount: 3,
    format: 'teams-vtt',
  })

  const detail = await detailOf(id)
  assert.partialDeepStrictEqual(detail, {
    title: 'Airship sync',
    status: 'ended',
    platform: 'imported',
    startedAt: '2024-05-06T07:00:00.000Z',
    endedAt: '2024-05-06T07:00:11.000Z',
    reason: null,
    delivery: null,
    visits: 0,
  })
  assert.deepEqual(
    detail.participants.map(({ name }) => name),
    ['Ada', 'Ben'],
  )
  assert.deepEqual(
    detail.talkTime.map(({ speaker }) => speaker),
    ['Ada', 'Ben'],
  )
  assert.partialDeepStrictEqual(detail.statuses, [
    { status: 'ended', detail: 'Imported from Airship sync.vtt (Microsoft Teams WebVTT)' },
  ])

  const transcript = (await program.get(`/${id}/transcript`)).body
  assert.partialDeepStrictEqual(transcript['segments'], [
    { speaker: 'Ada', timestamp: '2024-05-06T07:00:01.500Z', segmentNumber: 1 },
    { speaker: 'Ben', timestamp: '2024-05-06T07:00:05.000Z', segmentNumber: 2 },
    { speaker: 'Ada', timestamp: '2024-05-06T07:00:08.000Z', segmentNumber: 3 },
  ])
  const { body: found } = await program.ask('GET', '/search?q=zeppelin&project=imports')
  assert.equal((found['results'] as Array<{ meetingId?: string }>)[0]?.meetingId, id)

  await eventually(async () => {
    const { status, body: recap } = await program.get(`/${id}/recap`)
    return status === 200 && recap['documentState'] === 'written' ? true : null
  })
  const document = readFileSync(join(data.path, body['documentPath']), 'utf8')
  assert.match(document, /^---\n[^]*platform: "imported"\n[^]*segments: 3\n/)
  assert.match(document, /\n## Recap\n[^]*\n\*\*Ben\*\* 00:00:05 I will send the contract/)
})

test('every format of the transcript of an imported meeting can be imported again', async () => {
  const { importFile, program } = opened()
  const first = idOf(
    await importFile({ content: VTT, project: 'again', startedAt: '2025-01-02T10:00:00Z' }),
  )
  type Segment = { speaker: string; text: string; timestamp: string }
  const segmentsOf = async (id: string) => {
    const { body } = await program.get(`/${id}/transcript`)
    return (body['segments'] as Segment[]).map(({ speaker, text }) => [speaker, text])
  }
  const expected = await segmentsOf(first)
  for (const [extension, format] of Object.entries({
    md: 'hansard-markdown',
    txt: 'hansard-text',
    srt: 'srt',
    vtt: 'vtt',
    json: 'hansard-json',
  })) {
    const { body } = await program.get(`/${first}/transcript?format=${extension}`)
    const content = extension === 'json' ? JSON.stringify(body) : String(body['text'])
    const response = await importFile({ content, project: 'again' })
    assert.equal(response.body['format'], format)
    assert.deepEqual(await segmentsOf(idOf(response)), expected, extension)
  }
})

test('a transcript that cannot be read is refused with line and reason, and nothing is stored', async () => {
  const { importFile, program, data } = opened()
  const content = 'WEBVTT\n\n00:00:05.000 --> 00:00:04.000\n<v Ada>Hello\n'
  const refused = await importFile({ content, project: 'refused' })
  assertError(refused, 400, 'invalid_request')
  assert.equal(refused.body['error'], 'The transcript cannot be read')
  assert.deepEqual(refused.body['details'], [
    {
      path: 'content',
      message: 'Line 3: The cue ends (00:00:04.000) before it starts (00:00:05.000)',
    },
  ])
  for (const [field, value] of Object.entries({
    startedAt: '2999-01-01T00:00:00Z',
    timeZone: 'Mars/Olympus',
    format: 'docx',
    title: ' ',
    project: '../x',
  })) {
    const wrong = await importFile({ content: 'Ada: Hi', project: 'refused', [field]: value })
    assertError(wrong, 400, 'invalid_request')
    assert.equal((wrong.body['details'] as Array<{ path: string }>)[0]?.path, field)
  }
  assertError(await importFile({ content: 'a\0b', project: 'refused' }), 400, 'invalid_request')
  const { body } = await program.get('?project=refused')
  assert.deepEqual(body['meetings'] ?? [], [])
  const folder = join(data.path, 'deployed-md-files/docs')
  assert.ok(!readdirSync(folder).includes('refused'))
})

test('a transcript larger than 20 MiB is refused, and one of a MiB is stored', async () => {
  const { importFile, program, service } = opened()
  // A body that is too large is not read. Because of escapes, a small enough body can have a text that is too large.
  const head = [
    'POST /api/v1/meetings/import HTTP/1.1',
    'host: localhost',
    `x-api-key: ${program.key['x-api-key']}`,
    'content-type: application/json',
    'connection: close',
    `content-length: ${41 * 1024 * 1024}`,
  ]
  const large = await importFile({ content: `Ada: ${'a'.repeat(20 * 1024 * 1024)}` })
  for (const answer of [await sendBytes(service.url, `${head.join('\r\n')}\r\n\r\n`), large]) {
    assertError(answer, 413, 'body_too_large')
    assert.equal(answer.body['error'], 'The transcript is larger than 20 MiB')
  }
  const line = `Ada: ${'some words that are said again '.repeat(20)}\n`
  const id = idOf(await importFile({ content: line.repeat(1_800), title: 'Long' }))
  const { segmentCount } = await detailOf(id)
  assert.equal(segmentCount, 1_800)
  const { body } = await program.get(`/${id}/transcript?after=1799`)
  assert.equal((body['segments'] as unknown[]).length, 1)
})

test('a repeated import with the same key stores one meeting', async () => {
  const { importFile, program } = opened()
  const send = () =>
    importFile({ content: 'Ada: Once', project: 'once' }, { 'idempotency-key': 'import-1' })
  const first = await send()
  const again = await send()
  assert.equal(again.headers.get('idempotent-replayed'), 'true')
  assert.deepEqual(again.body, first.body)
  const { body } = await program.get('?project=once&platform=imported')
  assert.deepEqual(
    (body['meetings'] as Array<{ meetingId: string }>).map(({ meetingId }) => meetingId),
    [idOf(first)],
  )
})

test('without a start the meeting ends now, and the response says so', async () => {
  const { importFile } = opened()
  const before = Date.now()
  const response = await importFile({ content: 'Ada: Hello there\nBen: Good morning' })
  assert.deepEqual(
    (response.body['warnings'] as Array<{ path: string }>).map(({ path }) => path),
    ['startedAt', 'content'],
  )
  const { endedAt, title } = await detailOf(idOf(response))
  assert.equal(title, 'Imported transcript')
  assert.ok(
    Date.parse(String(endedAt)) >= before - 1_000 && Date.parse(String(endedAt)) <= Date.now(),
  )
})

test('a task that runs after meetings also runs after an import of an old meeting', async () => {
  const { importFile, create, history } = opened()
  const trigger = { on: 'meeting_ended', platforms: ['imported'], projects: ['triggering'] }
  const { status } = await create({ name: 'after-import', promptName: 'stats', trigger })
  assert.equal(status, 201)
  const request = { content: VTT, project: 'triggering', startedAt: '2020-01-01T00:00:00Z' }
  idOf(await importFile(request))
  const execution = await eventually(async () => (await history('after-import'))[0] ?? null)
  assert.equal(execution.triggerType, 'meeting_ended')
})

test('an old meeting that was imported is new for a task that ran before', async () => {
  const { importFile, create, run, waitForEnd } = opened()
  const task = { name: 'digest', promptName: 'stats', project: 'digest' }
  assert.equal((await create(task)).status, 201)
  const reportOf = async () => (await waitForEnd('digest', await run('digest'))).resultSummary
  assert.doesNotMatch(String(await reportOf()), /Ada/)
  const request = { content: VTT, project: 'digest', startedAt: '2020-01-01T00:00:00Z' }
  idOf(await importFile(request))
  assert.match(String(await reportOf()), /Ada/)
})

test('imports wait for free memory before their bodies are read', async () => {
  const { importFile, program, service } = opened()
  await using stack = new AsyncDisposableStack()
  const head = [
    'POST /api/v1/meetings/import HTTP/1.1',
    'host: localhost',
    `x-api-key: ${program.key['x-api-key']}`,
    'content-type: application/json',
    'content-length: 1000',
  ]
  const sockets = await Promise.all(
    Array.from({ length: MAX_RESERVED_IMPORTS + 1 }, () => openSocket(service.url)),
  )
  const answers = sockets.map((socket) => once(stack.use(socket), 'data'))
  // None of the bodies is ever complete, so only the request that finds no room is answered.
  for (const socket of sockets) socket.write(`${head.join('\r\n')}\r\n\r\n{`)
  const [refusal] = (await Promise.race(answers)) as [Buffer]
  assert.match(String(refusal), /^HTTP\/1.1 503 [^]*\r\nretry-after: 5\r\n[^]*"at_capacity"/i)
  for (const socket of sockets) socket.destroy()
  await eventually(async () => {
    const { status } = await importFile({ content: 'Ada: Hi', project: 'busy' })
    return status === 201 ? true : null
  })
})

test('audio that is sent as a transcript is refused with the way to send it', async () => {
  const { importFile, program, service } = opened()
  const url = `${service.url}/api/v1/meetings/import`
  const recording = /audio or video with POST \/api\/v1\/recordings/
  for (const type of ['audio/mpeg', 'video/mp4', 'multipart/form-data; boundary=x']) {
    const headers = { ...program.key, 'content-type': type }
    const response = await fetch(url, { method: 'POST', headers, body: 'ID3\u0004\0\0' })
    const { code, hint } = (await response.json()) as Record<string, unknown>
    assert.deepEqual([response.status, code], [415, 'unsupported_media_type'])
    assert.match(String(hint), recording)
  }
  const refused = await importFile({ content: 'OggS\0\u0002', fileName: 'call.ogg' })
  assertError(refused, 400, 'invalid_request')
  assert.match(JSON.stringify(refused.body['details']), /This is a recording\. Send it with POST/)
})

test('a person imports in the console, and an imported meeting can be removed but not attended', async () => {
  const { program, importFile } = opened()
  const { status, body } = await program.admin.post('/web/meetings/import', {
    content: 'Ada: From the console',
  })
  assert.equal(status, 201)
  assert.equal(body['platform'], 'imported')
  assertError(
    await program.post('/start', { url: 'imported:x', callbackUrl: 'listen:x' }),
    400,
    'unsupported_meeting_url',
  )
  const removed = await program.remove(`/${idOf(await importFile({ content: 'Ada: Remove me' }))}`)
  assert.partialDeepStrictEqual(removed.body['removed'], { segments: 1, participants: 1 })
})
