import type { Audience } from './audience.ts'
import { put, type StagePlatform } from './doors.ts'
import type { Player, Screen } from './events.ts'
import { playerOf, type Guest } from './guest.ts'
import type { Wire } from './wire.ts'

export type Cast = ReadonlyArray<{ id: string; name: string; isHost?: boolean }>
export type Company = ReturnType<typeof createCompany>

/** Who is in the meeting, and on which screen each guest is. */
export function createCompany(parts: {
  platform: StagePlatform
  cast: ReadonlyMap<string, Player>
  audience: Audience
  wire: Wire
  /** What follows a knock as long as nothing has been decided; null leaves it to the script. */
  door: Screen | null
}) {
  const { platform, cast, audience, wire, door } = parts
  const present = new Set<Player>()
  let phase: Screen | null = null

  function playerFor(id: string): Player {
    const player = cast.get(id)
    if (player === undefined) throw new Error(`${id} is none of the people`)
    return player
  }
  function peopleFor(guest: Guest): Player[] {
    return [...present, guest.player]
  }
  function inCall(): Guest[] {
    return audience.guests.filter(({ screen }) => screen === 'call')
  }
  function turn(guest: Guest, screen: Screen): void {
    if (guest.screen === screen) return
    if (screen !== 'call') wire.over(guest, screen)
    put(guest, screen, platform)
    if (screen === 'call') guest.send({ kind: 'people', people: peopleFor(guest) })
  }
  function change(came: readonly Player[], went: readonly Player[]): void {
    for (const player of came) present.add(player)
    for (const player of went) present.delete(player)
    for (const guest of inCall()) {
      guest.send({ kind: 'people', people: peopleFor(guest) })
      wire.people(guest, { came, went })
    }
  }

  return {
    playerFor,
    peopleFor,
    inCall,
    /** Everybody who has knocked and not left is moved; who knocks later comes to the same screen. */
    move(screen: Screen): void {
      phase = screen
      for (const guest of audience.guests) {
        if (guest.deeds.has('knocked') && !guest.deeds.has('left')) turn(guest, screen)
      }
    },
    knock(guest: Guest): void {
      const screen = phase ?? door
      if (screen !== null) turn(guest, screen)
    },
    join: (...ids: string[]) => change(ids.map(playerFor), []),
    leave: (...ids: string[]) => change([], ids.map(playerFor)),
  }
}

export function playersOf(cast: Cast): Map<string, Player> {
  return new Map(cast.map((person, i) => [person.id, playerOf(person, i + 1)]))
}
