import { onAbort } from '../../../lib/async/abort.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { JoinRequest, PlatformEvent } from '../platform.ts'
import type { StreamTimeouts } from './stream-session.ts'
import type { ZoomStream, ZoomStreams } from './streams.ts'

type WaitParts = Pick<JoinRequest, 'meetingKey'> & {
  timers: Timers
  timeouts: StreamTimeouts
  recording: { hasBegun(): boolean }
  emit(event: PlatformEvent): void
  signal: AbortSignal
}

/** Waits for a stream of the meeting, and says meanwhile what is missing. */
export function createStreamWait({ streams }: { streams: ZoomStreams }, parts: WaitParts) {
  const { timers, timeouts, recording, emit, signal, meetingKey = '' } = parts
  let told = ''
  const tell = async (isTaken: boolean, number: string) => {
    const event = isTaken ? taken() : await describeMissing(streams, number)
    if (told === event.because) return
    told = event.because
    emit({ kind: 'not started', ...event })
  }
  return {
    /** Null if the signal aborts, or if Zoom starts no other stream in time after it lost one. */
    async next(meetingNumber: string, hasRecorded: boolean): Promise<ZoomStream | null> {
      const giveUpAt = hasRecorded ? timers.now() + timeouts.restartMs : Infinity
      const wakeUp = createWakeableSleep(timers)
      using _ = { [Symbol.dispose]: onAbort(signal, wakeUp.wake) }
      while (!signal.aborted) {
        const found = await streams.reserve(meetingNumber, meetingKey)
        if (found !== null && found !== 'taken') return found
        if (timers.now() >= giveUpAt) return null
        if (!hasRecorded && recording.hasBegun()) await tell(found === 'taken', meetingNumber)
        if (!signal.aborted) await wakeUp.sleep(timeouts.pollMs)
      }
      return null
    },
  }
}

function taken() {
  const detail =
    'The bot of another meeting in Hansard reads the stream of this Zoom meeting. Zoom allows one'
  return { because: 'stream_failed', detail } as const
}

async function describeMissing(streams: ZoomStreams, number: string) {
  if (await streams.isAppInstalled())
    return {
      because: 'host_did_not_start',
      detail: `Zoom started no stream of the meeting ${number}. Its host has to start the meeting and the Zoom app in it`,
    } as const
  return {
    because: 'app_not_installed',
    detail:
      'No organization uses the Zoom app: Zoom has sent nothing to this service. Install the app, and check its event subscription',
  } as const
}
