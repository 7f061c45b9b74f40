import { randomBase62 } from '../../../lib/crypto.ts'
import { doublingDelayMs } from '../../../lib/time/backoff.ts'
import { systemTimers } from '../../../lib/time/clock.ts'
import { openEgressProxy } from '../../browser/network/egress-proxy.ts'
import type { SocksTarget } from '../../browser/network/socks.ts'
import type { AttendOptions } from '../page-session/attend-page.ts'
import type { SessionEnd } from '../page-session/page-session.ts'
import { SESSION_TIMEOUTS } from '../page-session/timeouts.ts'
import type { JoinRequest, PlatformEvent } from '../platform.ts'
import { runInSlot } from '../session-slot.ts'
import type { SpeechRecognition } from '../speech/recognition.ts'
import { runSessions, toEndEvent, type RejoinRules, streamEvents } from '../visit-events.ts'
import { runCallSession, type CallSessionOptions, type SoundPlatform } from './run-session.ts'
import { openVoices } from './voices.ts'

/** Before the bot is admitted, a person waits to learn the reason. After that, the server may be starting again. */
const MAX_REJOINS = { beforeAdmission: 2, afterAdmission: 8 }
const LONGEST_PAUSE_MS = 30_000

type SessionInput = Omit<CallSessionOptions, 'slot' | 'allowTarget'>

/** Attends a call whose sound the bot receives. When the connection is lost, the bot joins again. */
export function attendSoundCall(
  platform: SoundPlatform,
  options: AttendOptions,
  joinRequest: JoinRequest,
  signal: AbortSignal,
): AsyncGenerator<PlatformEvent, void, undefined> {
  return streamEvents(
    (emit, leaving) => attendWithRejoins(platform, options, joinRequest, emit, leaving),
    { platform: platform.name, log: options.log },
    signal,
  )
}

async function attendWithRejoins(
  platform: SoundPlatform,
  options: AttendOptions,
  joinRequest: JoinRequest,
  emit: (event: PlatformEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { timers = systemTimers, speech, log } = options
  const timeouts = { ...SESSION_TIMEOUTS, ...options.timeouts }
  const { language } = joinRequest
  const found = await findSpeech(platform.title, speech, joinRequest)
  if (typeof found === 'string')
    return emit({ kind: 'over', because: 'captions_unavailable', detail: found })
  const visitId = randomBase62(8)
  await using voices = openVoices({ speech: found, language, idPrefix: visitId, timers, emit })
  let wasAdmitted = false
  let sessions = 0
  const rules: RejoinRules = {
    timers,
    stableSessionMs: timeouts.stableSessionMs,
    mayRejoin: (failures) =>
      failures <= (wasAdmitted ? MAX_REJOINS.afterAdmission : MAX_REJOINS.beforeAdmission),
    pauseMs: (failures) => doublingDelayMs(timeouts.rejoinMs, failures, LONGEST_PAUSE_MS),
    giveUp: (why) => ({
      kind: 'over',
      because: 'page_not_loaded',
      detail: `The bot could not stay connected to the ${platform.title} server: ${why}`,
    }),
  }
  const runSession = () => {
    sessions += 1
    return runSessionInSlot(options, {
      platform,
      joinRequest,
      voices,
      wasAdmittedBefore: wasAdmitted || joinRequest.wasAdmittedBefore,
      idPrefix: `${visitId}-${sessions}`,
      timeouts,
      timers,
      emit(event) {
        wasAdmitted ||= event.kind === 'admitted'
        emit(event)
      },
      signal,
      log,
    })
  }
  const end = await runSessions(runSession, rules, signal)
  // Words that were heard before the end belong to the meeting.
  await voices.finish()
  if (end !== null) emit(toEndEvent(end))
}

/** The speech recognition, without which such a call has no transcript; or why there is none. */
async function findSpeech(
  title: string,
  speech: SpeechRecognition | undefined,
  { speech: mode, language }: JoinRequest,
): Promise<SpeechRecognition | string> {
  if (mode === 'off')
    return `${title} has no captions, and the meeting was started without speech recognition. Leave \`speech\` out`
  if (speech === undefined)
    return `${title} has no captions, so bots need speech recognition. Run hansard speech install on the server`
  const obstacle = await speech.findObstacle(language)
  return obstacle === null
    ? speech
    : `${title} has no captions, and speech cannot be recognized. ${obstacle}`
}

/** Runs one session in its own slot. Its egress proxy connects only to targets that the session allows. */
async function runSessionInSlot(
  { pool, log }: AttendOptions,
  input: SessionInput,
): Promise<SessionEnd> {
  const { platform, signal, timeouts, idPrefix } = input
  const allowed = new Set<string>()
  const keyOf = ({ host, port }: SocksTarget) => `${host} ${port}`
  await using proxy = await openEgressProxy({
    isAllowedTarget: (target) => allowed.has(keyOf(target)),
    log,
  })
  // Without `await`, the proxy would close before the session begins.
  return await runInSlot(
    {
      platform,
      pool,
      slotOptions: { locale: 'en-US', mediaOrigins: [], proxyUrl: proxy.proxyUrl },
      sessionId: idPrefix,
      joinTime: input.joinRequest.joinTime,
      closeMs: timeouts.closeMs,
      signal,
      log,
    },
    (slot) =>
      runCallSession({ ...input, slot, allowTarget: (target) => void allowed.add(keyOf(target)) }),
  )
}
