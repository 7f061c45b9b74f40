import { setTimeout as sleep } from 'node:timers/promises'
import { openInstance } from './instance.ts'
import { median } from './load.ts'
import { startMeetings } from './meetings.ts'
import { startReceiver, type Ages, type Receiver } from './receiver.ts'
import { createSpeech } from './speech.ts'

const HEALTHY = 200
const ROUNDS = 5
const SECONDS = 8
const SETTLE_SECONDS = 2

type House = AsyncDisposable & { speak(isSpeaking: boolean): void }

/**
 * How old events are on arrival at healthy receivers, without and with as many that hang. Two services with the
 * same meetings, in which as much is said, speak in turns: only one of them has receivers that hang.
 */
export async function measureIsolation(): Promise<void> {
  await using receiver = await startReceiver()
  await using alone = await openHouse(receiver, 'alone')
  await using beside = await openHouse(receiver, 'beside')
  const rounds: Array<{ alone: Ages; beside: Ages }> = []
  // In the first round nobody knows yet that they hang: it counts like the others.
  for (let round = 0; round < ROUNDS; round += 1) {
    rounds.push({
      alone: await listenTo(alone, receiver),
      beside: await listenTo(beside, receiver),
    })
  }
  const of = (which: 'alone' | 'beside', what: 'p50' | 'p99') =>
    median(rounds.map((figures) => figures[which][what])).toFixed(0)
  const events = rounds.reduce((sum, figures) => sum + figures.beside.size, 0)
  console.log(
    `  ${HEALTHY} healthy receivers, without and beside ${HEALTHY} that hang, half on the same origin`,
  )
  console.log(
    `  arrival          p50 ${of('alone', 'p50')} ms, p99 ${of('alone', 'p99')} ms without`,
  )
  console.log(
    `                   p50 ${of('beside', 'p50')} ms, p99 ${of('beside', 'p99')} ms beside (${events} events)`,
  )
  const ratios = rounds.map((figures) => figures.beside.p99 / figures.alone.p99)
  const each = ratios.map((ratio) => ratio.toFixed(2)).join(', ')
  console.log(
    `  p99 ratio        ${median(ratios).toFixed(2)} (goal: at most 1.2); by round ${each}`,
  )
}

async function openHouse(receiver: Receiver, kind: 'alone' | 'beside'): Promise<House> {
  let turn = Promise.withResolvers<void>()
  const speech = createSpeech({
    updatesPerSecond: 4,
    finalsPerSecond: 0.7,
    pause: () => turn.promise,
  })
  await using stack = new AsyncDisposableStack()
  const instance = stack.use(await openInstance({}, { platforms: [speech] }))
  const meeting =
    (name: string, url: string, isHeard = true) =>
    (i: number) => ({
      url: `practice://generated-${name}-${i}`,
      callbackUrl: url,
      // Who listens for what never happens is sent nothing.
      events: [isHeard ? 'segment_finalized' : 'coach_insight'],
    })
  const isHanging = kind === 'beside'
  await startMeetings(instance, HEALTHY / 2, meeting('same', `${receiver.url}/hang`, isHanging))
  await startMeetings(
    instance,
    HEALTHY / 2,
    meeting('other', `${receiver.hangingUrl}/hang`, isHanging),
  )
  await startMeetings(instance, HEALTHY, meeting('healthy', `${receiver.url}/ok`))
  const opened = stack.move()
  return {
    speak(isSpeaking) {
      if (isSpeaking) turn.resolve()
      else turn = Promise.withResolvers()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

async function listenTo(house: House, receiver: Receiver): Promise<Ages> {
  house.speak(true)
  await sleep(SETTLE_SECONDS * 1000)
  await receiver.take()
  await sleep(SECONDS * 1000)
  const ages = await receiver.take()
  house.speak(false)
  await sleep(SETTLE_SECONDS * 1000)
  return ages
}
