import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { parseTranscriptMarkdown } from '../../src/meetings/transcript/markdown-format.ts'
import { checkDelivery, type ExpectedEvent } from '../support/callbacks/check-delivery.ts'
import {
  openRecordingReceiver,
  type ReceivedCallback,
  type RecordingReceiver,
} from '../support/callbacks/recording-receiver.ts'
import { HttpClient } from '../support/http/http-client.ts'
import { createSeededRandom } from '../support/meetings/caption-streams.ts'
import {
  formatLines,
  linesWithGaps,
  mergeIntoTurns,
  type SpokenLine,
} from '../support/meetings/transcript-lines.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'
import {
  signInAsAdmin,
  waitForNoProcesses,
  startServiceProcess,
} from '../support/service/service-process.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import { eventually } from '../support/time/eventually.ts'

type Size = {
  kills: number
  /** The number of kills while all meetings are running. Later kills follow after some meetings are stopped. */
  killsOfAll: number
  meetings: number
  stops: number
  /** The number of meetings that run through all kills. Their scripts are long enough. */
  neverStopped: number
}
/** `TEST_SIZE=full` takes minutes. The default is a smaller version of the same test. */
const SIZES: Record<'part' | 'full', Size> = {
  part: { kills: 1, killsOfAll: 0, meetings: 10, stops: 3, neverStopped: 6 },
  full: { kills: 50, killsOfAll: 20, meetings: 200, stops: 50, neverStopped: 50 },
}
const size = IS_FULL_SIZE ? SIZES.full : SIZES.part
/** Much longer than the test takes on an idle machine. */
const TIME_LIMIT_MS = 900_000
const STORED_TYPES = [
  'meeting_status',
  'segment_finalized',
  'coach_insight',
  'participant_joined',
  'participant_left',
  'document_saved',
]

type Segment = SpokenLine & { segmentNumber: number }

/** An API client for one process of the service, because each restart has another URL. */
function createApiClient(key: Record<string, string>, url: string) {
  const http = new HttpClient(url)
  const get = (path: string) => http.get(`/api/v1/meetings${path}`, key)
  return {
    get,
    post: (path: string, body: unknown) => http.post(`/api/v1/meetings${path}`, body, key),
    async isOver(id: string): Promise<boolean> {
      const { meeting } = (await get(`/${id}`)).body as { meeting: Record<string, unknown> }
      const { pending } = meeting['delivery'] as { pending: number }
      return ['ended', 'error'].includes(String(meeting['status'])) && pending === 0
    },
  }
}

type Program = ReturnType<typeof createApiClient>

/** Decides when to kill. Makes the same choices in every run. */
const random = createSeededRandom(20_260_115)

const title = `SIGKILL, ${size.kills} times during ${size.meetings} meetings, loses, repeats and reorders no event`

test(title, { timeout: TIME_LIMIT_MS }, async () => {
  await using folder = await createInitializedDataFolder()
  await using receiver = await openRecordingReceiver()
  const env = { ...folder.env, HANSARD_RATE_LIMIT: 'off', HANSARD_LOG_LEVEL: 'error' }
  const ids: string[] = []
  /** The number of calls that had arrived when each process of the service started. */
  const callsAtStart: number[] = []
  let key: Record<string, string> = {}

  for (let kill = 0; kill < size.kills; kill += 1) {
    callsAtStart.push(receiver.calls.length)
    await using service = await startServiceProcess(env)
    if (kill === 0) {
      const { apiKey, signingSecret } = await (await signInAsAdmin(service)).createToken()
      key = { 'x-api-key': apiKey }
      receiver.trustSecrets(signingSecret)
      ids.push(...(await startAll(createApiClient(key, service.url), receiver.url, size.meetings)))
    }
    await waitForSomeCalls(receiver)
    const from = (kill - size.killsOfAll) * size.stops
    const some =
      from < 0
        ? []
        : ids.slice(from, Math.min(from + size.stops, size.meetings - size.neverStopped))
    await stopAll(createApiClient(key, service.url), some)
    process.kill(service.servicePid(), 'SIGKILL')
    await service.exited
    await waitForNoProcesses(folder.data)
    await receiver.readToEnd()
  }

  callsAtStart.push(receiver.calls.length)
  await using service = await startServiceProcess(env)
  const program = createApiClient(key, service.url)
  await stopAll(program, ids)
  for (const id of ids) await eventually(async () => ((await program.isOver(id)) ? true : null))
  assert.deepEqual(receiver.problems, [])
  const callsByProcess = callsAtStart.map((from, i) =>
    receiver.calls.slice(from, callsAtStart[i + 1]),
  )
  for (const id of ids) {
    const events = (await program.get(`/${id}/events?limit=1000`)).body['events'] as ExpectedEvent[]
    checkDelivery(receiver.callsFor(id), events)
    checkRepeats(callsByProcess, id)
    await checkTranscript(program, id, events)
  }
})

async function startAll(
  program: Program,
  callbackUrl: string,
  meetings: number,
): Promise<string[]> {
  const start = async (i: number) => {
    const url = i % 10 === 9 ? 'practice://standup' : `practice://long?speed=${1 + (i % 2)}`
    // Only some meetings send partial captions, because there are many captions.
    const events = i % 5 === 0 ? undefined : STORED_TYPES
    const answer = await program.post('/start', { url, callbackUrl, events })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    return answer.body['meetingId'] as string
  }
  const ids: string[] = []
  for (let from = 0; from < meetings; from += 20) {
    const length = Math.min(20, meetings - from)
    ids.push(...(await Promise.all(Array.from({ length }, (_, i) => start(from + i)))))
  }
  return ids
}

/** Waits for a random number of deliveries, at most five seconds, so that kills happen at different moments. */
async function waitForSomeCalls(receiver: RecordingReceiver): Promise<void> {
  const enough = receiver.calls.length + random.between(0, 30)
  const endsAt = performance.now() + 5_000
  await receiver.waitUntil((calls) => calls.length >= enough || performance.now() > endsAt)
}

async function stopAll(program: Program, ids: string[]): Promise<void> {
  const answers = await Promise.all(ids.map((meetingId) => program.post('/stop', { meetingId })))
  for (const { status } of answers) assert.equal(status, 200)
}

/** Each process may repeat at most one event: the one in flight when the previous process died. */
function checkRepeats(callsByProcess: ReceivedCallback[][], id: string): void {
  const seen = new Set<number>()
  for (const [index, calls] of callsByProcess.entries()) {
    const sequences = calls
      .filter(({ event }) => event.meetingId === id)
      .map(({ event }) => event.sequence)
    const again = sequences.filter((sequence) => seen.has(sequence))
    const within = sequences.filter((sequence, i) => sequences.indexOf(sequence) < i)
    assert.ok(again.length <= 1, `process ${index} repeated ${again.join()} of ${id}`)
    assert.deepEqual(within, [], `process ${index} sent an event of ${id} twice`)
    for (const sequence of sequences) seen.add(sequence)
  }
}

async function checkTranscript(
  program: Program,
  id: string,
  events: ExpectedEvent[],
): Promise<void> {
  const { body } = await program.get(`/${id}/transcript`)
  assert.equal(body['status'], 'ended', `${id}: ${JSON.stringify(events.at(-1))}`)
  // An ended meeting is ordered by start time, so the segments are compared by number.
  const segments = (body['segments'] as Segment[]).toSorted(
    (a, b) => a.segmentNumber - b.segmentNumber,
  )
  const finals = events.filter(({ type }) => type === 'segment_finalized')
  assert.equal(
    formatLines(finals.map(({ payload }) => payload as SpokenLine)),
    formatLines(segments),
  )
  assert.deepEqual(
    segments.map(({ segmentNumber }) => segmentNumber),
    segments.map((_, i) => i + 1),
  )
  const texts = segments.map(({ speaker, text }) => `${speaker}: ${text}`)
  assert.equal(
    new Set(texts).size,
    texts.length,
    `a segment is stored twice: ${formatLines(segments)}`,
  )
  assertNoRepeatedWords(finals)
  const { body: document } = await program.get(`/${id}/document`)
  assert.equal(
    formatLines(parseTranscriptMarkdown(String(document['text']))),
    formatLines(mergeIntoTurns(linesWithGaps(body as never))),
  )
}

/** A bot that rejoins in the middle of a sentence continues it: no three consecutive words are repeated. */
function assertNoRepeatedWords(finals: ExpectedEvent[]): void {
  const wordsByCaption = new Map<string, string[]>()
  for (const { payload } of finals) {
    const captionId = String(payload['captionId'])
    const words = String(payload['text'])
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
    wordsByCaption.set(captionId, [
      ...(wordsByCaption.get(captionId) ?? []),
      ...words.filter(Boolean),
    ])
  }
  for (const [captionId, words] of wordsByCaption) {
    if (!/^(question|answer)-/.test(captionId)) continue
    const threes = words.slice(2).map((word, i) => `${words[i]} ${words[i + 1]} ${word}`)
    assert.equal(new Set(threes).size, threes.length, `${captionId}: ${words.join(' ')}`)
  }
}
