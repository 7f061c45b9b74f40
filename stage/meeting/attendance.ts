import type { PageRegistry } from './page-registry.ts'
import { showScreen, type StagePlatform } from './screens.ts'
import type { StagedParticipant, Screen } from './page-protocol.ts'
import { createParticipant, type ConnectedPage } from './connected-page.ts'
import type { PlatformWire } from './wires/platform-wire.ts'

export type Cast = ReadonlyArray<{ id: string; name: string; isHost?: boolean }>
export type Attendance = ReturnType<typeof createAttendance>

/** The participants of a meeting, and the screen of each connected page. */
export function createAttendance(parts: {
  platform: StagePlatform
  cast: ReadonlyMap<string, StagedParticipant>
  pages: PageRegistry
  wire: PlatformWire
  /** The screen after a page asks to join, until the meeting moves all pages. Null: the script decides. */
  door: Screen | null
}) {
  const { platform, cast, pages, wire, door } = parts
  const present = new Set<StagedParticipant>()
  let phase: Screen | null = null

  function participantById(id: string): StagedParticipant {
    const participant = cast.get(id)
    if (participant === undefined) throw new Error(`${id} is not in the cast`)
    return participant
  }
  function participantsSeenBy(page: ConnectedPage): StagedParticipant[] {
    return [...present, page.participant]
  }
  function pagesInCall(): ConnectedPage[] {
    return pages.all.filter(({ screen }) => screen === 'call')
  }
  function moveTo(page: ConnectedPage, screen: Screen): void {
    if (page.screen === screen) return
    if (screen !== 'call') wire.endCall(page, screen)
    showScreen(page, screen, platform)
    if (screen === 'call') page.send({ kind: 'people', people: participantsSeenBy(page) })
  }
  function changeParticipants(
    came: readonly StagedParticipant[],
    went: readonly StagedParticipant[],
  ): void {
    for (const participant of came) present.add(participant)
    for (const participant of went) present.delete(participant)
    for (const page of pagesInCall()) {
      page.send({ kind: 'people', people: participantsSeenBy(page) })
      wire.participantsChanged(page, { came, went })
    }
  }

  return {
    participantById,
    participantsSeenBy,
    pagesInCall,
    /** Moves every page that asked to join and has not left. A page that asks later gets the same screen. */
    moveAllTo(screen: Screen): void {
      phase = screen
      for (const page of pages.all) {
        if (page.actions.has('knocked') && !page.actions.has('left')) moveTo(page, screen)
      }
    },
    requestAdmission(page: ConnectedPage): void {
      const screen = phase ?? door
      if (screen !== null) moveTo(page, screen)
    },
    join: (...ids: string[]) => changeParticipants(ids.map(participantById), []),
    leave: (...ids: string[]) => changeParticipants([], ids.map(participantById)),
  }
}

export function createParticipants(cast: Cast): Map<string, StagedParticipant> {
  return new Map(cast.map((person, i) => [person.id, createParticipant(person, i + 1)]))
}
