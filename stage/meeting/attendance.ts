import type { PageRegistry } from './page-registry.ts'
import { showScreen, type StagePlatform } from './screens.ts'
import type { StagedParticipant, Screen } from './page-protocol.ts'
import { createParticipant, type ConnectedPage } from './connected-page.ts'
import type { PlatformWire } from './wires/platform-wire.ts'

export type Cast = ReadonlyArray<{ id: string; name: string; isHost?: boolean }>
export type Attendance = ReturnType<typeof createAttendance>

/** Who is in the meeting, and on which screen each guest is. */
export function createAttendance(parts: {
  platform: StagePlatform
  cast: ReadonlyMap<string, StagedParticipant>
  audience: PageRegistry
  wire: PlatformWire
  /** What follows a knock as long as nothing has been decided; null leaves it to the script. */
  door: Screen | null
}) {
  const { platform, cast, audience, wire, door } = parts
  const present = new Set<StagedParticipant>()
  let phase: Screen | null = null

  function participantById(id: string): StagedParticipant {
    const player = cast.get(id)
    if (player === undefined) throw new Error(`${id} is none of the people`)
    return player
  }
  function participantsSeenBy(guest: ConnectedPage): StagedParticipant[] {
    return [...present, guest.participant]
  }
  function pagesInCall(): ConnectedPage[] {
    return audience.guests.filter(({ screen }) => screen === 'call')
  }
  function turn(guest: ConnectedPage, screen: Screen): void {
    if (guest.screen === screen) return
    if (screen !== 'call') wire.endCall(guest, screen)
    showScreen(guest, screen, platform)
    if (screen === 'call') guest.send({ kind: 'people', people: participantsSeenBy(guest) })
  }
  function change(came: readonly StagedParticipant[], went: readonly StagedParticipant[]): void {
    for (const player of came) present.add(player)
    for (const player of went) present.delete(player)
    for (const guest of pagesInCall()) {
      guest.send({ kind: 'people', people: participantsSeenBy(guest) })
      wire.participantsChanged(guest, { came, went })
    }
  }

  return {
    participantById,
    participantsSeenBy,
    pagesInCall,
    /** Everybody who has knocked and not left is moved; who knocks later comes to the same screen. */
    moveAllTo(screen: Screen): void {
      phase = screen
      for (const guest of audience.guests) {
        if (guest.actions.has('knocked') && !guest.actions.has('left')) turn(guest, screen)
      }
    },
    requestAdmission(guest: ConnectedPage): void {
      const screen = phase ?? door
      if (screen !== null) turn(guest, screen)
    },
    join: (...ids: string[]) => change(ids.map(participantById), []),
    leave: (...ids: string[]) => change([], ids.map(participantById)),
  }
}

export function createParticipants(cast: Cast): Map<string, StagedParticipant> {
  return new Map(cast.map((person, i) => [person.id, createParticipant(person, i + 1)]))
}
