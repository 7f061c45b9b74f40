import { randomBase62 } from '../../../lib/crypto.ts'
import { doublingDelayMs } from '../../../lib/time/backoff.ts'
import { systemTimers } from '../../../lib/time/clock.ts'
import { openEgressProxy } from '../../browser/network/egress-proxy.ts'
import type { SocksTarget } from '../../browser/network/socks.ts'
import type { AttendOptions } from '../page-session/attend-page.ts'
import type { SessionEnd } from '../page-session/page-session.ts'
import { SESSION_TIMEOUTS } from '../page-session/timeouts.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { Platform, JoinRequest, PlatformEvent } from '../platform.ts'
import { runInSlot } from '../session-slot.ts'
import type { SpeechRecognition } from '../speech/recognition.ts'
import { runSessions, toEndEvent, type RejoinRules, streamEvents } from '../visit-events.ts'
import { openVoices } from './media/voices.ts'
import { formatExampleLink, parseGaleneLink } from './meeting-link.ts'
import { runGaleneSession, type GaleneSessionOptions, type GaleneSettings } from './run-session.ts'

/** A hint with all servers of a large organization would be too long. */
const MAX_EXAMPLES = 3

export type GaleneOptions = AttendOptions & { settings: GaleneSettings }

/** Before the bot is admitted, a person waits to learn the reason. After that, the server may be starting again. */
const MAX_REJOINS = { beforeAdmission: 2, afterAdmission: 8 }
const LONGEST_PAUSE_MS = 30_000
const SPEECH_OFF =
  'Galène has no captions, and the meeting was started without speech recognition. Leave `speech` out'
const NO_SPEECH =
  'Galène has no captions, so bots need speech recognition. Run hansard speech install on the server'

type SessionInput = Omit<GaleneSessionOptions, 'slot' | 'allowTarget'>

/** Groups of Galène servers. The bot speaks their protocol itself; a browser only receives sound. */
export function createGalene(options: GaleneOptions): Platform {
  const { hosts } = options.settings
  return {
    name: 'galene',
    title: PLATFORM_INFO.galene.title,
    // Without a listed server, no link is accepted.
    linkExamples: hosts.slice(0, MAX_EXAMPLES).map(formatExampleLink),
    parseLink: (given) => parseGaleneLink(given, hosts),
    attend: (joinRequest, signal) => attendGroup(options, joinRequest, signal),
  }
}

/** Attends a group of a Galène server. When the connection is lost, the bot joins again. */
function attendGroup(
  options: GaleneOptions,
  joinRequest: JoinRequest,
  signal: AbortSignal,
): AsyncGenerator<PlatformEvent, void, undefined> {
  return streamEvents(
    (emit, leaving) => attendWithRejoins(options, joinRequest, emit, leaving),
    { platform: 'galene', log: options.log },
    signal,
  )
}

async function attendWithRejoins(
  options: GaleneOptions,
  joinRequest: JoinRequest,
  emit: (event: PlatformEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { timers = systemTimers, speech, log } = options
  const timeouts = { ...SESSION_TIMEOUTS, ...options.timeouts }
  const { language } = joinRequest
  const obstacle =
    joinRequest.speech === 'off' ? SPEECH_OFF : await findSpeechObstacle(speech, language)
  if (speech === undefined || obstacle !== null)
    return emit({ kind: 'over', because: 'captions_unavailable', detail: obstacle ?? NO_SPEECH })
  const visitId = randomBase62(8)
  await using voices = openVoices({ speech, language, idPrefix: visitId, timers, emit })
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
      detail: `The bot could not stay connected to the Galène server: ${why}`,
    }),
  }
  const runSession = () => {
    sessions += 1
    return runSessionInSlot(options, {
      settings: options.settings,
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

async function findSpeechObstacle(
  speech: SpeechRecognition | undefined,
  language: string | null,
): Promise<string | null> {
  if (speech === undefined) return NO_SPEECH
  const obstacle = await speech.findObstacle(language)
  return obstacle === null
    ? null
    : `Galène has no captions, and speech cannot be recognized. ${obstacle}`
}

/** Runs one session in its own slot. Its egress proxy connects only to the group's TURN servers. Releases both. */
async function runSessionInSlot(
  { pool, log }: GaleneOptions,
  input: SessionInput,
): Promise<SessionEnd> {
  const { signal, timeouts, idPrefix } = input
  const allowed = new Set<string>()
  const keyOf = ({ host, port }: SocksTarget) => `${host} ${port}`
  await using proxy = await openEgressProxy({
    isAllowedTarget: (target) => allowed.has(keyOf(target)),
    log,
  })
  return runInSlot(
    {
      platform: { name: 'galene', title: PLATFORM_INFO.galene.title },
      pool,
      slotOptions: { locale: 'en-US', mediaOrigins: [], proxyUrl: proxy.proxyUrl },
      sessionId: idPrefix,
      joinTime: input.joinRequest.joinTime,
      closeMs: timeouts.closeMs,
      signal,
      log,
    },
    (slot) =>
      runGaleneSession({
        ...input,
        slot,
        allowTarget: (target) => void allowed.add(keyOf(target)),
      }),
  )
}
