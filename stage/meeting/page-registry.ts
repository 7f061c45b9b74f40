import { EventEmitter, once } from 'node:events'
import type { PageAction } from './page-protocol.ts'
import type { ConnectedPage } from './connected-page.ts'

/** The pages that have opened a meeting, and the actions of their users. */
export function createPageRegistry() {
  const pages = new Map<string, ConnectedPage>()
  const actions = new EventEmitter<Record<PageAction, [ConnectedPage]>>()
  actions.setMaxListeners(0)

  return {
    get all(): readonly ConnectedPage[] {
      return [...pages.values()]
    },
    find: (id: string) => pages.get(id),
    add: (page: ConnectedPage) => void pages.set(page.id, page),
    remove: (page: ConnectedPage) => void pages.delete(page.id),
    recordAction(page: ConnectedPage, action: PageAction): void {
      page.actions.add(action)
      actions.emit(action, page)
    },
    /** Resolves with the first page that has performed the action or will perform it. */
    async waitForAction(action: PageAction, signal: AbortSignal): Promise<ConnectedPage> {
      const found = [...pages.values()].find((page) => page.actions.has(action))
      if (found) return found
      const [page] = (await once(actions, action, { signal })) as [ConnectedPage]
      return page
    },
  }
}

export type PageRegistry = ReturnType<typeof createPageRegistry>
