import type { Caretaker } from './keep-captions.ts'
import type { Room } from './room.ts'

const MAX_TRIES = 5

/** Opens the list of people when the wire does not tell who is there, and learns who we are. */
export function keepPeople(room: Room): Caretaker {
  const { platform, ear, hand, patience, now } = room
  let triedAt = now()
  let tries = 0
  let isSelfKnown = platform.self === undefined

  return async () => {
    isSelfKnown ||= await learnSelf(room)
    if (ear.hasPeople() || tries >= MAX_TRIES || now() - triedAt < patience.rosterMs) return null
    triedAt = now()
    tries += 1
    await room.attempt(() => platform.showPeople(hand))
    return null
  }
}

/** Our own name on the wire, where only the page says it. */
export function learnSelf({ platform, hand, ear, now, attempt }: Room): Promise<boolean> {
  return attempt(async () => {
    const id = (await platform.self?.(hand)) ?? null
    if (id !== null) ear.setSelf(id, now())
    return id !== null
  })
}
