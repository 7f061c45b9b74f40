import type { SessionEnd } from '../../page-session/page-session.ts'
import type { SessionTimeouts } from '../../page-session/timeouts.ts'
import type { PlatformEvent } from '../../platform.ts'
import type { Streams } from './streams.ts'
import type { UsableTurnServers } from './turn-servers.ts'

type Options = {
  streams: Pick<Streams, 'areAllFailed' | 'isAnyConnected'>
  timeouts: Pick<SessionTimeouts, 'captionsMs' | 'captionsBackMs'>
  emit(event: PlatformEvent): void
  end(end: SessionEnd): void
}

/** Reports when no participant can be heard, and ends the session when that does not change. */
export interface SoundMonitor {
  setTurnServers(servers: UsableTurnServers): void
  check(now: number): void
}

const NO_TURN =
  'The Galène server offers no TURN server by TCP, which bots need. Start Galène with its built-in TURN server (-turn), or add one to ice-servers.json with ?transport=tcp'

export function createSoundMonitor({ streams, timeouts, emit, end }: Options): SoundMonitor {
  let detail = NO_TURN
  let lostAt: number | null = null
  let wasHeard = false

  return {
    setTurnServers({ iceServers, unlisted }) {
      if (iceServers.length > 0)
        detail =
          'The sound of the meeting did not reach the bot. Check that the TURN server of Galène is reachable by TCP from this machine'
      else if (unlisted.length > 0)
        detail = `Galène sends sound through ${unlisted.slice(0, 3).join(', ')}. Add the host to HANSARD_GALENE_HOSTS if bots may connect to it`
      else detail = NO_TURN
    },
    check(now) {
      if (streams.isAnyConnected()) {
        wasHeard = true
        if (lostAt !== null) emit({ kind: 'captions back' })
        lostAt = null
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
