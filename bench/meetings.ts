import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureLongMeeting } from './measures/long-meeting.ts'
import { memoryInUse } from './support/memory.ts'
import { openInstance, type Instance } from './support/instance.ts'
import { createSpeechPlatform } from './support/speech-platforms.ts'

const MEETINGS = 1_000
const UPDATES_PER_SECOND = 8
const FINALS_PER_SECOND = 0.7
const SETTLE_SECONDS = 10
const SECONDS = 30

export const meetings = {
  about: 'the whole pipeline in one process: 1,000 live meetings; then one of 20,000 segments',
  async run() {
    await measureMany()
    await measureLongMeeting()
  },
}

async function measureMany(): Promise<void> {
  let updates = 0
  const speech = createSpeechPlatform({
    updatesPerSecond: UPDATES_PER_SECOND,
    finalsPerSecond: FINALS_PER_SECOND,
    onUpdate: () => (updates += 1),
  })
  await using instance = await openInstance({}, { platforms: [speech] })
  const before = memoryInUse()
  await startMeetings(instance)
  await sleep(SETTLE_SECONDS * 1000)

  const segmentsBefore = await countSegments(instance)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const [cpu, database, began] = [process.cpuUsage(), databaseCpuMs(instance), performance.now()]
  const updatesBefore = updates
  await sleep(SECONDS * 1000)
  const seconds = (performance.now() - began) / 1000
  const used = process.cpuUsage(cpu)
  const databaseUsed = databaseCpuMs(instance) - database
  delay.disable()
  const segments = (await countSegments(instance)) - segmentsBefore
  const rate = (updates - updatesBefore) / seconds
  const wanted = MEETINGS * UPDATES_PER_SECOND

  console.log(`  ${MEETINGS} meetings, measured for ${SECONDS} s after ${SETTLE_SECONDS} s`)
  console.log(`  updates/s        ${rate.toFixed(0)} of ${wanted} (${share(rate, wanted)})`)
  console.log(
    `  segments/s       ${(segments / seconds).toFixed(0)} of ${MEETINGS * FINALS_PER_SECOND}`,
  )
  console.log(
    `  processor        ${((used.user + used.system) / 1e6 / seconds).toFixed(2)} cores here (goal: at most 1),`,
  )
  console.log(
    `                   ${(databaseUsed / 1000 / seconds).toFixed(2)} cores in the database`,
  )
  console.log(`  event loop p99   ${(delay.percentile(99) / 1e6).toFixed(1)} ms (goal: below 50)`)
  const after = memoryInUse()
  const perMeeting = (bytes: number) => `${(bytes / MEETINGS / 1024).toFixed(0)} KB`
  console.log(
    `  memory a meeting ${perMeeting(after.heap - before.heap)} of heap (goal: at most 110),`,
  )
  console.log(`                   ${perMeeting(after.rss - before.rss)} of the process`)
}

async function startMeetings({ call }: Instance): Promise<void> {
  const start = async (i: number) => {
    const body = {
      url: `practice://generated-${i}`,
      title: `Generated ${i}`,
      project: `bench-${i % 10}`,
      callbackUrl: 'http://127.0.0.1:9/',
      // Delivery has its own bench.
      events: [],
    }
    const { status, body: answer } = await call('POST', '/api/v1/meetings/start', body)
    if (status !== 201) throw new Error(JSON.stringify(answer))
  }
  for (let i = 0; i < MEETINGS; i += 10) {
    await Promise.all(Array.from({ length: 10 }, (_, k) => start(i + k)))
  }
}

async function countSegments({ call }: Instance): Promise<number> {
  const { body } = await call('GET', '/api/v1/meetings/status')
  const rows = body['meetings'] as Array<{ segmentCount: number }>
  return rows.reduce((sum, { segmentCount }) => sum + segmentCount, 0)
}

/** CPU time of the embedded server and its children, from /proc. */
function databaseCpuMs({ data }: Instance): number {
  const [pid] = readFileSync(`${data}/pg18/postmaster.pid`, 'utf8').split('\n')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  // Fields 14 to 17: the CPU time of the process and of its ended children. A tick is 10 ms.
  const ticks = [pid, ...children].map((id) => {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  })
  return ticks.reduce((sum, value) => sum + value, 0) * 10
}

function share(part: number, whole: number): string {
  return `${((part / whole) * 100).toFixed(1)} %`
}
