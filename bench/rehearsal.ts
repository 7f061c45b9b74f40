// A long meeting on the stage. MINUTES, SPEED and PLATFORM change its length, its pace and its platform.
import { runLongMeeting } from '../test/support/meetings/long-meeting.ts'
import { openInstance } from './support/instance.ts'
import { memoryInUse } from './support/memory.ts'

/** The last third of the meeting may need this many times the memory of the second third. */
const MAX_GROWTH = 1.25
const MIB = 1_048_576

const PLATFORMS = (['google_meet', 'microsoft_teams'] as const).filter((name) =>
  name.includes(process.env['PLATFORM'] ?? ''),
)

export const rehearsal = {
  about:
    'one long meeting: words kept, and memory of page and service (MINUTES=120 SPEED=1: at real speed)',
  async run() {
    const minutes = Number(process.env['MINUTES'] ?? 20)
    const speed = Number(process.env['SPEED'] ?? 20)
    for (const platform of PLATFORMS) {
      const samples: Array<{ share: number; page: number; service: number }> = []
      const result = await runLongMeeting({
        platform,
        minutes,
        speed,
        openService: async (platforms) => {
          const instance = await openInstance({}, { platforms })
          return {
            request: async (method, path, body) =>
              (await instance.call(method, `/api/v1/meetings${path}`, body)).body,
            [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose](),
          }
        },
        secondsPerSentence: speed > 10 ? 20 : 5,
        onSample: ({ share, pageHeapBytes }) =>
          void samples.push({ share, page: pageHeapBytes, service: memoryInUse().heap }),
      })
      const { sentences, spokenInOutage, missing, repeated } = result
      console.log(`  ${platform}: ${minutes} minutes at ${speed} times real speed`)
      console.log(
        `    ${sentences} sentences, ${spokenInOutage} without a browser, ${missing.length} missing, ${repeated.length} repeated`,
      )
      for (const line of [...missing, ...repeated].slice(0, 10)) console.log(`      ${line}`)
      const growths = (['page', 'service'] as const).map((kind) => report(kind, samples))
      if (missing.length + repeated.length > 0 || growths.some((growth) => growth > MAX_GROWTH))
        process.exitCode = 1
    }
  },
}

function report(
  kind: 'page' | 'service',
  samples: ReadonlyArray<{ share: number; page: number; service: number }>,
): number {
  const average = (from: number, to: number) => {
    const found = samples.filter(({ share }) => share >= from && share < to)
    return found.reduce((sum, sample) => sum + sample[kind], 0) / Math.max(1, found.length)
  }
  const [middle, end] = [average(1 / 3, 2 / 3), average(2 / 3, 1)]
  const growth = end / middle
  const toText = (bytes: number) => (bytes / MIB).toFixed(1)
  console.log(
    `    ${kind.padEnd(8)} ${toText(middle)} MiB in the second third, ${toText(end)} MiB in the last: ${growth.toFixed(2)} times (goal: at most ${MAX_GROWTH})`,
  )
  return growth
}
