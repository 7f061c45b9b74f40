import { setTimeout as sleep } from 'node:timers/promises'
import { openInstance } from '../support/instance.ts'
import { startMeetings } from '../support/meeting-calls.ts'
import {
  startReceiverProcess,
  type ArrivalAges,
  type ReceiverProcess,
} from '../support/receiver-process.ts'
import { createSpeechPlatform } from '../support/speech-platforms.ts'
import { median } from '../support/figures.ts'

const HEALTHY = 200
const ROUNDS = 5
const SETTLE_SECONDS = 2
/** Long enough for the first timeout of every hanging receiver. */
const SECONDS = 12

type Kind = 'alone' | 'beside'

/**
 * The age of events when they arrive at healthy receivers, without hanging receivers and with an equal number of
 * them. Each case has a new service with the same meetings and the same speech. The order alternates, because the
 * machine's speed varies.
 */
export async function measureIsolation(): Promise<void> {
  await using receiver = await startReceiverProcess()
  const heard: Record<Kind, ArrivalAges[]> = { alone: [], beside: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    const order: Kind[] = round % 2 === 0 ? ['alone', 'beside'] : ['beside', 'alone']
    for (const kind of order) heard[kind].push(await measureArrivals(kind, receiver))
  }
  const all = (kind: Kind, what: 'p50' | 'p99') => heard[kind].map((ages) => ages[what])
  const events = heard.beside.reduce((sum, { size }) => sum + size, 0)
  console.log(
    `  ${HEALTHY} healthy receivers, without and beside ${HEALTHY} that hang, half on the same origin`,
  )
  for (const [kind, name] of [
    ['alone', 'without'],
    ['beside', `beside (${events} events)`],
  ] as const) {
    console.log(
      `  arrival          p50 ${median(all(kind, 'p50'))} ms, p99 ${median(all(kind, 'p99'))} ms ${name}; p99 by round ${all(kind, 'p99').join(', ')}`,
    )
  }
  const ratio = median(all('beside', 'p99')) / median(all('alone', 'p99'))
  console.log(`  p99 ratio        ${ratio.toFixed(2)} (goal: at most 1.2)`)
}

async function measureArrivals(kind: Kind, receiver: ReceiverProcess): Promise<ArrivalAges> {
  const silence = Promise.withResolvers<void>()
  const speech = createSpeechPlatform({
    updatesPerSecond: 4,
    finalsPerSecond: 0.7,
    pause: () => silence.promise,
  })
  await using instance = await openInstance({}, { platforms: [speech] })
  const meeting =
    (name: string, url: string, isHeard = true) =>
    (i: number) => ({
      url: `practice://generated-${name}-${i}`,
      callbackUrl: `${url}/${i}`,
      // A receiver of an event type that never occurs gets no request.
      events: [isHeard ? 'segment_finalized' : 'coach_insight'],
    })
  const isHanging = kind === 'beside'
  const hanging = [`${receiver.url}/hang`, `${receiver.hangingUrl}/hang`]
  for (const [i, url] of hanging.entries()) {
    await startMeetings(instance, HEALTHY / 2, meeting(`hanging-${i}`, url, isHanging))
  }
  await startMeetings(instance, HEALTHY, meeting('healthy', `${receiver.url}/ok`))
  silence.resolve()
  await sleep(SETTLE_SECONDS * 1000)
  await receiver.take()
  await sleep(SECONDS * 1000)
  return await receiver.take()
}
