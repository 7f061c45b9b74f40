import { onAbort } from '../../../lib/async/abort.ts'
import { waitUntilSettled } from '../../../lib/async/await-later.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import { createInternalErrorEnd, logUnexpectedError } from '../page-session/page-errors.ts'
import type { SessionEnd } from '../page-session/page-session.ts'
import type { PlatformEvent } from '../platform.ts'
import { createMediaLink } from './media-link.ts'
import type { ZoomParticipants } from './participants.ts'
import { checkStreamAddress, type StreamAddressRules } from './protocol/addresses.ts'
import {
  describeRefusal,
  describeStop,
  NO_TRANSCRIPT_STATUS,
  type StreamEnd,
} from './protocol/end-reasons.ts'
import {
  EVENT_TYPES,
  MESSAGE_TYPES,
  STREAM_STATES,
  type ServerMessage,
} from './protocol/messages.ts'
import {
  openStreamSocket,
  signHandshake,
  type ZoomAppCredentials,
} from './protocol/stream-socket.ts'
import type { RecordingState } from './recording-state.ts'
import type { ZoomStream, ZoomStreams } from './streams.ts'
import type { TranscriptContent } from './protocol/messages.ts'
import type { ZoomClock } from './transcript.ts'

/** How long each step may take, in milliseconds. Zoom ends a stream a minute after a connection was lost. */
export const STREAM_TIMEOUTS = {
  /** How often the service looks for a stream, and whether a stream has stopped or moved. */
  pollMs: 1_000,
  handshakeMs: 10_000,
  firstRetryMs: 500,
  longestRetryMs: 10_000,
  /** How long Zoom waits for a new connection. */
  signallingWindowMs: 60_000,
  mediaWindowMs: 65_000,
  /** Zoom advises to connect again after this long without a keep-alive request. */
  silenceMs: 65_000,
  /** A connection of this length was a good one. */
  stableMs: 10_000,
  /** How long the last words may arrive after Zoom said that the stream ends. */
  lastWordsMs: 1_000,
  /** How long the bot waits for another stream of the meeting after Zoom lost one. */
  restartMs: 120_000,
}
export type StreamTimeouts = typeof STREAM_TIMEOUTS

export type StreamSessionOptions = {
  streamId: string
  streams: ZoomStreams
  credentials: ZoomAppCredentials
  addresses: StreamAddressRules
  /** Zoom's number of the language that was asked for; null to let Zoom detect it. */
  languageNumber: number | null
  recording: RecordingState
  participants: ZoomParticipants
  clock: ZoomClock
  readTranscript(content: TranscriptContent): void
  /** Called several times a minute. */
  onTick(): void
  timers: Timers
  timeouts: StreamTimeouts
  emit(event: PlatformEvent): void
  signal: AbortSignal
  log: Log
}

export type StreamSessionEnd = SessionEnd | StreamEnd

/** The events that the bot asks for. Zoom sends the others without a request. */
const EVENTS = [
  EVENT_TYPES.activeSpeaker,
  EVENT_TYPES.participantsJoined,
  EVENT_TYPES.participantsLeft,
]

/** Reads a stream over one signalling connection, until that is lost or the stream ends. */
export async function runStreamSession(options: StreamSessionOptions): Promise<StreamSessionEnd> {
  const { streams, streamId, recording, timers, timeouts, signal, log } = options
  const row = await streams.read(streamId)
  if (signal.aborted) return { kind: 'left' }
  const problem = row === null ? describeStop(null) : describeStored(row)
  if (row === null || problem !== null) return problem ?? describeStop(null)
  const address = checkStreamAddress(row.serverUrl, options.addresses)
  if ('problem' in address)
    return { kind: 'over', because: 'stream_failed', detail: address.problem }

  const ended = Promise.withResolvers<StreamSessionEnd>()
  let isFinishing = false
  const end = (value: StreamSessionEnd) => {
    if (!isFinishing) ended.resolve(value)
  }
  await using stack = new AsyncDisposableStack()
  /** The last words can still be on their way. */
  const finishSoon = (value: StreamSessionEnd) => {
    if (isFinishing) return
    isFinishing = true
    stack.defer(timers.after(timeouts.lastWordsMs, () => ended.resolve(value)))
  }
  const fail = (step: string, error: unknown) => {
    logUnexpectedError(log, { platform: 'zoom', sessionId: streamId, step }, error)
    ended.resolve(createInternalErrorEnd())
  }
  /** An error in a callback would end the process. This ends only the session. */
  const guarded =
    <Values extends unknown[]>(step: string, act: (...values: Values) => void) =>
    (...values: Values): void => {
      try {
        act(...values)
      } catch (error) {
        fail(step, error)
      }
    }

  const media = stack.use(
    createMediaLink({
      ...options,
      row,
      guarded,
      end,
      onReady() {
        signalling.send({ msg_type: MESSAGE_TYPES.clientReady, rtms_stream_id: streamId })
        recording.connected()
      },
      onMessage: (message) => read(message),
      onLost: (detail, sinceMs) => {
        if (!isFinishing) recording.disconnected({ kind: 'captions lost', detail, sinceMs })
      },
    }),
  )
  const signalling = stack.use(
    openStreamSocket({
      address,
      timers,
      silenceMs: timeouts.silenceMs,
      onOpen: guarded('signalling handshake', () =>
        signalling.send({
          msg_type: MESSAGE_TYPES.signallingHandshake,
          protocol_version: 1,
          sequence: 1,
          meeting_uuid: row.meetingUuid,
          rtms_stream_id: streamId,
          signature: signHandshake(options.credentials, row),
        }),
      ),
      onMessage: guarded('read signalling', (message) => read(message)),
      onLost: guarded('signalling lost', (why, sinceMs) => {
        if (isFinishing) return
        recording.disconnected({ kind: 'call lost', detail: why, sinceMs })
        end({ kind: 'again', why })
      }),
    }),
  )
  const cancelHandshake = timers.after(timeouts.handshakeMs, () =>
    end({ kind: 'again', why: 'Zoom did not answer' }),
  )
  stack.defer(cancelHandshake)
  stack.defer(onAbort(signal, () => ended.resolve({ kind: 'left' })))

  const read = createMessageReader(options, {
    startMedia(url) {
      const events = EVENTS.map((type) => ({ event_type: type, subscribe: true }))
      signalling.send({ msg_type: MESSAGE_TYPES.eventSubscription, events })
      media.open(url)
    },
    restartMedia: media.restart,
    cancelHandshake,
    end,
    finishSoon,
  })
  const watch = watchStream(options, row, (found) => {
    if (found.kind === 'again') end(found)
    else finishSoon(found)
  })
  stack.defer(watch.stop)
  void watch.done.catch((error: unknown) => fail('watch stream', error))

  if (signal.aborted) ended.resolve({ kind: 'left' })
  const result = await ended.promise
  isFinishing = true
  if (result.kind !== 'left' && result.kind !== 'over')
    recording.disconnected({ kind: 'call lost', detail: result.why, sinceMs: 0 })
  return result
}

type ReaderParts = {
  startMedia(url: string): void
  restartMedia(why: string): void
  cancelHandshake(): void
  end(end: StreamSessionEnd): void
  /** Ends the session after the last words. */
  finishSoon(end: StreamEnd): void
}

type SignallingResponse = Extract<
  ServerMessage,
  { msg_type: typeof MESSAGE_TYPES.signallingHandshakeResponse }
>

/** Reads the messages of both connections. */
function createMessageReader(
  { recording, participants, clock, readTranscript }: StreamSessionOptions,
  { startMedia, restartMedia, cancelHandshake, end, finishSoon }: ReaderParts,
): (message: ServerMessage) => void {
  function readResponse({ status_code: status, reason, media_server: media }: SignallingResponse) {
    cancelHandshake()
    if (status !== 0) return end(describeRefusal(status, reason))
    const url = media?.server_urls.transcript ?? media?.server_urls.all
    // Zoom lists only the media that the app has scopes for.
    if (url === undefined) end(describeRefusal(NO_TRANSCRIPT_STATUS, undefined))
    else startMedia(url)
  }
  return (message) => {
    switch (message.msg_type) {
      case MESSAGE_TYPES.signallingHandshakeResponse:
        return readResponse(message)
      case MESSAGE_TYPES.event: {
        if (message.event.event_type === EVENT_TYPES.mediaInterrupted)
          return restartMedia('Zoom lost the media connection')
        return participants.readEvent(message.event)
      }
      case MESSAGE_TYPES.streamState: {
        clock.note(message.timestamp)
        const { terminating, terminated } = STREAM_STATES
        if (message.state !== terminating && message.state !== terminated)
          return recording.setStreamState(message.state)
        return finishSoon(describeStop(message.reason))
      }
      case MESSAGE_TYPES.sessionState:
        return recording.setSessionState(message.rtms_session_id, message.state)
      case MESSAGE_TYPES.transcript:
        return readTranscript(message.content)
      case MESSAGE_TYPES.keepAlive:
        return clock.note(message.timestamp)
      case MESSAGE_TYPES.mediaHandshakeResponse:
        return
    }
  }
}

/** Why a stored stream can't be read; null if it can. */
function describeStored({ stopped }: ZoomStream): StreamEnd | null {
  return stopped === null ? null : describeStop(stopped.reason)
}

/** Reports when a webhook said that the stream stopped, or moved to another server. */
function watchStream(
  { streams, streamId, timers, timeouts, onTick }: StreamSessionOptions,
  row: ZoomStream,
  report: (end: StreamEnd | { kind: 'again'; why: string }) => void,
) {
  const wakeUp = createWakeableSleep(timers)
  let isStopped = false
  const loop = async () => {
    for (;;) {
      await wakeUp.sleep(timeouts.pollMs)
      if (isStopped) return
      const current = await streams.read(streamId)
      if (isStopped) return
      onTick()
      const problem = current === null ? describeStop(null) : describeStored(current)
      if (problem !== null) return report(problem)
      if (current?.serverUrl !== row.serverUrl)
        return report({ kind: 'again', why: 'Zoom moved the stream to another server' })
    }
  }
  const done = loop()
  return {
    done,
    async stop() {
      isStopped = true
      wakeUp.wake()
      await waitUntilSettled(done)
    },
  }
}
