import { setTimeout as sleep } from 'node:timers/promises'
import { NO_TRACER } from '../../src/lib/tracer.ts'
import { median } from '../support/figures.ts'
import { openInstance, type Instance } from '../support/instance.ts'
import { startMeetings, stopMeetings, waitUntilAllLive } from '../support/meeting-calls.ts'
import { startReceiverProcess, type ReceiverProcess } from '../support/receiver-process.ts'
import { createBurstPlatform, createSpeechPlatform } from '../support/speech-platforms.ts'

const ROUNDS = 4
const MEETINGS = 150
const SETTLE_MS = 3_000
const MEASURED_MS = 8_000
const BURST_MEETINGS = 60
const FINALS_PER_MEETING = 60
const EMPTY_STEPS = 2_000_000

type Way = { instance: Instance; updates: () => number; usPerUpdate: number[] }

const SETTINGS = { HANSARD_RECAP: 'off' }

/**
 * What traces cost, from the captions to the receiver: in turns with and without a collector. Figures are processor time,
 * so that a busy machine changes both alike.
 */
export async function measureTraces(): Promise<void> {
  await using receiver = await startReceiverProcess()
  await using collector = await startReceiverProcess()
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/count` }
  await measureLiveMeetings(receiver, collector, endpoint)
  await measureBursts(receiver, endpoint)
  console.log(`  without          ${(await measureEmptyStep()).toFixed(0)} ns a step`)
}

/** Meetings with as many updates of captions as in a real one. */
async function measureLiveMeetings(
  receiver: ReceiverProcess,
  collector: ReceiverProcess,
  endpoint: Record<string, string>,
): Promise<void> {
  await using off = await openWay(SETTINGS)
  await using on = await openWay({ ...SETTINGS, ...endpoint })
  const ratios: number[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    // The second of a round meets what the first has left behind.
    const ways = round % 2 === 0 ? [off, on] : [on, off]
    for (const way of ways) way.usPerUpdate.push(await measureLive(way, receiver))
    // The first round is a warm-up.
    if (round > 0) ratios.push((on.usPerUpdate.at(-1) ?? 0) / (off.usPerUpdate.at(-1) ?? 1))
  }
  const usOf = ({ usPerUpdate }: Way) => median(usPerUpdate.slice(1)).toFixed(0)
  const more = (median(ratios) - 1) * 100
  console.log(`  ${ROUNDS} rounds of ${MEETINGS} live meetings with and without traces`)
  console.log(
    `  processor        ${usOf(off)} µs an update without traces, ${usOf(on)} µs with all`,
  )
  console.log(
    `  traces cost      ${more.toFixed(1)} % (goal: at most 5), in ${await collector.count()} exports`,
  )
}

/** Nothing but final captions, as fast as they are stored and delivered: what traces cost each event. */
async function measureBursts(
  receiver: ReceiverProcess,
  endpoint: Record<string, string>,
): Promise<void> {
  const ways = {
    off: SETTINGS,
    all: { ...SETTINGS, ...endpoint },
    sampled: {
      ...SETTINGS,
      ...endpoint,
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    },
  }
  const names = Object.keys(ways) as Array<keyof typeof ways>
  await using stack = new AsyncDisposableStack()
  const bursts = new Map(
    await Promise.all(
      names.map(async (name) => {
        const burst = createBurstPlatform(FINALS_PER_MEETING)
        const instance = stack.use(await openInstance(ways[name], { platforms: [burst.platform] }))
        return [name, { ...burst, instance, usPerEvent: [] as number[] }] as const
      }),
    ),
  )
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const way = bursts.get(name)
      way?.usPerEvent.push(await measureBurst(way, receiver, round))
    }
  const usOf = (name: keyof typeof ways) => bursts.get(name)?.usPerEvent.slice(1) ?? []
  const more = (name: keyof typeof ways) =>
    ((median(usOf(name).map((us, i) => us / (usOf('off')[i] ?? 1))) - 1) * 100).toFixed(1)
  console.log(`  ${ROUNDS} bursts of ${BURST_MEETINGS * FINALS_PER_MEETING} final captions`)
  console.log(
    `  processor        ${median(usOf('off')).toFixed(0)} µs an event without traces, ${median(usOf('all')).toFixed(0)} µs with all, ${median(usOf('sampled')).toFixed(0)} µs with a tenth`,
  )
  console.log(`  traces cost      ${more('all')} % with all, ${more('sampled')} % with a tenth`)
}

/** Microseconds of this process for each event of a burst, until it has arrived. */
async function measureBurst(
  { instance, release }: { instance: Instance; release(): void },
  receiver: ReceiverProcess,
  round: number,
): Promise<number> {
  const ids = await startMeetings(instance, BURST_MEETINGS, (i) => ({
    url: `practice://burst-${round}-${i}`,
    callbackUrl: `${receiver.url}/count/${i}`,
    events: ['segment_finalized'],
  }))
  await waitUntilAllLive(instance)
  const events = BURST_MEETINGS * FINALS_PER_MEETING
  const before = await receiver.count()
  const began = process.cpuUsage()
  release()
  await receiver.reaches(before + events)
  const { user, system } = process.cpuUsage(began)
  await stopMeetings(instance, ids)
  return (user + system) / events
}

async function openWay(env: Record<string, string>): Promise<Way & AsyncDisposable> {
  let updates = 0
  const platform = createSpeechPlatform({
    updatesPerSecond: 8,
    finalsPerSecond: 0.7,
    onUpdate: () => (updates += 1),
  })
  const instance = await openInstance(env, { platforms: [platform] })
  return {
    instance,
    updates: () => updates,
    usPerUpdate: [],
    [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose](),
  }
}

/** Microseconds of this process for each update of a caption. */
async function measureLive({ instance, updates }: Way, receiver: ReceiverProcess): Promise<number> {
  const ids = await startMeetings(instance, MEETINGS, (i) => ({
    url: `practice://generated-${i}`,
    callbackUrl: `${receiver.url}/count/${i}`,
  }))
  await waitUntilAllLive(instance)
  await sleep(SETTLE_MS)
  const [before, began] = [updates(), process.cpuUsage()]
  await sleep(MEASURED_MS)
  const { user, system } = process.cpuUsage(began)
  const figure = (user + system) / (updates() - before)
  await stopMeetings(instance, ids)
  return figure
}

/** Nanoseconds of a step that is not recorded. */
async function measureEmptyStep(): Promise<number> {
  const work = async () => 1
  const began = performance.now()
  for (let i = 0; i < EMPTY_STEPS; i += 1) await NO_TRACER.run('step', {}, work)
  return ((performance.now() - began) / EMPTY_STEPS) * 1e6
}
