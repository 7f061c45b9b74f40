import { abortable } from '../../../lib/async/abort.ts'
import { createWakeableSleep } from '../../../lib/async/wake-up.ts'
import type { Timers } from '../../../lib/time/clock.ts'
import type { Log } from '../../../log.ts'
import type { ProbeSite } from '../../browser/network/reachability/probe-site.ts'
import { BrowserSlotLostError, type BrowserSlot } from '../../browser/pool/browser-slot.ts'
import { openPageBridge, type PageBridge, createPageTimeConverter } from '../bridge/bridge.ts'
import { toPageWatcherConfig } from '../bridge/build-scripts.ts'
import type { BridgeMessage, ReceivedTrafficMessage } from '../bridge/messages.ts'
import { createChatMerger, type ChatMerger } from '../chat.ts'
import type { BreakoutRooms, PageModel } from '../page-model/page-states.ts'
import type { PlatformEndReason, PlatformEvent, JoinRequest } from '../platform.ts'
import type { SpeechRecognition } from '../speech/recognition.ts'
import type { WireUpdate } from '../wire/wire-types.ts'
import { createCaptionAndRosterReader, type CaptionAndRosterReader } from './caption-reader.ts'
import { createPageActions, type PagePartActions } from './page-actions.ts'
import {
  createScriptProblemReporter,
  classifyPageError,
  isProgrammingError,
  logUnexpectedError,
  SessionStepError,
} from './page-errors.ts'
import type { PagePlatform } from './page-platform.ts'
import {
  createPageStateTracker,
  type PageStateTracker,
  createStallDetector,
  type StallDetector,
} from './page-state.ts'
import { createSpeechListener, type SpeechListener } from './speech-listener.ts'
import type { SessionTimeouts } from './timeouts.ts'

export type SessionEnd =
  | { kind: 'over'; because: PlatformEndReason; detail?: string }
  /** The bot must join again, because the slot is lost or the page left the meeting. */
  | { kind: 'again'; why: string }
  /** The service asked the bot to leave. */
  | { kind: 'left' }

export type PageSessionOptions = {
  platform: PagePlatform
  pageModel: PageModel
  joinRequest: JoinRequest
  slot: BrowserSlot
  idPrefix: string
  /** True if an earlier session of this visit, or an earlier bot of the meeting, was in the call. */
  wasAdmittedBefore: boolean
  /** True if an earlier session of this visit was in the call. The service then sets no limit for the lobby. */
  wasAdmittedInVisit: boolean
  timeouts: SessionTimeouts
  breakoutRooms: BreakoutRooms
  timers: Timers
  emit(event: PlatformEvent): void
  signal: AbortSignal
  log: Log
  /** Records how the page and the wire were read, for a report about a broken platform. */
  inspector?: SessionInspector | undefined
  /** Finds out why the meeting page could not be opened. */
  probeSite?: ProbeSite | undefined
  /** The end of the visit waits for this work. The end of the session does not, because the bot may have to rejoin. */
  finishLater(work: Promise<void>): void
  /** Recognizes speech where captions are missing. */
  recognition?: SpeechRecognition | undefined
}

/** Everything that the steps of one session share. */
export type PageSession = PageSessionOptions & {
  pageState: PageStateTracker
  captionReader: CaptionAndRosterReader
  chatMerger: ChatMerger
  pageActions: PagePartActions
  bridge: PageBridge
  stallDetector: StallDetector
  speech: SpeechListener
  captionLanguage: { isWrong: boolean }
  now(): number
  /** When the page was last known to look as observed. On a busy machine, that may be seconds ago. */
  observedAt(): number
  /** Waits for a message of the page or an interruption, but at most `ms`. */
  wait(ms: number): Promise<void>
  /** Why the session must end now; null if it continues. Throws if a message of the page could not be handled. */
  interruption(): SessionEnd | null
  /**
   * Runs an action on the page; false if the page did not allow it, navigated or closed. Rejects with an error that is
   * not a page failure. `step` names the action in the log.
   */
  tryOnPage(step: string, act: () => Promise<boolean>): Promise<boolean>
  /** Shows toolbars that hide while the pointer rests; false if the page failed. */
  movePointer(): Promise<boolean>
  /** Logs an error that is not a page failure, with the step and the page state. */
  reportError(step: string, error: unknown): void
}

/** How often the page is observed before the call. */
const POLL_INTERVAL_MS = 200

/** Observes what a session reads, and changes nothing. */
export interface SessionInspector {
  /** Called after each message of our scripts in the page. */
  inspectPage(
    message: BridgeMessage,
    pageState: Pick<PageStateTracker, 'latest' | 'phase' | 'observation'>,
    bridge: Pick<PageBridge, 'request'>,
  ): void
  /** Called with each message of the wire and its decoded content. */
  inspectTraffic(traffic: ReceivedTrafficMessage, update: WireUpdate): void
}

export async function openPageSession(parts: PageSessionOptions): Promise<PageSession> {
  const { platform, pageModel, slot, signal, timers, log, idPrefix, emit } = parts
  const wakeUp = createWakeableSleep(timers)
  const stallDetector = createStallDetector(timers, parts.emit)
  const pageState = createPageStateTracker(pageModel)
  const tryOnPage = createPageAttempt(slot)
  const setHearing = (isOn: boolean) =>
    tryOnPage('set hearing', async () => (await bridge.setHearing(isOn), true))
  const { captionReader, chatMerger, readsChat, speech } = createReaders(parts, setHearing)
  const clock = createPageTimeConverter()
  let observedAt = -Infinity
  for (const event of [signal, slot.lostSignal]) {
    event.addEventListener('abort', wakeUp.wake, { once: true })
  }

  let readFailure: SessionStepError | null = null

  const sessionContext = () => ({
    platform: platform.name,
    sessionId: idPrefix,
    pageState: pageState.latest().state,
  })
  function reportError(step: string, error: unknown): void {
    logUnexpectedError(log, { ...sessionContext(), step }, error)
  }
  const reportProblem = createScriptProblemReporter(log, sessionContext)
  function take(message: BridgeMessage, sentAt: number): void {
    if (message.kind === 'error') return reportProblem(message.text)
    const at = timers.now()
    const happenedAt = clock.toLocalTime(sentAt, at)
    stallDetector.messageReceived()
    // The caption reader may detect a pause only up to the time that the page has reported.
    captionReader.tick(happenedAt)
    const chatMessages = chatMerger.take(happenedAt)
    if (chatMessages.length > 0) emit({ kind: 'chat', messages: chatMessages })
    slot.reportActivity()
    if (message.kind === 'observation' || message.kind === 'unchanged') observedAt = happenedAt
    switch (message.kind) {
      case 'observation':
        return pageState.update(message.observation, at)
      case 'unchanged':
        return pageState.confirmUnchanged(at)
      case 'rows':
        return captionReader.readRows(message.rows, happenedAt)
      case 'participants':
        return captionReader.readParticipantList(message.items)
      case 'sound':
        return speech.addSound(message.sound, happenedAt)
      case 'chat':
        return chatMerger.addPageMessages(message.messages, happenedAt)
      case 'traffic': {
        captionReader.readTraffic(message.traffic, happenedAt)
        const endReason = captionReader.endReason()
        if (endReason !== null) pageState.setContext({ wireEndReason: endReason }, at)
        return
      }
    }
  }
  const opening = openPageBridge(slot, {
    trafficFilter: platform.trafficFilter,
    watchConfig: toPageWatcherConfig(pageModel, POLL_INTERVAL_MS, { readsChat }),
    onMessage(message, sentAt) {
      try {
        take(message, sentAt)
        parts.inspector?.inspectPage(message, pageState, bridge)
      } catch (error) {
        // An error thrown here would reach Playwright and end the process. Kept instead, it ends only the session.
        readFailure ??= new SessionStepError(`read ${message.kind}`, error)
      }
      wakeUp.wake()
    },
  })
  const bridge = await abortable(opening, slot.lostSignal)

  function interruption(): SessionEnd | null {
    if (readFailure !== null) throw readFailure
    if (signal.aborted) return { kind: 'left' }
    return slot.lostSignal.aborted ? { kind: 'again', why: describeSlotLoss(slot) } : null
  }
  const { hosts } = platform.trafficFilter
  const mayPressKeys = () => pageState.latest().state === 'in call'
  const actionOptions = { hosts, mayPressKeys, reportError, reportProblem }
  const pageActions = createPageActions(slot.page, pageModel, actionOptions)
  return {
    ...parts,
    pageState,
    captionReader,
    chatMerger,
    bridge,
    stallDetector,
    speech,
    captionLanguage: { isWrong: false },
    pageActions,
    reportError,
    tryOnPage,
    movePointer: () =>
      tryOnPage('move pointer', async () => (await pageActions.movePointer(), true)),
    now: timers.now,
    observedAt: () => observedAt,
    interruption,
    async wait(ms) {
      await wakeUp.sleep(Math.max(1, ms))
    },
  }
}

function createPageAttempt(slot: BrowserSlot): PageSession['tryOnPage'] {
  return async (step, act) => {
    try {
      // A hung page no longer answers, and some actions have no time limit of their own.
      return await abortable(act(), slot.lostSignal)
    } catch (error) {
      // Pages navigate and crash while the session works with them. The next observation shows the new state.
      if (isErrorCausedByPage(error, slot)) return false
      throw error instanceof SessionStepError ? error : new SessionStepError(step, error)
    }
  }
}

/** Turns the page's messages into captions, participants, chat messages and recognized speech. */
function createReaders(parts: PageSessionOptions, setHearing: (isOn: boolean) => Promise<boolean>) {
  const { platform, joinRequest, idPrefix } = parts
  const reader = platform.createWireReader(joinRequest)
  const readsChat = joinRequest.chat?.isRead ?? false
  const ownName = joinRequest.displayName
  const chatMerger = createChatMerger({ roster: reader.roster, ownName, idPrefix })
  const captionReader = createCaptionAndRosterReader({
    ...parts,
    reader,
    isRecordingSpeech: () => speech.isRecording(),
    onWireUpdate(update, traffic, at) {
      if (readsChat && update.chat !== undefined) chatMerger.addWireMessages(update.chat, at)
      parts.inspector?.inspectTraffic(traffic, update)
    },
  })
  const speech = createSpeechListener({
    ...parts,
    mode: joinRequest.speech ?? 'off',
    language: joinRequest.language,
    platformTitle: platform.title,
    reader,
    setHearing,
    spokenLanguage: () => captionReader.language()?.translatedFrom ?? null,
    now: parts.timers.now,
  })
  return { captionReader, chatMerger, readsChat, speech }
}

/** True if the page or its browser caused the error. On a lost page, Playwright fails with many different messages. */
export function isErrorCausedByPage(error: unknown, { lostSignal, page }: BrowserSlot): boolean {
  if (classifyPageError(error) !== null) return true
  const isGone = lostSignal.aborted || page.isClosed()
  return isGone && error instanceof Error && !isProgrammingError(error)
}

/** The end of a session whose page was closed before its browser slot knows the reason. The bot joins again. */
export function createPageClosedEnd(): SessionEnd {
  return { kind: 'again', why: 'The page was closed' }
}

/** Tells people why a session lost its browser slot. */
export function describeSlotLoss({ lostSignal }: BrowserSlot): string {
  return lostSignal.reason instanceof BrowserSlotLostError
    ? lostSignal.reason.message
    : 'The page failed'
}
