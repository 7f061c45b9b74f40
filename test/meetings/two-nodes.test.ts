import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseTranscriptMarkdown } from '../../src/meetings/transcript/parse-markdown.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import {
  checkDelivery,
  type ExpectedEvent,
  type DeliveryCheckResult,
} from '../support/callbacks/check-delivery.ts'
import { eventually } from '../support/time/eventually.ts'
import {
  formatLines,
  linesWithGaps,
  mergeIntoTurns,
  type SpokenLine,
} from '../support/meetings/transcript-lines.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  signInAsAdmin,
  createTestDataFolder,
  startServiceProcess,
  type ServiceProcess,
} from '../support/service/service-process.ts'
import {
  openRecordingReceiver,
  type RecordingReceiver,
} from '../support/callbacks/recording-receiver.ts'

const MEETINGS = 4
const MASTER_KEY = Buffer.alloc(32, 9).toString('base64')
/** Without partial captions: a node that was paused may send one more before it notices that its lease is lost. */
const DURABLE = ['meeting_status', 'segment_finalized', 'participant_joined', 'document_saved']

type Detail = { status: string; visits: number; segmentCount: number }

/** Starts two nodes on one database and one data folder, and meetings that the first node attends. */
async function openPair() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const place = stack.use(createTestDataFolder())
  const receiver = stack.use(await openRecordingReceiver())
  const env = {
    ...place.env,
    DATABASE_URL: database.url,
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_LOG_LEVEL: 'warn',
  }
  const one = stack.use(await startServiceProcess(env))
  // A node that a failed test leaves paused could not stop.
  stack.defer(() => one.kill('SIGCONT'))
  const { apiKey, signingSecret } = await (await signInAsAdmin(one)).createToken()
  receiver.trustSecrets(signingSecret)
  const key = { 'x-api-key': apiKey }
  const ids: string[] = []
  for (let i = 0; i < MEETINGS; i += 1) {
    const body = { url: 'practice://long?speed=6', callbackUrl: receiver.url, events: DURABLE }
    const made = await new HttpClient(one.url).post('/api/v1/meetings/start', body, key)
    ids.push(String(made.body['meetingId']))
  }
  const first = programFor(one, key)
  // The second node starts only after the first node has stored a segment of each meeting.
  for (const id of ids) await first.until(id, ({ segmentCount }) => segmentCount > 0)
  const two = stack.use(await startServiceProcess(env))
  const opened = stack.move()
  return {
    one,
    receiver,
    ids,
    second: programFor(two, key),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

type Program = ReturnType<typeof programFor>

function programFor(node: ServiceProcess, key: Record<string, string>) {
  const person = new HttpClient(node.url)
  const get = (path: string) => person.get(`/api/v1/meetings${path}`, key)
  return {
    get,
    stop: (meetingId: string) => person.post('/api/v1/meetings/stop', { meetingId }, key),
    async until(id: string, isReached: (meeting: Detail) => boolean): Promise<Detail> {
      let last: Detail | null = null
      try {
        return await eventually(async () => {
          const { meeting } = (await get(`/${id}`)).body as { meeting: Detail }
          last = meeting
          return isReached(meeting) ? meeting : null
        })
      } catch (error) {
        const log = `${node.stdout()}\n${node.stderr()}`.slice(-5_000)
        throw new Error(`${JSON.stringify(last)}\n${log}`, { cause: error })
      }
    },
  }
}

/** Lets the second node continue the meeting, stops it, and checks that nothing is lost, repeated or out of order. */
async function checkTakenOver(
  second: Program,
  receiver: RecordingReceiver,
  id: string,
): Promise<DeliveryCheckResult> {
  const { segmentCount: known } = await second.until(id, ({ visits }) => visits === 2)
  await second.until(id, ({ segmentCount }) => segmentCount > known + 1)
  await second.stop(id)
  const { visits } = await second.until(id, ({ status }) => status === 'ended')
  assert.equal(visits, 2)
  await eventually(async () => {
    const { meeting } = (await second.get(`/${id}`)).body as {
      meeting: { delivery: { pending: number } }
    }
    return meeting.delivery.pending === 0 ? true : null
  })
  const events = (await second.get(`/${id}/events?limit=1000`)).body['events'] as ExpectedEvent[]
  const finals = events.filter(({ type }) => type === 'segment_finalized')
  assert.deepEqual(
    finals.map(({ payload }) => payload['segmentNumber']),
    finals.map((_, i) => i + 1),
  )
  const lines = finals.map(({ payload }) => payload as SpokenLine)
  assert.equal(
    new Set(lines.map((line) => formatLines([line]))).size,
    lines.length,
    formatLines(lines),
  )
  const { body: document } = await second.get(`/${id}/document`)
  const { body: transcript } = await second.get(`/${id}/transcript`)
  assertOneGap(transcript, finals)
  assert.equal(
    formatLines(parseTranscriptMarkdown(String(document['text']))),
    formatLines(mergeIntoTurns(linesWithGaps(transcript as never))),
  )
  const statuses = events.filter(({ type }) => type === 'meeting_status')
  assert.deepEqual(
    statuses.map(({ payload }) => payload['status']),
    ['joining', 'lobby', 'live', 'leaving', 'ended'],
  )
  return checkDelivery(
    receiver.callsFor(id),
    events.filter(({ type }) => DURABLE.includes(type)),
  )
}

/** The time without a bot is in the transcript, and in the event of the first segment after it. */
function assertOneGap(transcript: Record<string, unknown>, finals: ExpectedEvent[]): void {
  const gaps = transcript['gaps'] as Array<Record<string, string | number>>
  assert.deepEqual(
    gaps.map(({ cause }) => cause),
    ['node_lost'],
  )
  const [gap] = gaps
  const [before, after] = [gap?.['startedAt'], gap?.['endedAt']].map((at) => Date.parse(String(at)))
  const isAfter = ({ payload }: ExpectedEvent) =>
    Number(payload['segmentNumber']) > Number(gap?.['afterSegmentNumber'])
  for (const event of finals) {
    const at = Date.parse(String(event.payload['timestamp']))
    assert.ok(isAfter(event) ? at >= Number(after) : at <= Number(before))
  }
  assert.deepEqual(
    finals.flatMap(({ payload }) => payload['gaps'] ?? []),
    gaps,
  )
  assert.deepEqual(finals.find(isAfter)?.payload['gaps'], gaps)
}

test('when the node of a meeting is killed, another node takes over its bot and its callbacks', async () => {
  await using pair = await openPair()
  const { one, second, receiver, ids } = pair
  one.kill('SIGKILL')
  await one.exited
  for (const id of ids) {
    const { repeats } = await checkTakenOver(second, receiver, id)
    assert.ok(repeats <= 1, `${repeats} repeats for one kill`)
  }
  assert.deepEqual(receiver.problems, [])
})

test('a node that is paused until it counts as dead loses its meetings and cannot write to them afterwards', async () => {
  await using pair = await openPair()
  const { one, second, receiver, ids } = pair
  one.kill('SIGSTOP')
  for (const id of ids) await second.until(id, ({ visits }) => visits === 2)
  one.kill('SIGCONT')
  for (const id of ids) {
    const { repeats } = await checkTakenOver(second, receiver, id)
    assert.ok(repeats <= 2, `${repeats} repeats for one pause`)
  }
  assert.deepEqual(receiver.problems, [])
  // The paused node works normally again.
  assert.equal((await new HttpClient(one.url).get('/healthz')).status, 200)
})
