import type { Timers } from '../../../lib/time/clock.ts'
import type { PlatformEvent } from '../platform.ts'
import { SESSION_STATES, STREAM_STATES } from './protocol/messages.ts'

type LossEvent = Extract<PlatformEvent, { kind: 'captions lost' | 'call lost' }>

type Parts = {
  timers: Timers
  /** How long ago an earlier bot began to attend the meeting; 0 for the first bot. */
  elapsedMs: number
  emit(event: PlatformEvent): void
  onAdmitted(): void
}

const MAX_SESSIONS = 1_000

/**
 * Whether the words of a meeting arrive. They do while the bot is connected and the stream is not paused, and are
 * recorded from the join time on.
 */
export function createRecordingState({ timers, elapsedMs, emit, onAdmitted }: Parts) {
  let isTime = false
  let isConnected = false
  let isStreamPaused = false
  /** The sessions of a stream, one for each person who runs the app. True if paused. */
  const sessions = new Map<string, boolean>()
  let admittedAt: number | null = null
  let isMissing = false

  const isPaused = () =>
    isStreamPaused || (sessions.size > 0 && [...sessions.values()].every(Boolean))
  function lose(event: LossEvent): void {
    if (admittedAt === null || isMissing) return
    isMissing = true
    emit(event)
  }
  function update(): void {
    if (!isConnected || !isTime) return
    if (admittedAt === null) {
      admittedAt = timers.now()
      emit({ kind: 'admitted' })
      onAdmitted()
    }
    if (isPaused()) return lose({ kind: 'captions lost', detail: 'The stream is paused' })
    if (isMissing) emit({ kind: 'captions back' })
    isMissing = false
  }

  return {
    /** The join time has come. */
    begin(): void {
      isTime = true
      update()
    },
    hasBegun: () => isTime,
    isAdmitted: () => admittedAt !== null,
    /** Words arrive from now on. */
    connected(): void {
      isConnected = true
      update()
    },
    disconnected(event: LossEvent): void {
      isConnected = false
      lose(event)
    },
    setStreamState(state: number): void {
      if (state !== STREAM_STATES.paused && state !== STREAM_STATES.resumed) return
      isStreamPaused = state === STREAM_STATES.paused
      update()
    },
    setSessionState(id: string, state: number): void {
      if (state === SESSION_STATES.stopped) sessions.delete(id)
      else if (sessions.has(id) || sessions.size < MAX_SESSIONS)
        sessions.set(id, state === SESSION_STATES.paused)
      update()
    },
    /** Another stream has its own pauses. */
    forgetPauses(): void {
      isStreamPaused = false
      sessions.clear()
    },
    admittedMsAgo: () => (admittedAt === null ? 0 : timers.now() - admittedAt + elapsedMs),
  }
}
export type RecordingState = ReturnType<typeof createRecordingState>
