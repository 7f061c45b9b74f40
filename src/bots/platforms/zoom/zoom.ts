import { doublingDelayMs } from '../../../lib/time/backoff.ts'
import { systemTimers, type Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { JoinRequest, Platform, PlatformEvent } from '../platform.ts'
import { runSessions, streamEvents, toEndEvent } from '../visit-events.ts'
import { findTranscriptLanguage } from './languages.ts'
import { meetingNumberOf, parseZoomLink } from './meeting-link.ts'
import { createZoomParticipants } from './participants.ts'
import type { StreamAddressRules } from './protocol/addresses.ts'
import { createProblemReporter } from './problems.ts'
import { describeStop } from './protocol/end-reasons.ts'
import type { TranscriptContent } from './protocol/messages.ts'
import type { ZoomAppCredentials } from './protocol/stream-socket.ts'
import { createRecordingState } from './recording-state.ts'
import {
  runStreamSession,
  STREAM_TIMEOUTS,
  type StreamSessionOptions,
  type StreamTimeouts,
} from './stream-session.ts'
import { createStreamWait } from './stream-wait.ts'
import type { ZoomStream, ZoomStreams } from './streams.ts'
import { createTranscriptReader, createZoomClock } from './transcript.ts'

/** The Zoom app of this instance. */
export type ZoomApp = {
  credentials: ZoomAppCredentials
  streams: ZoomStreams
  addresses: StreamAddressRules
  timeouts?: Partial<StreamTimeouts>
}

export type ZoomOptions = {
  /** `listed`: this node only recognizes links. Null if no Zoom app is set up, so that no link is accepted. */
  app: ZoomApp | 'listed' | null
  timers?: Timers
  log: Log
}

/** Zoom meetings by their Realtime Media Streams (RTMS): the bot does not join, but reads what Zoom sends. */
export function createZoom(options: ZoomOptions): Platform {
  const { app } = options
  return {
    name: 'zoom',
    title: PLATFORM_INFO.zoom.title,
    // Without an app, no link is accepted.
    linkExamples: app === null ? [] : PLATFORM_INFO.zoom.linkExamples,
    parseLink: (given) => (app === null ? null : parseZoomLink(given)),
    attend(joinRequest, signal) {
      if (app === null || app === 'listed') throw new Error('this node attends no Zoom meetings')
      return streamEvents(
        (emit, leaving) => attendMeeting(app, options, joinRequest, emit, leaving),
        { platform: 'zoom', log: options.log },
        signal,
      )
    },
  }
}

/** Waits for the stream of a meeting and reads it, and another one if Zoom lost the first. */
async function attendMeeting(
  app: ZoomApp,
  { timers = systemTimers, log }: ZoomOptions,
  joinRequest: JoinRequest,
  emit: (event: PlatformEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const timeouts = { ...STREAM_TIMEOUTS, ...app.timeouts }
  const { link, chat, joinTime, language, meetingKey = '' } = joinRequest
  const languageNumber = language === null ? null : findTranscriptLanguage(language)
  const clock = createZoomClock(timers)
  const participants = createZoomParticipants(emit)
  const reportProblems = createProblemReporter(joinRequest, languageNumber, emit)
  const recording = createRecordingState({
    timers,
    elapsedMs: joinRequest.elapsedMs,
    emit,
    onAdmitted() {
      participants.start()
      reportProblems.atStart()
    },
  })
  emit({ kind: 'way in' })
  const waiting = createStreamWait(app, {
    ...joinRequest,
    timers,
    timeouts,
    recording,
    emit,
    signal,
  })
  // A stream without a connection ends after a minute, so the bot connects at once and records from the join time on.
  if (joinTime === undefined) recording.begin()
  else void joinTime.wait(signal).then(() => signal.aborted || recording.begin())

  const readTranscriptOf = (streamId: string) => {
    const readUtterance = createTranscriptReader({
      streamId,
      clock,
      nameOf: participants.nameOf,
      admittedMsAgo: recording.admittedMsAgo,
    })
    return (content: TranscriptContent) => {
      clock.note(content.timestamp)
      if (!recording.isAdmitted()) return
      participants.noteSpeaker(content.user_id, content.user_name)
      reportProblems.ofLanguage(content.language)
      const caption = readUtterance(content)
      if (caption !== null) emit({ kind: 'caption', ...caption })
    }
  }
  const readStream = (streamId: string) => {
    recording.forgetPauses()
    return runStreamSessions({
      ...app,
      streamId,
      languageNumber,
      recording,
      participants,
      clock,
      readTranscript: readTranscriptOf(streamId),
      onTick: () => reportProblems.ofChat(chat, recording.isAdmitted()),
      timers,
      timeouts,
      emit,
      signal,
      log,
    })
  }

  let stream: ZoomStream | null = await app.streams.findReserved(meetingKey)
  let lost = ''
  // Zoom may have ended the stream while no bot read it.
  if (stream !== null && stream.stopped !== null) {
    const end = describeStop(stream.stopped.reason)
    if (end.kind === 'over') return emit(toEndEvent(end))
    lost = end.why
    stream = null
  }
  const isLaterBot = joinRequest.wasAdmittedBefore
  for (;;) {
    const hasRecorded = recording.isAdmitted() || isLaterBot
    stream ??= await waiting.next(meetingNumberOf(link), hasRecorded)
    if (signal.aborted) return
    if (stream === null) {
      const why = lost === '' ? 'it was not there after the bot came back' : lost
      const detail = `The stream was lost and Zoom started no other one: ${why}`
      return emit({ kind: 'over', because: 'stream_failed', detail })
    }
    const { streamId } = stream
    const { end, gone } = await readStream(streamId)
    if (signal.aborted) return
    if (gone === null) return emit(end === null ? lostEnd() : toEndEvent(end))
    lost = gone
    await app.streams.markGone(streamId)
    stream = null
  }
}

/** Reads one stream over as many connections as it takes. `gone`: why Zoom no longer has it, or may have lost it. */
async function runStreamSessions(options: StreamSessionOptions) {
  const { timers, timeouts, signal } = options
  let gone: string | null = null
  let lostAt = 0
  const end = await runSessions(
    async () => {
      const ended = await runStreamSession(options)
      if (ended.kind !== 'gone') return ended
      gone = ended.why
      return { kind: 'left' }
    },
    {
      timers,
      stableSessionMs: timeouts.stableMs,
      mayRejoin(failures) {
        if (failures === 1) lostAt = timers.now()
        return timers.now() - lostAt < timeouts.signallingWindowMs
      },
      pauseMs: (failures) =>
        doublingDelayMs(timeouts.firstRetryMs, failures, timeouts.longestRetryMs),
      giveUp(why) {
        gone = why
        return { kind: 'over', because: 'stream_failed', detail: why }
      },
    },
    signal,
  )
  return { end, gone: gone as string | null }
}

function lostEnd(): PlatformEvent {
  return { kind: 'over', because: 'internal', detail: 'The visit ended without a reason' }
}
