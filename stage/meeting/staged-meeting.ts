import { createPageRegistry } from './page-registry.ts'
import { createAttendance, createParticipants, type Cast } from './attendance.ts'
import type { StagePlatform } from './screens.ts'
import type { PageAction } from './page-protocol.ts'
import type { Knobs } from './knobs.ts'
import { createStagedMeetWire } from './wires/google-meet-wire.ts'
import { createTurnRows, createUtteranceRows } from './captions/caption-rows.ts'
import { createStagedTeamsWire } from './wires/microsoft-teams-wire.ts'
import { createScaledTimers } from './scaled-timers.ts'
import { createConversation } from './captions/conversation.ts'

export type StagedMeeting = ReturnType<typeof createStagedMeeting>

/** One meeting: what its guests see, and the strings by which it is moved. */
export function createStagedMeeting(options: {
  platform: StagePlatform
  room: string
  title: string
  callId: string
  cast: Cast
  knobs: Knobs
  /** A script says what follows a knock; otherwise the knob does. */
  isScripted: boolean
}) {
  const { platform, knobs, callId, isScripted } = options
  const closing = new AbortController()
  const timers = createScaledTimers(knobs.speed, closing.signal)
  const audience = createPageRegistry()
  const cast = createParticipants(options.cast)
  const [rows, wire] =
    platform === 'google-meet'
      ? [createTurnRows(knobs.restartAfterMs), createStagedMeetWire(knobs)]
      : [
          createUtteranceRows(),
          createStagedTeamsWire(knobs, callId, () =>
            [...cast.values()].find(({ isHost }) => isHost),
          ),
        ]
  const door = isScripted ? null : knobs.door
  const company = createAttendance({ platform, cast, audience, wire, door })
  const { moveAllTo, join, leave, requestAdmission, participantsSeenBy, pagesInCall } = company
  const { caption, say, chat, hush } = createConversation({ company, wire, rows, timers, knobs })

  return {
    ...options,
    audience,
    wire,
    timers,
    participantsSeenBy,
    requestAdmission,
    /** Waits for what a page does; the guest who did it comes back. */
    until: (deed: PageAction) => audience.waitForAction(deed, closing.signal),
    lobby: () => moveAllTo('lobby'),
    admit: () => moveAllTo('call'),
    deny: () => moveAllTo('denied'),
    /** Nobody answers the knock. */
    ignore: () => moveAllTo('no-answer'),
    remove: () => moveAllTo('removed'),
    end: () => moveAllTo('ended'),
    /** Any screen, for everybody who has knocked. */
    turn: moveAllTo,
    join,
    leave,
    caption,
    say,
    chat,
    hush,
    /** Whether the platform has captions at all at the moment. */
    captions(areUp: boolean): void {
      for (const guest of pagesInCall()) guest.send({ kind: 'captions', areUp })
    },
    connection(isLost: boolean): void {
      for (const guest of pagesInCall()) guest.send({ kind: 'connection', isLost })
    },
    isClosed: () => closing.signal.aborted,
    close(): void {
      closing.abort()
      wire.close()
    },
  }
}
