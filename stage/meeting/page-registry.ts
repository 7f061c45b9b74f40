import { EventEmitter, once } from 'node:events'
import type { PageAction } from './page-protocol.ts'
import type { ConnectedPage } from './connected-page.ts'

/** Who watches a show, and what they did. */
export function createPageRegistry() {
  const guests = new Map<string, ConnectedPage>()
  const deeds = new EventEmitter<Record<PageAction, [ConnectedPage]>>()
  deeds.setMaxListeners(0)

  return {
    get guests(): readonly ConnectedPage[] {
      return [...guests.values()]
    },
    find: (id: string) => guests.get(id),
    add: (guest: ConnectedPage) => void guests.set(guest.id, guest),
    remove: (guest: ConnectedPage) => void guests.delete(guest.id),
    recordAction(guest: ConnectedPage, deed: PageAction): void {
      guest.actions.add(deed)
      deeds.emit(deed, guest)
    },
    /** The first guest who has done it, or will. */
    async waitForAction(deed: PageAction, signal: AbortSignal): Promise<ConnectedPage> {
      const done = [...guests.values()].find((guest) => guest.actions.has(deed))
      if (done) return done
      const [guest] = (await once(deeds, deed, { signal })) as [ConnectedPage]
      return guest
    },
  }
}

export type PageRegistry = ReturnType<typeof createPageRegistry>
