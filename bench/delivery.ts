import { sql } from 'kysely'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureBacklog } from './measures/backlog.ts'
import { openInstanceDatabase, openInstance, type Instance } from './support/instance.ts'
import { measureIsolation } from './measures/isolation.ts'
import { measureTraces } from './measures/traces.ts'
import { waitUntilAllLive, startMeetings, stopMeetings } from './support/meeting-calls.ts'
import { startReceiverProcess, type ReceiverProcess } from './support/receiver-process.ts'
import { createSpeechPlatform, createBurstPlatform } from './support/speech-platforms.ts'
import { postDirectly, postViaJobQueue } from './support/baseline-senders.ts'
import { median } from './support/figures.ts'

const ROUNDS = 5
const MEETINGS = 200
const EVENTS_PER_MEETING = 120
const SECONDS = 15

export const delivery = {
  about:
    'signed callbacks from the commit to the answer, against a bare loop and against a job each',
  async run(parts: readonly string[] = []) {
    if (parts.includes('traces')) return measureTraces()
    await measureRate()
    await measureIsolation()
    await measurePartials()
    await measureBacklog()
    await measureTraces()
  },
}

/** Events per second. `live`: measured from the caption; `stored`: from the commit; `bare`: from memory. */
type Figures = { live: number; stored: number; bare: number; jobs: number; allJobs: number }

/** One request in flight for each meeting, each to a separate URL. All four senders send the same bodies. */
async function measureRate(): Promise<void> {
  await using receiver = await startReceiverProcess()
  const burst = createBurstPlatform(EVENTS_PER_MEETING)
  // The threads that make recaps of one round's meetings would slow down the senders of the next round.
  const settings = { HANSARD_RECAP: 'off' }
  await using instance = await openInstance(settings, { platforms: [burst.platform] })
  const rounds: Figures[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { ids, rate: live } = await deliverMeetings(instance, receiver, burst, round)
    const stored = await replayMeetings(instance, receiver, ids)
    const bodies = await bodiesOf(instance, ids)
    const bare = await postDirectly(`${receiver.url}/count`, instance.signingSecret, bodies)
    const few = bodies.map((list) => list.slice(0, EVENTS_PER_MEETING / 10))
    const { stored: jobs, all: allJobs } = await postViaJobQueue(
      instance,
      `${receiver.url}/count`,
      few,
    )
    await stopMeetings(instance, ids)
    // The first round is a warm-up.
    if (round > 0) rounds.push({ live, stored, bare, jobs, allJobs })
  }
  const of = (name: keyof Figures) => median(rounds.map((figures) => figures[name])).toFixed(0)
  const ratio = (ours: 'live' | 'stored', to: 'bare' | 'jobs' | 'allJobs') =>
    median(rounds.map((row) => row[ours] / row[to])).toFixed(2)
  console.log(
    `  ${MEETINGS} meetings at once, ${ROUNDS} rounds of ${MEETINGS * EVENTS_PER_MEETING} events`,
  )
  console.log(
    `  events/s         ${of('stored')} from the commit on, ${of('live')} from the caption on`,
  )
  console.log(
    `                   ${of('bare')} bare loop, ${of('jobs')} a job each, ${of('allJobs')} with sending the jobs`,
  )
  console.log(
    `  against bare     ${ratio('stored', 'bare')} from the commit on (goal: at least 0.5), ${ratio('live', 'bare')} from the caption on`,
  )
  console.log(
    `  against jobs     ${ratio('stored', 'jobs')} from the commit on (goal: at least 5), ${ratio('live', 'allJobs')} with the commit`,
  )
}

async function deliverMeetings(
  { call }: Instance,
  receiver: ReceiverProcess,
  burst: { release(): void },
  round: number,
) {
  const before = await receiver.count()
  const ids = await startMeetings({ call }, MEETINGS, (i) => ({
    url: `practice://burst-${round}-${i}`,
    callbackUrl: `${receiver.url}/count/${i}`,
    events: ['segment_finalized'],
  }))
  await waitUntilAllLive({ call })
  const began = performance.now()
  burst.release()
  return { ids, rate: await measureRateUntil(receiver, before, began) }
}

/**
 * Sends the same events again from the database: one lane for each meeting, all due at the same time. The last lane is
 * requested through the API, which notifies the service that lanes are due.
 */
async function replayMeetings(
  { data, call }: Instance,
  receiver: ReceiverProcess,
  ids: readonly string[],
): Promise<number> {
  await using database = await openInstanceDatabase(data)
  const before = await receiver.count()
  const began = performance.now()
  const [last, ...others] = ids
  await sql`
    insert into lane (id, meeting_id, kind, url, token_id, events, ends_at, due_at, created_at)
    select 'again_' || id, meeting_id, 'replay', url, token_id, events,
      (select last_sequence from meeting m where m.id = meeting_id), now(), now()
    from lane where kind = 'meeting' and meeting_id = any(${others})`.execute(database.db)
  await call('POST', `/api/v1/meetings/${last}/events/replay`, { from: 1 })
  return await measureRateUntil(receiver, before, began)
}

async function measureRateUntil(
  receiver: ReceiverProcess,
  before: number,
  began: number,
): Promise<number> {
  const events = MEETINGS * EVENTS_PER_MEETING
  await receiver.reaches(before + events)
  return events / ((performance.now() - began) / 1000)
}

async function bodiesOf({ call }: Instance, ids: readonly string[]): Promise<string[][]> {
  const lists = await Promise.all(
    ids.map(async (id) => {
      const path = `/api/v1/meetings/${id}/events?limit=1000`
      return (await call('GET', path)).body['events'] as Array<{ type: string }>
    }),
  )
  return lists.map((events) =>
    events.filter(({ type }) => type === 'segment_finalized').map((event) => JSON.stringify(event)),
  )
}

/** The delay from the source's caption to the receiver's partial. Captions come more slowly than the rate limit. */
async function measurePartials(): Promise<void> {
  await using receiver = await startReceiverProcess()
  const speech = createSpeechPlatform({ updatesPerSecond: 3, finalsPerSecond: 0.3 })
  await using instance = await openInstance({}, { platforms: [speech] })
  await startMeetings(instance, 100, (i) => ({
    url: `practice://generated-${i}`,
    callbackUrl: `${receiver.url}/partials`,
  }))
  await sleep(5_000)
  await receiver.take()
  await sleep(SECONDS * 1000)
  const { p50, p99, size } = await receiver.take()
  console.log(`  100 live meetings, 3 caption updates a second each: ${size} partials`)
  console.log(`  update → partial p50 ${p50} ms, p99 ${p99} ms (goal: p99 below 50)`)
}
