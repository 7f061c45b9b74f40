import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import type { Platform } from '../../src/bots/platforms/platform.ts'
import { runLongMeeting } from '../support/meetings/long-meeting.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

type Size = { minutes: number; platforms: ReadonlyArray<'google_meet' | 'microsoft_teams'> }
/** `TEST_SIZE=full` plays two hours. The default is a shorter meeting on one platform with the same happenings. */
const SIZES: Record<'part' | 'full', Size> = {
  part: { minutes: 6, platforms: ['microsoft_teams'] },
  full: { minutes: 120, platforms: ['google_meet', 'microsoft_teams'] },
}
const size = IS_FULL_SIZE ? SIZES.full : SIZES.part

/** Only ends a test that would otherwise hang. */
const TIME_LIMIT_MS = 1_800_000

for (const platform of size.platforms) {
  test(
    `a long meeting on ${platform} is transcribed completely, except for the time without a browser`,
    { timeout: TIME_LIMIT_MS },
    async () => {
      const { missing, repeated } = await runLongMeeting({
        minutes: size.minutes,
        platform,
        openService,
        secondsPerSentence: 20,
        speed: 60,
      })
      assert.deepEqual({ missing, repeated }, { missing: [], repeated: [] })
    },
  )
}

async function openService(platforms: readonly Platform[]) {
  const service = await startService({}, { platforms })
  const client = await openMeetingsClient(service)
  return {
    request: async (method: string, path: string, body?: unknown) =>
      (await client.ask(method, `/meetings${path}`, body)).body,
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}
