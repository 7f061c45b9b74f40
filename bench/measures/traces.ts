import { setTimeout as sleep } from 'node:timers/promises'
import { NO_TRACER } from '../../src/lib/tracer.ts'
import { median } from '../support/figures.ts'
import { openInstance, type Instance } from '../support/instance.ts'
import { startMeetings, stopMeetings, waitUntilAllLive } from '../support/meeting-calls.ts'
import { startReceiverProcess, type ReceiverProcess } from '../support/receiver-process.ts'
import { createSpeechPlatform } from '../support/speech-platforms.ts'

const ROUNDS = 4
const MEETINGS = 150
const SETTLE_MS = 3_000
const MEASURED_MS = 8_000
const EMPTY_STEPS = 2_000_000

type Way = { instance: Instance; updates: () => number; usPerUpdate: number[] }

/**
 * What traces cost live meetings, from the captions to the receiver: in turns with and without a collector. Figures are
 * processor time for each update of a caption, so that a busy machine changes both alike.
 */
export async function measureTraces(): Promise<void> {
  await using receiver = await startReceiverProcess()
  await using collector = await startReceiverProcess()
  const settings = { HANSARD_RECAP: 'off' }
  await using off = await openWay(settings)
  await using on = await openWay({
    ...settings,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/count`,
  })
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
  console.log(`  without          ${(await measureEmptyStep()).toFixed(0)} ns a step`)
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
