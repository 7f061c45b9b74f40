import { createAudience } from './audience.ts'
import { createCompany, playersOf, type Cast } from './company.ts'
import type { StagePlatform } from './doors.ts'
import type { Deed } from './events.ts'
import type { Knobs } from './knobs.ts'
import { createMeetWire } from './meet-wire.ts'
import { createTurnRows, createUtteranceRows } from './rows.ts'
import { createTeamsWire } from './teams-wire.ts'
import { createTimers } from './timers.ts'
import { createVoice } from './voice.ts'

export type Show = ReturnType<typeof createShow>

/** One meeting: what its guests see, and the strings by which it is moved. */
export function createShow(options: {
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
  const timers = createTimers(knobs.speed, closing.signal)
  const audience = createAudience()
  const cast = playersOf(options.cast)
  const [rows, wire] =
    platform === 'google-meet'
      ? [createTurnRows(knobs.restartAfterMs), createMeetWire(knobs)]
      : [
          createUtteranceRows(),
          createTeamsWire(knobs, callId, () => [...cast.values()].find(({ isHost }) => isHost)),
        ]
  const door = isScripted ? null : knobs.door
  const company = createCompany({ platform, cast, audience, wire, door })
  const { move, join, leave, knock, peopleFor, inCall } = company
  const { caption, say, chat, hush } = createVoice({ company, wire, rows, timers, knobs })

  return {
    ...options,
    audience,
    wire,
    timers,
    peopleFor,
    knock,
    /** Waits for what a page does; the guest who did it comes back. */
    until: (deed: Deed) => audience.until(deed, closing.signal),
    lobby: () => move('lobby'),
    admit: () => move('call'),
    deny: () => move('denied'),
    /** Nobody answers the knock. */
    ignore: () => move('no-answer'),
    remove: () => move('removed'),
    end: () => move('ended'),
    /** Any screen, for everybody who has knocked. */
    turn: move,
    join,
    leave,
    caption,
    say,
    chat,
    hush,
    /** Whether the platform has captions at all at the moment. */
    captions(areUp: boolean): void {
      for (const guest of inCall()) guest.send({ kind: 'captions', areUp })
    },
    connection(isLost: boolean): void {
      for (const guest of inCall()) guest.send({ kind: 'connection', isLost })
    },
    isClosed: () => closing.signal.aborted,
    close(): void {
      closing.abort()
      wire.close()
    },
  }
}
