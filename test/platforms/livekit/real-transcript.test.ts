import { test } from 'node:test'
import { createTokenSigner } from '../../../src/bots/platforms/livekit/access-token.ts'
import { createLivekit } from '../../../src/bots/platforms/livekit/livekit.ts'
import { systemClock } from '../../../src/lib/time/clock.ts'
import { expectTranscript, findTranscriptObstacle } from '../sound-call/expect-transcript.ts'
import { openRealLivekit } from './real-livekit.ts'
import { joinInBrowser } from './real-people.ts'

/** HANSARD_TEST_LIVEKIT, as the test runner passes it on. */
const PROGRAM = process.env['TEST_LIVEKIT'] ?? ''
const skip =
  (PROGRAM === '' && 'set HANSARD_TEST_LIVEKIT to the program of a LiveKit server') ||
  findTranscriptObstacle()

test(
  'the transcript of a meeting on a real LiveKit server has what was said, under the right names',
  { skip },
  async (t) => {
    await using server = await openRealLivekit(PROGRAM)
    const { host, key } = server
    const signToken = createTokenSigner(key, systemClock)
    const settings = { hosts: [host], laSuiteMeetHosts: [], signToken }
    await expectTranscript(t, {
      url: `http://${host}/rooms/talk`,
      create: (options) => createLivekit({ ...options, settings }),
      join: (browser, name) => joinInBrowser(browser, { host, name, speaks: true }),
    })
  },
)
