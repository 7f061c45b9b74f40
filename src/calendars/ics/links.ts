/**
 * The first link that is a meeting, in the form that `parseLink` returns; null when there is none. `parseLink` tries the
 * platforms, and unwraps redirect services.
 */
export function findMeetingLink<Link>(
  links: readonly string[],
  parseLink: (url: string) => Link | null,
): Link | null {
  for (const text of links) {
    const link = parseLink(text)
    if (link !== null) return link
  }
  return null
}
