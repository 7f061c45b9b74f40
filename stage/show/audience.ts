import { EventEmitter, once } from 'node:events'
import type { Deed } from './events.ts'
import type { Guest } from './guest.ts'

/** Who watches a show, and what they did. */
export function createAudience() {
  const guests = new Map<string, Guest>()
  const deeds = new EventEmitter<Record<Deed, [Guest]>>()
  deeds.setMaxListeners(0)

  return {
    get guests(): readonly Guest[] {
      return [...guests.values()]
    },
    find: (id: string) => guests.get(id),
    add: (guest: Guest) => void guests.set(guest.id, guest),
    remove: (guest: Guest) => void guests.delete(guest.id),
    note(guest: Guest, deed: Deed): void {
      guest.deeds.add(deed)
      deeds.emit(deed, guest)
    },
    /** The first guest who has done it, or will. */
    async until(deed: Deed, signal: AbortSignal): Promise<Guest> {
      const done = [...guests.values()].find((guest) => guest.deeds.has(deed))
      if (done) return done
      const [guest] = (await once(deeds, deed, { signal })) as [Guest]
      return guest
    },
  }
}

export type Audience = ReturnType<typeof createAudience>
