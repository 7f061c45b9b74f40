import type { Seat } from '../../browser/seat.ts'
import type { Timers } from '../../lib/timers.ts'
import { createWakeUp } from '../../lib/wake-up.ts'
import { openBridge, type Bridge } from '../bridge/bridge.ts'
import type { Message } from '../bridge/messages.ts'
import type { PageTable } from '../page/decide.ts'
import type { OverReason, Sighting, Visit } from '../platform.ts'
import { createEar, type Ear } from './ear.ts'
import { createEye, type Eye } from './eye.ts'
import { createHand, UnknownPart, type Hand } from './hand.ts'
import { createPageClock } from './page-clock.ts'
import type { PagePlatform } from './page-platform.ts'
import type { Patience } from './patience.ts'
import { watchedIn } from './watched.ts'

/** How one stay in a page came to its end. */
export type StayEnd =
  | { kind: 'over'; because: OverReason; detail?: string }
  /** To be tried once more: the seat is lost, or the page went somewhere else. */
  | { kind: 'again'; why: string }
  /** We were asked to go. */
  | { kind: 'left' }

export type StayParts = {
  platform: PagePlatform
  table: PageTable
  visit: Visit
  seat: Seat
  mark: string
  /** An earlier page of this visit was in the call. */
  hasBeenInside: boolean
  patience: Patience
  timers: Timers
  emit(sighting: Sighting): void
  signal: AbortSignal
}

/** Everything that one stay works with: what is seen, what is heard, what can be done. */
export type Room = StayParts & {
  eye: Eye
  ear: Ear
  hand: Hand
  bridge: Bridge
  now(): number
  /** When the page looked as we know it to look: on a busy machine that may be a while ago. */
  lookedAt(): number
  /** Until something has happened, but no longer than that. */
  wait(ms: number): Promise<void>
  /** Why the stay is over at once, if it is. */
  interruption(): StayEnd | null
  /** Does something on the page; false when the page did not let it, moved on or has gone. */
  attempt(act: () => Promise<boolean>): Promise<boolean>
}

/** The page is looked at so often before the call. */
const PACE_MS = 200

export async function openRoom(parts: StayParts): Promise<Room> {
  const { platform, table, visit, seat, signal, timers } = parts
  const wakeUp = createWakeUp(timers)
  const eye = createEye(table)
  const ear = createEar({ ...parts, reader: platform.createWire(visit) })
  const clock = createPageClock()
  let lookedAt = -Infinity
  for (const event of [signal, seat.lost]) {
    event.addEventListener('abort', wakeUp.wake, { once: true })
  }

  function take(message: Message, sentAt: number): void {
    const at = timers.now()
    const happenedAt = clock.read(sentAt, at)
    // A silence is one only when the page has told of the time after it.
    ear.tick(happenedAt)
    seat.heard()
    if (message.kind === 'look' || message.kind === 'same') lookedAt = happenedAt
    switch (message.kind) {
      case 'look':
        return eye.see(message.seen, at)
      case 'same':
        return eye.seeAgain(at)
      case 'rows':
        return ear.rows(message.rows, happenedAt)
      case 'people':
        return ear.items(message.items)
      case 'heard': {
        ear.hear(message.heard, happenedAt)
        const end = ear.end()
        if (end !== null) eye.know({ wireEnd: end }, at)
        return
      }
      case 'trouble':
        return
    }
  }
  const bridge = await openBridge(seat, {
    wanted: platform.wanted,
    watched: watchedIn(table, PACE_MS),
    hear(message, sentAt) {
      take(message, sentAt)
      wakeUp.wake()
    },
  })

  function interruption(): StayEnd | null {
    if (signal.aborted) return { kind: 'left' }
    return seat.lost.aborted
      ? {
          kind: 'again',
          why: seat.lost.reason instanceof Error ? seat.lost.reason.message : 'The page failed',
        }
      : null
  }
  return {
    ...parts,
    eye,
    ear,
    bridge,
    hand: createHand(seat.page, table),
    now: timers.now,
    lookedAt: () => lookedAt,
    interruption,
    async wait(ms) {
      await wakeUp.sleep(Math.max(1, ms))
    },
    async attempt(act) {
      try {
        return await act()
      } catch (error) {
        // Pages move on and crash while they are worked with; what follows is seen with the next look.
        if (!(error instanceof Error) || error instanceof UnknownPart) throw error
        return false
      }
    },
  }
}
