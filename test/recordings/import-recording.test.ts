import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { PART_BYTES } from '../../src/recordings/recording.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { openForFile } from '../support/open-for-file.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  createSilentMp3,
  createWav,
  FIXTURE_TONES,
  openToneEndpoint,
  readFixture,
} from './support/tones.ts'

type Recording = {
  recordingId: string
  state: string
  detail: string | null
  meetingId: string | null
  percent: number | null
  positionSeconds: number
  durationSeconds: number | null
  partsReceived: number
}

const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const endpoint = stack.use(await openToneEndpoint())
  const service = stack.use(
    await startService({ HANSARD_SPEECH_URL: endpoint.url, HANSARD_RECORDING_MIB: '16' }),
  )
  const client = await openMeetingsClient(service)
  const moved = stack.move()
  return {
    service,
    client,
    endpoint,
    create: (body: object) => client.ask('POST', '/recordings', body),
    async sendPart(id: string, part: number, bytes: Uint8Array<ArrayBuffer>) {
      const response = await fetch(`${service.url}/api/v1/recordings/${id}/parts/${part}`, {
        method: 'PUT',
        headers: { ...client.key, 'content-type': 'application/octet-stream' },
        body: bytes,
      })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    async waitForEnd(id: string): Promise<Recording> {
      return eventually(async () => {
        const recording = (await client.ask('GET', `/recordings/${id}`))
          .body as unknown as Recording
        return ['imported', 'failed'].includes(recording.state) ? recording : null
      })
    },
    async countChunks() {
      const { Client } = await import('pg')
      const db = new Client({ connectionString: service.databaseUrl })
      await db.connect()
      try {
        const { rows } = await db.query<{ chunks: string; lines: string; keys: string }>(
          `select (select count(*) from recording_chunk) as chunks, (select count(*) from recording_line) as lines,
            (select count(*) from recording where key_sealed is not null) as keys`,
        )
        return rows[0]
      } finally {
        await db.end()
      }
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
})

const NOTHING = { chunks: '0', lines: '0', keys: '0' }

function copyBytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer)
}

async function sendFile(bytes: Buffer, body: object): Promise<string> {
  const { create, sendPart } = opened()
  const created = await create({ bytes: bytes.length, ...body })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const id = String(created.body['recordingId'])
  const parts = Math.ceil(bytes.length / PART_BYTES)
  for (let part = 1; part <= parts; part += 1) {
    const piece = bytes.subarray((part - 1) * PART_BYTES, part * PART_BYTES)
    const sent = await sendPart(id, part, copyBytes(piece))
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
  }
  return id
}

type Line = { speaker: string; text: string; timestamp: string; source: string }

async function readLines(meetingId: string): Promise<{ lines: Line[]; startedAt: number }> {
  const { client } = opened()
  const { body } = await client.get(`/${meetingId}/transcript`)
  return {
    lines: body['segments'] as Line[],
    startedAt: Date.parse(String(body['startedAt'])),
  }
}

test('a recording becomes a meeting with the lines of its speech at their times, and its sound is deleted', async () => {
  const { client, waitForEnd, countChunks } = opened()
  const id = await sendFile(readFixture('two.m4a'), {
    fileName: 'weekly planning.m4a',
    project: 'sales',
    startedAt: '2026-11-02T09:00:00Z',
  })
  const recording = await waitForEnd(id)
  assert.equal(recording.state, 'imported', recording.detail ?? '')
  assert.deepEqual([recording.percent, recording.detail, recording.partsReceived], [100, null, 0])
  const { body } = await client.get(`/${recording.meetingId}`)
  const meeting = body['meeting'] as Record<string, unknown>
  assert.deepEqual(
    [meeting['title'], meeting['platform'], meeting['status'], meeting['project']],
    ['weekly planning', 'imported', 'ended', 'sales'],
  )
  assert.equal(meeting['startedAt'], '2026-11-02T09:00:00.000Z')
  assert.match(
    String(meeting['documentPath']),
    /\/sales\/meetings\/2026-11-02 0900 - weekly planning\.md$/,
  )
  const { lines, startedAt } = await readLines(String(recording.meetingId))
  assert.deepEqual(
    lines.map(({ speaker, text, source }) => ({ speaker, text, source })),
    [400, 800].map((hertz) => ({
      speaker: 'Unknown speaker',
      text: `Tone of ${hertz} hertz.`,
      source: 'speech',
    })),
  )
  for (const [index, { from }] of FIXTURE_TONES.entries()) {
    const ms = Date.parse(lines[index]!.timestamp) - startedAt
    assert.ok(Math.abs(ms - from * 1_000) < 300, `${ms}`)
  }
  const found = await client.ask('GET', '/search?q=hertz&project=sales')
  assert.ok(JSON.stringify(found.body).includes(String(recording.meetingId)))
  assert.deepEqual(await countChunks(), NOTHING)
})

test('each channel is a speaker if the channels are different people, and a name applies to all lines of a channel', async () => {
  const { client, waitForEnd } = opened()
  const tones = [0, 5, 10].flatMap((from) => [
    { channel: 0, hertz: 400, from: from + 0.5, to: from + 2 },
    { channel: 1, hertz: 800, from: from + 3, to: from + 4.5 },
  ])
  const recording = await waitForEnd(await sendFile(createWav(15, tones), { fileName: 'two.wav' }))
  assert.equal(recording.state, 'imported', recording.detail ?? '')
  const { lines } = await readLines(String(recording.meetingId))
  assert.deepEqual(
    lines.map(({ speaker, text }) => `${speaker}: ${text}`),
    tones.map(({ channel, hertz }) => `Speaker ${channel + 1}: Tone of ${hertz} hertz.`),
  )
  const renamed = await client.post(`/${recording.meetingId}/speakers/rename`, {
    from: 'Speaker 2',
    to: 'Ada',
  })
  assert.equal(renamed.status, 200, JSON.stringify(renamed.body))
  const after = await readLines(String(recording.meetingId))
  assert.deepEqual(
    after.lines.map(({ speaker }) => speaker),
    tones.map(({ channel }) => (channel === 0 ? 'Speaker 1' : 'Ada')),
  )
})

test('names in a recording are those of the vocabulary of its project', async () => {
  const { client, endpoint, waitForEnd } = opened()
  endpoint.say('Ask Priya Ragunatan about next cloud.')
  try {
    const texts = async (project: string, language?: string) => {
      const body = { fileName: 'two.mp3', project, ...(language !== undefined && { language }) }
      const recording = await waitForEnd(await sendFile(readFixture('two.mp3'), body))
      assert.equal(recording.state, 'imported', recording.detail ?? '')
      const { lines } = await readLines(String(recording.meetingId))
      return new Set(lines.flatMap(({ text }) => text.match(/[^.]+\./g)?.map((one) => one.trim())))
    }
    const heard = new Set(['Ask Priya Ragunatan about next cloud.'])
    assert.deepEqual(await texts('clinic'), heard)
    const words = { add: ['Priya Raghunathan', 'Nextcloud'] }
    const saved = await client.ask('PATCH', '/projects/clinic/vocabulary', words)
    assert.equal(saved.status, 200, JSON.stringify(saved.body))
    assert.deepEqual(await texts('clinic'), new Set(['Ask Priya Raghunathan about Nextcloud.']))
    // Only English is corrected.
    assert.deepEqual(await texts('clinic', 'de'), heard)
  } finally {
    endpoint.say(null)
  }
})

/** Hours of silence take minutes to decode. */
const SILENT_SECONDS = IS_FULL_SIZE ? 3 * 3_600 : 180

test('silence is not recognized, and a recording without speech fails with this reason', async () => {
  const { waitForEnd, endpoint, countChunks } = opened()
  const before = endpoint.count()
  const silence = createSilentMp3(SILENT_SECONDS)
  const recording = await waitForEnd(await sendFile(silence, { fileName: 'a.mp3' }))
  assert.deepEqual(
    [recording.state, recording.detail, recording.meetingId],
    ['failed', 'No speech was found in this recording.', null],
  )
  assert.ok(
    Math.abs(recording.positionSeconds - SILENT_SECONDS) < 1,
    `${recording.positionSeconds}`,
  )
  assert.equal(endpoint.count(), before)
  assert.deepEqual(await countChunks(), NOTHING)
})

test('the first of several sound tracks is recognized, and the meeting says so', async () => {
  const { client, waitForEnd } = opened()
  const file = readFixture('two-tracks.mp4')
  const recording = await waitForEnd(await sendFile(file, { fileName: 'two-tracks.mp4' }))
  assert.equal(recording.state, 'imported', recording.detail ?? '')
  const note = 'The recording has 2 sound tracks; only the first was read.'
  assert.equal(recording.detail, note)
  const { lines } = await readLines(String(recording.meetingId))
  assert.deepEqual(
    lines.map(({ text }) => text),
    ['Tone of 400 hertz.', 'Tone of 800 hertz.'],
  )
  const { body } = await client.get(`/${recording.meetingId}`)
  assert.ok(JSON.stringify(body['meeting']).includes(note))
})

test('a recording of less than a millisecond can be followed like every other', async () => {
  const { client, waitForEnd } = opened()
  const tiny = await waitForEnd(await sendFile(createWav(4 / 16_000, []), { fileName: 'tiny.wav' }))
  assert.deepEqual(
    [tiny.state, tiny.detail, tiny.percent],
    ['failed', 'No speech was found in this recording.', null],
  )
  assert.equal((await client.ask('GET', '/recordings')).status, 200)
})

test('a file that cannot be read is refused with the reason when its last part arrives', async () => {
  const { create, sendPart, client, countChunks } = opened()
  const film = readFixture('silent-film.mp4')
  const created = await create({ fileName: 'film.mp4', bytes: film.length })
  const id = String(created.body['recordingId'])
  const sent = await sendPart(id, 1, copyBytes(film))
  assert.deepEqual(
    [sent.status, sent.body['code'], sent.body['error']],
    [422, 'recording_unreadable', 'The file has no sound'],
  )
  const { body } = await client.ask('GET', `/recordings/${id}`)
  assert.deepEqual([body['state'], body['detail']], ['failed', 'The file has no sound.'])
  assert.deepEqual(await countChunks(), NOTHING)

  const text = Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nGood morning.\n')
  const other = await create({ fileName: 'notes.mp3', bytes: text.length })
  const refused = await sendPart(String(other.body['recordingId']), 1, copyBytes(text))
  assert.deepEqual([refused.status, refused.body['code']], [415, 'unsupported_media_type'])
})

test('wrong sizes and parts are refused, and a part can be sent again', async () => {
  const { create, sendPart, client } = opened()
  const tooLarge = await create({ fileName: 'a.mp3', bytes: 16 * 1024 ** 2 + 1 })
  assert.deepEqual([tooLarge.status, tooLarge.body['code']], [413, 'body_too_large'])
  const late = await create({ fileName: 'a.mp3', bytes: 9, startedAt: '2199-01-01T00:00:00Z' })
  assert.deepEqual([late.status, late.body['code']], [400, 'invalid_request'])
  const mp3 = readFixture('two.mp3')
  const bytes = Buffer.concat([mp3, Buffer.alloc(PART_BYTES)])
  const id = String((await create({ fileName: 'a.mp3', bytes: bytes.length })).body['recordingId'])
  const part = copyBytes(bytes.subarray(0, PART_BYTES))
  assert.equal((await sendPart(id, 1, part.slice(1))).status, 400)
  assert.equal((await sendPart(id, 3, part)).status, 400)
  assert.equal((await sendPart(id, 1, part)).status, 200)
  const again = await sendPart(id, 1, part)
  assert.deepEqual([again.status, again.body['partsReceived']], [200, 1])
  assert.equal((await sendPart('recording_x', 1, part)).status, 404)
  assert.equal((await client.ask('DELETE', `/recordings/${id}`)).status, 200)
  assert.equal((await sendPart(id, 2, part)).status, 404)
})

test('a recording is tried again while the endpoint fails, and can be cancelled', async () => {
  const { client, endpoint, countChunks } = opened()
  endpoint.fail(400)
  try {
    const before = endpoint.count()
    const id = await sendFile(readFixture('two.mp3'), { fileName: 'two.mp3' })
    await eventually(async () => (endpoint.count() > before ? true : null))
    const { body } = await client.ask('GET', `/recordings/${id}`)
    assert.ok(['waiting', 'processing'].includes(String(body['state'])))
    assert.equal((await client.ask('DELETE', `/recordings/${id}`)).status, 200)
    assert.equal((await client.ask('GET', `/recordings/${id}`)).status, 404)
    const listed = (await client.ask('GET', '/recordings')).body['recordings'] as Recording[]
    assert.ok(!listed.some(({ recordingId }) => recordingId === id))
    const { chunks } = (await countChunks())!
    assert.equal(chunks, '0')
  } finally {
    endpoint.fail(null)
  }
})

test('without speech recognition a recording is refused before anything is sent', async () => {
  await using service = await startService()
  const client = await openMeetingsClient(service)
  const refused = await client.ask('POST', '/recordings', { fileName: 'a.mp3', bytes: 10 })
  assert.deepEqual([refused.status, refused.body['code']], [409, 'speech_unavailable'])
  assert.match(String(refused.body['hint']), /hansard speech install/)
})
