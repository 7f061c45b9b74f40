import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseTranscriptMarkdown } from '../../src/meetings/transcript/markdown-format.ts'
import {
  checkDelivery,
  type ExpectedEvent,
  type DeliveryCheckResult,
} from '../support/callbacks/check-delivery.ts'
import {
  openRecordingReceiver,
  type RecordingReceiver,
} from '../support/callbacks/recording-receiver.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  formatLines,
  linesWithGaps,
  mergeIntoTurns,
  type SpokenLine,
} from '../support/meetings/transcript-lines.ts'
import {
  signInAsAdmin,
  createTestDataFolder,
  startServiceProcess,
  type ServiceProcess,
} from '../support/service/service-process.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import { eventually } from '../support/time/eventually.ts'

const MEETINGS = 4
const MASTER_KEY = Buffer.alloc(32, 9).toString('base64')
/** Without partial captions, because a paused node may send one more before it notices that its lease is lost. */
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
  // If a failed test leaves the node paused, it could not stop.
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
    two,
    first,
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

/** Waits until a node has taken over the meeting and stored more segments of it. */
async function waitForTakeover(node: Program, id: string, visit: number): Promise<void> {
  const { segmentCount: known } = await node.until(id, ({ visits }) => visits === visit)
  await node.until(id, ({ segmentCount }) => segmentCount > known + 1)
}

/** Stops a meeting that was taken over, and checks that nothing is lost, repeated or out of order. */
async function stopAndCheck(
  node: Program,
  receiver: RecordingReceiver,
  id: string,
  visit: number,
): Promise<DeliveryCheckResult> {
  await waitForTakeover(node, id, visit)
  await node.stop(id)
  const { visits } = await node.until(id, ({ status }) => status === 'ended')
  assert.equal(visits, visit)
  await eventually(async () => {
    const { meeting } = (await node.get(`/${id}`)).body as {
      meeting: { delivery: { pending: number } }
    }
    return meeting.delivery.pending === 0 ? true : null
  })
  const events = (await node.get(`/${id}/events?limit=1000`)).body['events'] as ExpectedEvent[]
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
  const { body: document } = await node.get(`/${id}/document`)
  const { body: transcript } = await node.get(`/${id}/transcript`)
  assertGaps(transcript, finals, visit - 1)
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

/** Each time without a bot is in the transcript, and in the event of the first segment after it. */
function assertGaps(
  transcript: Record<string, unknown>,
  finals: ExpectedEvent[],
  count: number,
): void {
  const gaps = transcript['gaps'] as Array<Record<string, string | number>>
  assert.deepEqual(
    gaps.map(({ cause }) => cause),
    Array<string>(count).fill('node_lost'),
  )
  for (const gap of gaps) {
    const [before, after] = [gap['startedAt'], gap['endedAt']].map((at) => Date.parse(String(at)))
    const isAfter = ({ payload }: ExpectedEvent) =>
      Number(payload['segmentNumber']) > Number(gap['afterSegmentNumber'])
    for (const event of finals) {
      const at = Date.parse(String(event.payload['timestamp']))
      assert.ok(isAfter(event) ? at >= Number(after) : at <= Number(before))
    }
    assert.deepEqual(finals.find(isAfter)?.payload['gaps'], [gap])
  }
  assert.deepEqual(
    finals.flatMap(({ payload }) => payload['gaps'] ?? []),
    gaps,
  )
}

/** `fence`, `gaps`, `lost-node` and `document.test.ts` test each part of this in one process. */
const skip = IS_FULL_SIZE ? false : 'only with TEST_SIZE=full'

test(
  'a node that is paused until it counts as dead loses its meetings and cannot write to them afterwards, and takes them over when the other node is killed',
  { skip },
  async () => {
    await using pair = await openPair()
    const { one, two, first, second, receiver, ids } = pair
    one.kill('SIGSTOP')
    for (const id of ids) await second.until(id, ({ visits }) => visits === 2)
    one.kill('SIGCONT')
    for (const id of ids.slice(0, MEETINGS / 2)) {
      const { repeats } = await stopAndCheck(second, receiver, id, 2)
      assert.ok(repeats <= 2, `${repeats} repeats for one pause`)
    }
    const others = ids.slice(MEETINGS / 2)
    for (const id of others) await waitForTakeover(second, id, 2)
    two.kill('SIGKILL')
    await two.exited
    for (const id of others) {
      const { repeats } = await stopAndCheck(first, receiver, id, 3)
      assert.ok(repeats <= 3, `${repeats} repeats for one pause and one kill`)
    }
    assert.deepEqual(receiver.problems, [])
  },
)
