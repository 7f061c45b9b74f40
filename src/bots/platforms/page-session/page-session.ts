import { BrowserSlotLostError, type BrowserSlot } from '../../browser/pool/browser-slot.ts'
import type { Log } from '../../../log.ts'
import type { Timers } from '../../../lib/time/timers.ts'
import { createWakeUp } from '../../../lib/async/wake-up.ts'
import { openBridge, type Bridge } from '../bridge/bridge.ts'
import type { BridgeMessage } from '../bridge/messages.ts'
import type { PageModel } from '../page-model/page-states.ts'
import type { PlatformEndReason, PlatformEvent, JoinRequest } from '../platform.ts'
import { createCaptionReader, type CaptionReader } from './caption-reader.ts'
import { createPageState, type PageState } from './page-state.ts'
import { createPageActions, type PageActions } from './page-actions.ts'
import {
  classifyPageError,
  isBugOfService,
  logUnexpectedError,
  SessionStepError,
} from './page-errors.ts'
import { createPageClock } from './page-clock.ts'
import type { PagePlatform } from './page-platform.ts'
import { redactMessage } from './redact.ts'
import type { SessionTimeouts } from './timeouts.ts'
import { watchConfigFor } from '../bridge/watch-config.ts'

/** How one stay in a page came to its end. */
export type SessionEnd =
  | { kind: 'over'; because: PlatformEndReason; detail?: string }
  /** To be tried once more: the seat is lost, or the page went somewhere else. */
  | { kind: 'again'; why: string }
  /** We were asked to go. */
  | { kind: 'left' }

export type SessionParts = {
  platform: PagePlatform
  pageModel: PageModel
  joinRequest: JoinRequest
  slot: BrowserSlot
  idPrefix: string
  /** An earlier page of this visit was in the call. */
  wasAdmittedBefore: boolean
  timeouts: SessionTimeouts
  timers: Timers
  emit(event: PlatformEvent): void
  signal: AbortSignal
  log: Log
}

/** Everything that one stay works with: what is seen, what is heard, what can be done. */
export type PageSession = SessionParts & {
  pageState: PageState
  captionReader: CaptionReader
  pageActions: PageActions
  bridge: Bridge
  now(): number
  /** When the page looked as we know it to look: on a busy machine that may be a while ago. */
  observedAt(): number
  /** Until something has happened, but no longer than that. */
  wait(ms: number): Promise<void>
  /** Why the stay is over at once, if it is. */
  interruption(): SessionEnd | null
  /**
   * Does something on the page; false when the page did not let it, navigated or is closed. Rejects with an error
   * that is no page failure. `step` names the action in the log.
   */
  tryOnPage(step: string, act: () => Promise<boolean>): Promise<boolean>
  /** Shows bars that hide when the pointer rests; false on a page failure. */
  movePointer(): Promise<boolean>
  /** Logs an error that is no page failure, with the step and the state of the page. */
  reportError(step: string, error: unknown): void
}

/** The page is looked at so often before the call. */
const POLL_INTERVAL_MS = 200

/** More different reports than our scripts can cause; a hostile page must not fill the log. */
const MAX_SCRIPT_REPORTS = 20

export async function openPageSession(parts: SessionParts): Promise<PageSession> {
  const { platform, pageModel, joinRequest, slot, signal, timers, log, idPrefix } = parts
  const wakeUp = createWakeUp(timers)
  const pageState = createPageState(pageModel)
  const captionReader = createCaptionReader({
    ...parts,
    reader: platform.createWireReader(joinRequest),
  })
  const clock = createPageClock()
  let observedAt = -Infinity
  for (const event of [signal, slot.lostSignal]) {
    event.addEventListener('abort', wakeUp.wake, { once: true })
  }

  const reported = new Set<string>()
  let readFailure: SessionStepError | null = null

  function reportError(step: string, error: unknown): void {
    const context = {
      platform: platform.name,
      sessionId: idPrefix,
      step,
      pageState: pageState.latest().state,
    }
    logUnexpectedError(log, context, error)
  }
  /** Once for each text: scripts in a page report the same problem with every poll. */
  function reportProblem(text: string): void {
    const report = redactMessage(text)
    if (reported.has(report) || reported.size >= MAX_SCRIPT_REPORTS) return
    reported.add(report)
    const pageStateName = pageState.latest().state
    log.warn(
      { platform: platform.name, sessionId: idPrefix, pageState: pageStateName, report },
      'script in the meeting page reported a problem',
    )
  }
  function take(message: BridgeMessage, sentAt: number): void {
    if (message.kind === 'error') return reportProblem(message.text)
    const at = timers.now()
    const happenedAt = clock.toLocalTime(sentAt, at)
    // A silence is one only when the page has told of the time after it.
    captionReader.tick(happenedAt)
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
      case 'traffic': {
        captionReader.readTraffic(message.traffic, happenedAt)
        const endReason = captionReader.endReason()
        if (endReason !== null) pageState.setContext({ wireEndReason: endReason }, at)
        return
      }
    }
  }
  const bridge = await openBridge(slot, {
    trafficFilter: platform.trafficFilter,
    watchConfig: watchConfigFor(pageModel, POLL_INTERVAL_MS),
    onMessage(message, sentAt) {
      try {
        take(message, sentAt)
      } catch (error) {
        // Thrown into the driver, the error would end the process; the session ends with it instead.
        readFailure ??= new SessionStepError(`read ${message.kind}`, error)
      }
      wakeUp.wake()
    },
  })

  function interruption(): SessionEnd | null {
    if (readFailure !== null) throw readFailure
    if (signal.aborted) return { kind: 'left' }
    return slot.lostSignal.aborted ? { kind: 'again', why: describeLoss(slot) } : null
  }
  const pageActions = createPageActions(slot.page, pageModel, { reportError, reportProblem })
  const tryOnPage: PageSession['tryOnPage'] = async (step, act) => {
    try {
      return await act()
    } catch (error) {
      // Pages navigate and crash while the session works with them; the next observation shows what followed.
      if (isPageFailure(error, slot)) return false
      throw error instanceof SessionStepError ? error : new SessionStepError(step, error)
    }
  }
  return {
    ...parts,
    pageState,
    captionReader,
    bridge,
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

/** Whether the page or its browser caused an error. A lost page makes the driver fail in many words. */
export function isPageFailure(error: unknown, { lostSignal, page }: BrowserSlot): boolean {
  if (classifyPageError(error) !== null) return true
  const isGone = lostSignal.aborted || page.isClosed()
  return isGone && error instanceof Error && !isBugOfService(error)
}

/** The page is closed, and the slot does not know yet why. */
export function pageClosed(): SessionEnd {
  return { kind: 'again', why: 'The page was closed' }
}

/** Why the slot cannot be used any more, for people. */
export function describeLoss({ lostSignal }: BrowserSlot): string {
  return lostSignal.reason instanceof BrowserSlotLostError
    ? lostSignal.reason.message
    : 'The page failed'
}
