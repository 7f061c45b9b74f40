import { createPageRegistry } from './page-registry.ts'
import { createAttendance, createParticipants, type Cast } from './attendance.ts'
import type { StagePlatform } from './screens.ts'
import type { PageAction, Prompt } from './page-protocol.ts'
import type { Knobs } from './knobs.ts'
import { createStagedMeetWire } from './wires/google-meet-wire.ts'
import { createTurnRows, createUtteranceRows } from './captions/caption-rows.ts'
import { createStagedTeamsWire } from './wires/microsoft-teams-wire.ts'
import { createScaledTimers } from './scaled-timers.ts'
import { createSpeaking } from './sounds.ts'
import { createConversation } from './captions/conversation.ts'

export type StagedMeeting = ReturnType<typeof createStagedMeeting>

/** One meeting on the stage, and the methods with which a test or a script controls it. */
export function createStagedMeeting(options: {
  platform: StagePlatform
  room: string
  title: string
  callId: string
  cast: Cast
  knobs: Knobs
  /** True if a script, instead of the knob `door`, decides what follows a request to join. */
  isScripted: boolean
}) {
  const { platform, knobs, callId, isScripted } = options
  const closing = new AbortController()
  const timers = createScaledTimers(knobs.speed, closing.signal)
  const pages = createPageRegistry()
  const cast = createParticipants(options.cast)
  const [rows, wire] =
    platform === 'google-meet'
      ? [createTurnRows(knobs), createStagedMeetWire(knobs)]
      : [
          createUtteranceRows(),
          createStagedTeamsWire(knobs, callId, () =>
            [...cast.values()].find(({ isHost }) => isHost),
          ),
        ]
  const door = isScripted ? null : knobs.door
  const attendance = createAttendance({ platform, cast, pages, wire, door })
  const { moveAllTo, join, leave, requestAdmission, participantsSeenBy, pagesInCall } = attendance
  const { caption, say, chat, setWireCaptionsMuted } = createConversation({
    attendance,
    wire,
    rows,
    timers,
    knobs,
  })

  return {
    ...options,
    ...createSpeaking(attendance, closing.signal),
    pages,
    wire,
    timers,
    participantsSeenBy,
    requestAdmission,
    /** Waits for an action and resolves with the page that performed it. */
    waitFor: (action: PageAction) => pages.waitForAction(action, closing.signal),
    lobby: () => moveAllTo('lobby'),
    admit: () => moveAllTo('call'),
    deny: () => moveAllTo('denied'),
    /** The request to join gets no answer. */
    ignore: () => moveAllTo('no-answer'),
    remove: () => moveAllTo('removed'),
    end: () => moveAllTo('ended'),
    /** Shows any screen on every page that has asked to join. */
    showScreen: moveAllTo,
    /** Shows a prompt over every page that has asked to join. With `isDeaf`, the prompt ignores its answers. */
    showPrompt(prompt: Prompt, { isDeaf = false } = {}): void {
      for (const page of pages.all) {
        if (page.actions.has('knocked')) page.send({ kind: 'prompt', prompt, isDeaf })
      }
    },
    join,
    leave,
    caption,
    say,
    chat,
    setWireCaptionsMuted,
    /** Makes captions available or unavailable on every page in the call. */
    setCaptionsAvailable(areAvailable: boolean): void {
      for (const page of pagesInCall()) page.send({ kind: 'captions', areAvailable })
    },
    setConnectionLost(isLost: boolean): void {
      for (const page of pagesInCall()) page.send({ kind: 'connection', isLost })
    },
    isClosed: () => closing.signal.aborted,
    close(): void {
      closing.abort()
      wire.close()
    },
  }
}
