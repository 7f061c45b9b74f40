import { systemClock } from '../../../src/lib/time/clock.ts'
import { createLivekit } from '../../../src/bots/platforms/livekit/livekit.ts'
import {
  createTokenSigner,
  type LivekitKey,
} from '../../../src/bots/platforms/livekit/access-token.ts'
import {
  openVisit as openCallVisit,
  type Visit,
  type VisitOptions,
} from '../sound-call/open-visit.ts'
import { TEST_KEY } from './real-livekit.ts'

type Options = VisitOptions & {
  host: string
  room?: string
  key?: LivekitKey | null
  /** The host of a website of La Suite Meet, and the path of a link to it. */
  laSuiteMeet?: { host: string; path: string }
}

/** Sends a bot to a room of a server. */
export function openVisit({
  host,
  room = 'talk',
  key = TEST_KEY,
  laSuiteMeet,
  ...given
}: Options): Promise<Visit> {
  const laSuiteMeetHosts = laSuiteMeet === undefined ? [] : [laSuiteMeet.host]
  const signToken = key === null ? null : createTokenSigner(key, systemClock)
  const settings = { hosts: [host], laSuiteMeetHosts, signToken }
  const link =
    laSuiteMeet === undefined
      ? `http://${host}/rooms/${encodeURIComponent(room)}`
      : `http://${laSuiteMeet.host}${laSuiteMeet.path}`
  return openCallVisit((options) => createLivekit({ ...options, settings }), link, given)
}
