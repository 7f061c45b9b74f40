import type { BrowserSlot } from '../../browser/pool/browser-slot.ts'
import type { Timers } from '../../../lib/time/timers.ts'
import { createWakeUp } from '../../../lib/async/wake-up.ts'
import { openBridge, type Bridge } from '../bridge/bridge.ts'
import type { BridgeMessage } from '../bridge/messages.ts'
import type { PageModel } from '../page-model/page-states.ts'
import type { PlatformEndReason, PlatformEvent, JoinRequest } from '../platform.ts'
import { createCaptionReader, type CaptionReader } from './caption-reader.ts'
import { createPageState, type PageState } from './page-state.ts'
import { createPageActions, UnknownPartError, type PageActions } from './page-actions.ts'
import { createPageClock } from './page-clock.ts'
import type { PagePlatform } from './page-platform.ts'
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
  /** Does something on the page; false when the page did not let it, moved on or has gone. */
  tryOnPage(act: () => Promise<boolean>): Promise<boolean>
}

/** The page is looked at so often before the call. */
const POLL_INTERVAL_MS = 200

export async function openPageSession(parts: SessionParts): Promise<PageSession> {
  const { platform, pageModel, joinRequest, slot, signal, timers } = parts
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

  function take(message: BridgeMessage, sentAt: number): void {
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
      case 'error':
        return
    }
  }
  const bridge = await openBridge(slot, {
    trafficFilter: platform.trafficFilter,
    watchConfig: watchConfigFor(pageModel, POLL_INTERVAL_MS),
    onMessage(message, sentAt) {
      take(message, sentAt)
      wakeUp.wake()
    },
  })

  function interruption(): SessionEnd | null {
    if (signal.aborted) return { kind: 'left' }
    return slot.lostSignal.aborted
      ? {
          kind: 'again',
          why:
            slot.lostSignal.reason instanceof Error
              ? slot.lostSignal.reason.message
              : 'The page failed',
        }
      : null
  }
  return {
    ...parts,
    pageState,
    captionReader,
    bridge,
    pageActions: createPageActions(slot.page, pageModel),
    now: timers.now,
    observedAt: () => observedAt,
    interruption,
    async wait(ms) {
      await wakeUp.sleep(Math.max(1, ms))
    },
    async tryOnPage(act) {
      try {
        return await act()
      } catch (error) {
        // Pages move on and crash while they are worked with; what follows is seen with the next look.
        if (!(error instanceof Error) || error instanceof UnknownPartError) throw error
        return false
      }
    },
  }
}
