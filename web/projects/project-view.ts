const VIEWS = ['raw', 'edit', 'new'] as const

/** How a document is shown; without one of these, as it is meant to be read. */
export type ProjectView = (typeof VIEWS)[number]

/** Apart from the page, which is loaded only when it is wanted; the address is read before. */
export function toProjectView(value: unknown): ProjectView | undefined {
  return VIEWS.find((view) => view === value)
}
