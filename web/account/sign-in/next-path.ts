import { parseSameOriginPath } from '../../../src/lib/net/same-origin-path.ts'

/** Allows only paths on this origin, to prevent open redirects. */
export function parseSafeNextPath(value: unknown): string | undefined {
  return parseSameOriginPath(value, window.location.origin) ?? undefined
}

/** True if the server renders the page, so the router does not know it. */
export function isServerRenderedPath(path: string): boolean {
  return /^\/(docs|openapi\.json|llms\.txt)/.test(path)
}
