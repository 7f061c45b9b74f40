import { randomBase62 } from '../../../lib/crypto.ts'
import { systemTimers, type Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import type { ProbeSite } from '../../browser/network/reachability/probe-site.ts'
import type {
  BrowserPool,
  BrowserSlotOptions,
  StorageState,
} from '../../browser/pool/browser-slot.ts'
import type { BreakoutRooms, PageModel } from '../page-model/page-states.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { PlatformName, PlatformEvent, JoinRequest, Platform } from '../platform.ts'
import { runInSlot } from '../session-slot.ts'
import type { SpeechRecognition } from '../speech/recognition.ts'
import { runSessions, toEndEvent, type RejoinRules, streamEvents } from '../visit-events.ts'
import { describeEndReason } from './end-details.ts'
import {
  isProgrammingError,
  logUnexpectedError,
  SessionStepError,
  redactError,
} from './page-errors.ts'
import type { PagePlatform } from './page-platform.ts'
import type { SessionEnd, SessionInspector } from './page-session.ts'
import { runPageSessionWithoutRejoin } from './run-session.ts'
import { MAX_CONSECUTIVE_REJOINS, SESSION_TIMEOUTS, type SessionTimeouts } from './timeouts.ts'

/** Loads the browser state of a bot account by its name. */
export type LoadBotAccountBrowserState = (
  platform: PlatformName,
  name: string,
) => Promise<StorageState>

export type AttendOptions = {
  pool: BrowserPool
  /** Without this function, bots can join only as guests. */
  openAccount?: LoadBotAccountBrowserState
  timeouts?: Partial<SessionTimeouts>
  inspector?: SessionInspector
  /** Finds out why a meeting page could not be opened; without it, nothing is checked. */
  probeSite?: ProbeSite
  /** Decides whether bots follow invitations to breakout rooms; by default they stay. */
  breakoutRooms?: BreakoutRooms
  /** Recognizes what participants say; without it, bots understand only captions. */
  speech?: SpeechRecognition
  timers?: Timers
  log: Log
}

export type PagePlatformOptions = AttendOptions & {
  /** The page model, including the operator's selectors file. */
  pageModel?: () => Promise<PageModel>
}

/** A platform whose meetings bots attend in a browser page. */
export function createPlatformInPage(
  page: PagePlatform,
  parseLink: Platform['parseLink'],
  options: AttendOptions,
): Platform {
  const { name, title } = page
  return {
    name,
    title,
    linkExamples: PLATFORM_INFO[name].linkExamples,
    parseLink,
    attend: (joinRequest, signal) => attendMeetingInPage(page, options, joinRequest, signal),
  }
}

/** Pages are requested in English, because the page models know most texts in English. */
const LOCALE = 'en-US'

/** Attends a meeting in a browser page. If a page fails, the bot joins again with a new session. */
export function attendMeetingInPage(
  platform: PagePlatform,
  parts: AttendOptions,
  joinRequest: JoinRequest,
  signal: AbortSignal,
): AsyncGenerator<PlatformEvent, void, undefined> {
  return streamEvents(
    (emit, leaving) => attendWithRejoins(platform, parts, joinRequest, emit, leaving),
    { platform: platform.name, log: parts.log },
    signal,
  )
}

async function attendWithRejoins(
  platform: PagePlatform,
  parts: AttendOptions,
  joinRequest: JoinRequest,
  emit: (event: PlatformEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { timers = systemTimers } = parts
  const timeouts = { ...SESSION_TIMEOUTS, ...parts.timeouts }
  const pageModel = await platform.pageModel()
  let wasAdmittedInVisit = false
  const emitAndTrack = (event: PlatformEvent) => {
    wasAdmittedInVisit ||= event.kind === 'admitted'
    emit(event)
  }
  const unfinished: Array<Promise<void>> = []
  const finishLater = (work: Promise<void>) => {
    const guarded = work.catch((error: unknown) =>
      logUnexpectedError(
        parts.log,
        { platform: platform.name, step: 'finish recognizing speech' },
        error,
      ),
    )
    unfinished.push(guarded)
  }
  const runSession = () =>
    runSessionInSlot({
      platform,
      finishLater,
      parts,
      timeouts,
      pageModel,
      joinRequest,
      signal,
      timers,
      wasAdmittedInVisit,
      wasAdmittedBefore: wasAdmittedInVisit || joinRequest.wasAdmittedBefore,
      emit: emitAndTrack,
    })
  const rules: RejoinRules = {
    timers,
    stableSessionMs: timeouts.stableSessionMs,
    mayRejoin: (failures) => failures <= MAX_CONSECUTIVE_REJOINS,
    pauseMs: () => timeouts.rejoinMs,
    giveUp(why) {
      const detail = `${describeEndReason('browser_crashed', platform.title)}: ${why}`
      return { kind: 'over', because: 'browser_crashed', detail }
    },
  }
  const end = await runSessions(runSession, rules, signal)
  // Words that were heard before the end belong to the meeting.
  await Promise.all(unfinished)
  if (end !== null) emit(toEndEvent(end))
}

type SessionInput = {
  platform: PagePlatform
  parts: AttendOptions
  timeouts: SessionTimeouts
  pageModel: PageModel
  joinRequest: JoinRequest
  emit: (event: PlatformEvent) => void
  finishLater: (work: Promise<void>) => void
  signal: AbortSignal
  timers: Timers
  wasAdmittedInVisit: boolean
  wasAdmittedBefore: boolean
}

/** Runs one session in its own browser slot, and always releases the slot. */
async function runSessionInSlot({ parts, ...rest }: SessionInput): Promise<SessionEnd> {
  const { signal, timeouts, platform } = rest
  const slotOptions = await slotOptionsFor(rest, parts)
  if (slotOptions === null) {
    const detail = `The bot account ${rest.joinRequest.account} could not be loaded. Check it with hansard account check`
    return { kind: 'over', because: 'sign_in_required', detail }
  }
  const idPrefix = randomBase62(8)
  const { pool, log, inspector, probeSite, breakoutRooms = 'stay', speech: recognition } = parts
  return runInSlot(
    {
      platform,
      pool,
      slotOptions,
      sessionId: idPrefix,
      joinTime: rest.joinRequest.joinTime,
      closeMs: timeouts.closeMs,
      signal,
      log,
    },
    (slot) =>
      runPageSessionWithoutRejoin({
        ...rest,
        slot,
        idPrefix,
        log,
        breakoutRooms,
        inspector,
        probeSite,
        recognition,
      }),
  )
}

/** The options of a session's browser slot; null if the requested bot account cannot be loaded. */
async function slotOptionsFor(
  { platform, joinRequest }: Omit<SessionInput, 'parts'>,
  { openAccount, log }: AttendOptions,
): Promise<BrowserSlotOptions | null> {
  const options = { locale: LOCALE, mediaOrigins: platform.origins }
  if (joinRequest.account === null) return options
  try {
    const storageState = await openAccount?.(platform.name, joinRequest.account)
    return storageState === undefined ? null : { ...options, storageState }
  } catch (error) {
    if (!(error instanceof Error) || isProgrammingError(error))
      throw new SessionStepError('load bot account', error)
    const { account } = joinRequest
    log.warn(
      { platform: platform.name, account, err: redactError(error) },
      'failed to load bot account',
    )
    return null
  }
}
