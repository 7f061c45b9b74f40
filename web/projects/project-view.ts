const VIEWS = ['raw', 'edit', 'new'] as const

/** How the page shows a document: its source, the editor or the form for a new one. Rendered by default. */
export type ProjectView = (typeof VIEWS)[number]

/** Separate from the lazily loaded page, because the router parses the URL before loading the page. */
export function toProjectView(value: unknown): ProjectView | undefined {
  return VIEWS.find((view) => view === value)
}
