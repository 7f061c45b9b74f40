/**
 * A path with query and fragment that a browser can open without leaving this origin, otherwise null. To a browser,
 * `//host` and `/\host` are other origins, even after it has resolved a leading `/x/..`.
 */
export function parseSameOriginPath(value: unknown, origin: string): string | null {
  if (typeof value !== 'string' || !/^\/(?![/\\])/.test(value)) return null
  const target = URL.parse(value, origin)
  if (target === null || target.origin !== origin || target.pathname.startsWith('//')) return null
  return target.pathname + target.search + target.hash
}
