const VIEWS = ['raw', 'edit', 'new'] as const

/** What the project page shows instead of the rendered document: its source, the editor or the form for a new one. */
export type ProjectPageView = (typeof VIEWS)[number]

/** Not in the lazily loaded file of the project page, because the router parses the URL's view before loading it. */
export function parseProjectPageView(value: unknown): ProjectPageView | undefined {
  return VIEWS.find((view) => view === value)
}
