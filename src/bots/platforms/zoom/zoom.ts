import { onAbort } from '../../../lib/async/abort.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import { doublingDelayMs } from '../../../lib/time/backoff.ts'
import { systemTimers, type Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { JoinRequest, Platform, PlatformEvent } from '../platform.ts'
import { runSessions, streamEvents, toEndEvent } from '../visit-events.ts'
import {
  findTranscriptLanguage,
  isTranscriptLanguage,
  nameOfTranscriptLanguage,
} from './languages.ts'
import { meetingNumberOf, parseZoomLink } from './meeting-link.ts'
import { createZoomParticipants } from './participants.ts'
import type { StreamAddressRules } from './protocol/addresses.ts'
import { describeStop } from './protocol/end-reasons.ts'
import type { TranscriptContent } from './protocol/messages.ts'
import type { ZoomAppCredentials } from './protocol/stream-socket.ts'
import { createRecordingState } from './recording-state.ts'
import { runStreamSession, STREAM_TIMEOUTS, type StreamTimeouts } from './stream-session.ts'
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

const NO_CHAT = 'A Zoom stream has no chat, so the bot could not write its message'
const NO_SPEECH =
  'Zoom sends a transcript, so the bot does not recognize speech itself in Zoom meetings'

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
  const waiting = createStreamWait(app, { ...joinRequest, timers, timeouts, recording, emit, signal })
  // A stream without a connection ends after a minute, so the bot connects at once and records from the join time on.
  if (joinTime === undefined) recording.begin()
  else void joinTime.wait(signal).then(() => signal.aborted || recording.begin())

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
    const readUtterance = createTranscriptReader({
      streamId,
      clock,
      nameOf: participants.nameOf,
      admittedMsAgo: recording.admittedMsAgo,
    })
    recording.forgetPauses()
    let gone: string | null = null
    let lostAt = 0
    const readTranscript = (content: TranscriptContent) => {
      clock.note(content.timestamp)
      if (!recording.isAdmitted()) return
      participants.noteSpeaker(content.user_id, content.user_name)
      reportProblems.ofLanguage(content.language)
      const caption = readUtterance(content)
      if (caption !== null) emit({ kind: 'caption', ...caption })
    }
    const runSession = async () => {
      const end = await runStreamSession({
        ...app,
        streamId,
        languageNumber,
        recording,
        participants,
        clock,
        readTranscript,
        onTick: () => reportProblems.ofChat(chat, recording.isAdmitted()),
        timers,
        timeouts,
        emit,
        signal,
        log,
      })
      if (end.kind !== 'gone') return end
      gone = end.why
      return { kind: 'left' } as const
    }
    const end = await runSessions(
      runSession,
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
    if (signal.aborted) return
    if (gone === null) return emit(end === null ? lostEnd() : toEndEvent(end))
    lost = gone
    await app.streams.markGone(streamId)
    stream = null
  }
}

function lostEnd(): PlatformEvent {
  return { kind: 'over', because: 'internal', detail: 'The visit ended without a reason' }
}

type WaitParts = Pick<JoinRequest, 'meetingKey'> & {
  timers: Timers
  timeouts: StreamTimeouts
  recording: { hasBegun(): boolean }
  emit(event: PlatformEvent): void
  signal: AbortSignal
}

/** Waits for a stream of the meeting, and says meanwhile what is missing. */
function createStreamWait({ streams }: ZoomApp, parts: WaitParts) {
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

/** Reports what makes the record worse, each once. */
function createProblemReporter(
  { language, speech, chat }: JoinRequest,
  languageNumber: number | null,
  emit: (event: PlatformEvent) => void,
) {
  let isLanguageReported = false
  const problem = (code: 'caption_language' | 'speech_unavailable', detail: string) =>
    emit({ kind: 'caption problem', code, detail })
  const ofChat = (access: JoinRequest['chat'], isAdmitted: boolean) => {
    if (!isAdmitted || access?.outbox.first() === undefined) return
    while (access.outbox.first() !== undefined) access.outbox.removeFirst()
    emit({ kind: 'chat unavailable', detail: NO_CHAT })
  }
  return {
    ofChat,
    atStart() {
      ofChat(chat, true)
      if (speech === 'always') problem('speech_unavailable', NO_SPEECH)
      if (language !== null && languageNumber === null)
        problem('caption_language', `Zoom does not transcribe ${language}, so it detects the language`)
    },
    ofLanguage(number: number | undefined) {
      if (language === null || languageNumber === null || isLanguageReported) return
      if (number === undefined || number < 0 || isTranscriptLanguage(number, language)) return
      isLanguageReported = true
      const found = nameOfTranscriptLanguage(number)
      problem('caption_language', `The transcript of Zoom is in ${found} instead of ${language}`)
    },
  }
}
