/** The events of a calendar with the number of their last change, as the lists of changes of providers need it. */
export type EventLog<Event> = {
  put(id: string, event: Event): void
  remove(id: string): void
  /** Everything that changed after this number; null for a deleted event. */
  listSince(version: number): Array<{ id: string; event: Event | null }>
  version(): number
}

export function createEventLog<Event>(): EventLog<Event> {
  const events = new Map<string, { version: number; event: Event | null }>()
  let version = 0
  const change = (id: string, event: Event | null) => {
    version += 1
    events.set(id, { version, event })
  }
  return {
    put: change,
    remove: (id) => change(id, null),
    listSince: (since) =>
      Array.from(events, ([id, { version: at, event }]) => ({ id, at, event }))
        .filter(({ at }) => at > since)
        .map(({ id, event }) => ({ id, event })),
    version: () => version,
  }
}
