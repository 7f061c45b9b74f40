import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import type { SpeechRecognition } from '../../src/bots/platforms/speech/recognition.ts'
import { createSecretBox } from '../../src/lib/crypto.ts'
import { createLog } from '../../src/log.ts'
import type { ImportRequest } from '../../src/meetings/importing/transcript-imports.ts'
import { processRecording, type ProcessParts } from '../../src/recordings/process-recording.ts'
import { claimDueRecordings } from '../../src/recordings/recording-store.ts'
import { createRecordings } from '../../src/recordings/recordings.ts'
import { insertLiveNodes } from '../support/database/live-nodes.ts'
import { openTestDatabase } from '../support/database/test-database.ts'
import { openForFile } from '../support/open-for-file.ts'
import { createManualClock } from '../support/time/manual-clock.ts'
import { createWav, measureTone, type Tone } from './support/tones.ts'

const TONES: Tone[] = [400, 600, 800, 1_000].map((hertz, index) => ({
  channel: 0,
  hertz,
  from: index * 2 + 0.5,
  to: index * 2 + 1.5,
}))
const RECORDING = createWav(8, TONES, 1)

const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const { db } = stack.use(await openTestDatabase())
  await insertLiveNodes(db, 'ada', 'ben')
  const clock = createManualClock('2026-11-15T08:30:00.000Z')
  const moved = stack.move()
  return { db, clock, [Symbol.asyncDispose]: () => moved.disposeAsync() }
})

const SECRET_BOX = createSecretBox(Buffer.alloc(32, 7))

/** Recognizes the tone of each portion at once. `onFinish` may fail. */
function recognizeTones(onFinish: (count: number) => void = () => {}): ProcessParts['recognition'] {
  let count = 0
  return {
    findObstacle: async () => null,
    openSession({ onUtterance, onLoss }): ReturnType<SpeechRecognition['openSession']> {
      const heard: Array<{ startsAt: number; samples: Int16Array }> = []
      return {
        addSound: (sound) => void heard.push(sound),
        endVoice: () => undefined,
        isBusy: () => false,
        async finish() {
          count += 1
          try {
            onFinish(count)
          } catch (error) {
            if (!(error instanceof RangeError)) throw error
            return onLoss({ lostMs: 1_000, reason: error.message, startedAt: 0, endedAt: 1_000 })
          }
          const samples = Int16Array.from(heard.flatMap((sound) => [...sound.samples]))
          const startedAt = heard[0]!.startsAt
          const text = `Tone of ${measureTone(samples)} hertz`
          onUtterance({ voice: '0', text, startedAt, endedAt: startedAt, incompleteReason: null })
        },
        [Symbol.asyncDispose]: async () => undefined,
      }
    },
  }
}

function createParts(recognition = recognizeTones()) {
  const { db, clock } = opened()
  const requests: ImportRequest[] = []
  const parts: ProcessParts = {
    db,
    clock,
    log: createLog('silent'),
    secretBox: SECRET_BOX,
    recognition,
    maxMs: 3_600_000,
    portionLengths: { leastMs: 1_600, mostMs: 2_200 },
    onProgress: () => undefined,
    imports: {
      async add(_viewer, request, _tokenId, beforeCommit) {
        requests.push(request)
        return db.transaction().execute(async (tx) => {
          const result = { meeting: { id: null }, format: 'hansard-json', warnings: [] } as never
          await beforeCommit(tx, result)
          return result
        })
      },
    },
  }
  return { parts, requests }
}

async function addRecording(): Promise<string> {
  const { db, clock } = opened()
  const recordings = createRecordings({
    db,
    clock,
    log: createLog('silent'),
    secretBox: SECRET_BOX,
    membership: { requireFreshHeartbeat: async () => undefined },
    registerProject: async () => undefined,
    hasDiskSpace: () => true,
    timeZone: 'UTC',
    limits: { maxBytes: 10_000_000, maxMs: 3_600_000 },
    findSpeechProblem: async () => null,
    onChanged: () => undefined,
  })
  const given = { title: null, project: 'api', startedAt: null, timeZone: null }
  const { id } = await recordings.create(
    INSTANCE_VIEWER,
    {
      ...given,
      fileName: 'a.wav',
      byteCount: RECORDING.length,
      language: null,
      recapLanguage: null,
    },
    null,
  )
  assert.equal((await recordings.addPart(id, 1, RECORDING)).state, 'waiting')
  return id
}

async function claim(nodeId: string) {
  const { db, clock } = opened()
  const options = { now: clock.now(), limit: 1, isEnglishOnly: true }
  const [claimed] = await claimDueRecordings(db, nodeId, options)
  return claimed ?? null
}

async function readRow(id: string) {
  const { db } = opened()
  const row = await db
    .selectFrom('recording')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const lines = await db
    .selectFrom('recording_line')
    .select('text')
    .where('recording_id', '=', id)
    .orderBy('number')
    .execute()
  const chunks = await db.selectFrom('recording_chunk').select('number').execute()
  return { ...row, lines: lines.map(({ text }) => text), chunks: chunks.length }
}

type Content = { segments: Array<{ text: string; timestamp: string }> }
const EXPECTED = TONES.map(({ hertz }) => `Tone of ${hertz} hertz`)

test('after a crash another node continues at the last stored position, and no line is lost or doubled', async () => {
  const { db } = opened()
  const id = await addRecording()
  const crashed = createParts(
    recognizeTones((count) => {
      if (count === 3) throw new Error('the node is killed')
    }),
  )
  const first = await claim('ada')
  assert.ok(first)
  await assert.rejects(processRecording(crashed.parts, first, new AbortController().signal))
  const before = await readRow(id)
  assert.deepEqual(before.lines, EXPECTED.slice(0, 2))
  assert.ok(before.position_ms > 3_200 && before.position_ms < 4_500, String(before.position_ms))
  // Its lease is still valid, so nobody else gets the recording.
  assert.equal(await claim('ben'), null)
  await db.deleteFrom('node').where('id', '=', 'ada').execute()
  const second = await claim('ben')
  assert.ok(second)
  const { parts, requests } = createParts()
  await processRecording(parts, second, new AbortController().signal)
  const { segments } = JSON.parse(requests[0]!.content) as Content
  assert.deepEqual(
    segments.map(({ text }) => text),
    EXPECTED,
  )
  const after = await readRow(id)
  assert.deepEqual(
    [after.state, after.key_sealed, after.owner, after.chunks, after.lines],
    ['imported', null, null, 0, []],
  )
  // The former owner can store nothing more.
  const late = createParts()
  await processRecording(late.parts, first, new AbortController().signal)
  assert.equal(late.requests.length, 0)
})

test('a portion that cannot be recognized is tried again later, and after six attempts the recording fails with the reason', async () => {
  const { db, clock } = opened()
  const id = await addRecording()
  const { parts } = createParts(
    recognizeTones(() => {
      throw new RangeError('The speech endpoint answered 400.')
    }),
  )
  const attempt = async () => {
    const claimed = await claim('ben')
    assert.ok(claimed)
    await processRecording(parts, claimed, new AbortController().signal)
    return readRow(id)
  }
  const first = await attempt()
  assert.deepEqual([first.state, first.attempts, first.owner], ['waiting', 1, null])
  assert.equal(await claim('ben'), null)
  clock.advance(600)
  await db.updateTable('recording').set({ attempts: 6 }).where('id', '=', id).execute()
  const last = await attempt()
  assert.deepEqual(
    [last.state, last.detail, last.key_sealed, last.chunks],
    ['failed', 'The speech endpoint answered 400.', null, 0],
  )
})

test('what is stored of a recording contains nothing of its bytes', async () => {
  const { db } = opened()
  const id = await addRecording()
  const { bytes } = await db
    .selectFrom('recording_chunk')
    .select('bytes')
    .where('recording_id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(bytes.includes('RIFF'), false)
  assert.equal(bytes.includes(RECORDING.subarray(20_000, 20_016)), false)
  await db.deleteFrom('recording').where('id', '=', id).execute()
  assert.equal((await db.selectFrom('recording_chunk').selectAll().execute()).length, 0)
})
