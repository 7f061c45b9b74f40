import type { SessionEnd } from '../../page-session/page-session.ts'
import type { SessionTimeouts } from '../../page-session/timeouts.ts'
import type { PlatformEvent } from '../../platform.ts'
import type { Streams } from './streams.ts'
import type { UsableTurnServers } from './turn-servers.ts'

type Options = {
  streams: Pick<Streams, 'areAllFailed' | 'isAnyConnected' | 'isAnyOffered'>
  /** Whether an earlier session or bot was in the group, so that the record has a gap until this one hears the group. */
  wasAdmittedBefore: boolean
  timeouts: Pick<SessionTimeouts, 'captionsMs' | 'captionsBackMs'>
  emit(event: PlatformEvent): void
  end(end: SessionEnd): void
}

/** Reports when no participant can be heard, and ends the session when that does not change. */
export interface SoundMonitor {
  setTurnServers(servers: UsableTurnServers): void
  /** The bot is in the group. */
  start(now: number): void
  check(now: number): void
}

/** The server offers the streams of a group right after the bot has joined. */
const OFFER_MS = 2_000
const NO_TURN =
  'The Galène server offers no TURN server by TCP, which bots need. Start Galène with its built-in TURN server (-turn), or add one to ice-servers.json with ?transport=tcp'

export function createSoundMonitor(options: Options): SoundMonitor {
  const { streams, timeouts, emit, end } = options
  let detail = NO_TURN
  let lostAt: number | null = null
  let wasHeard = false
  let admittedAt = Infinity
  let mustReportReturn = options.wasAdmittedBefore

  return {
    setTurnServers({ iceServers, unlisted }) {
      if (iceServers.length > 0)
        detail =
          'The sound of the meeting did not reach the bot. Check that the TURN server of Galène is reachable by TCP from this machine'
      else if (unlisted.length > 0)
        detail = `Galène sends sound through ${unlisted.slice(0, 3).join(', ')}. Add the host to HANSARD_GALENE_HOSTS if bots may connect to it`
      else detail = NO_TURN
    },
    start(now) {
      admittedAt = now
    },
    check(now) {
      if (mustReportReturn && !streams.isAnyOffered() && now - admittedAt >= OFFER_MS) {
        // Nobody has a microphone on, so the bot missed nothing since it is back.
        emit({ kind: 'captions back', sinceMs: now - admittedAt })
        mustReportReturn = false
      }
      if (streams.isAnyConnected()) {
        wasHeard = true
        if (lostAt !== null || mustReportReturn) emit({ kind: 'captions back' })
        lostAt = null
        mustReportReturn = false
        return
      }
      if (lostAt === null && streams.areAllFailed()) {
        lostAt = now
        emit({ kind: 'captions lost', detail })
      }
      const limitMs = wasHeard ? timeouts.captionsBackMs : timeouts.captionsMs
      if (lostAt !== null && now - lostAt >= limitMs)
        end({ kind: 'over', because: 'captions_unavailable', detail })
    },
  }
}
