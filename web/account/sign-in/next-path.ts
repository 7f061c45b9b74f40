/** Only paths of this origin: `//host` and `/\host` would leave it. */
export function safeNextPath(value: unknown): string | undefined {
  if (typeof value !== 'string' || !value.startsWith('/')) return undefined
  const target = URL.parse(value, window.location.origin)
  if (!target || target.origin !== window.location.origin || /^\/[/\\]/.test(value))
    return undefined
  return target.pathname + target.search + target.hash
}

/** Pages that the server draws itself, outside this console's router. */
export function isServerPage(path: string): boolean {
  return /^\/(docs|openapi\.json|llms\.txt)/.test(path)
}
