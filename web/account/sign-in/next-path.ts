/** Allows only paths on this origin, to prevent open redirects: `//host` and `/\host` are other origins. */
export function parseSafeNextPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/')) return undefined
  const target = URL.parse(value, window.location.origin)
  if (!target || target.origin !== window.location.origin || /^\/[/\\]/.test(value))
    return undefined
  return target.pathname + target.search + target.hash
}

/** Whether the server renders the page, so that the router does not know it. */
export function isServerRenderedPath(path: string): boolean {
  return /^\/(docs|openapi\.json|llms\.txt)/.test(path)
}
