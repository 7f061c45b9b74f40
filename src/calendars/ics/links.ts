/** Enough for a long invitation, and few enough that each can be tried on every platform. */
const MAX_LINKS = 100
/** A longer text is not an invitation. The link of a meeting is near its beginning. */
const MAX_TEXT_LENGTH = 200_000

/** Web addresses, addresses of meetings without `https://`, and practice meetings. */
const LINK =
  /(?:https?|practice):\/\/[^\s<>"'`\\]{3,8000}|(?<![\w./@-])(?:meet\.google\.com|teams\.(?:microsoft|live)\.com)\/[^\s<>"'`\\]{3,8000}/gi

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** The links in the texts of an event, in their order and each once. */
export function collectLinks(texts: readonly string[]): string[] {
  const links = new Set<string>()
  for (const text of texts) {
    for (const [link] of decodeEntities(text.slice(0, MAX_TEXT_LENGTH)).matchAll(LINK)) {
      links.add(link)
      if (links.size >= MAX_LINKS) return [...links]
    }
  }
  return [...links]
}

/**
 * Collects links so that equal lists are one array. They stay one when they are sent between threads, so that the
 * receiver can remember what it found for an array.
 */
export function createSharedLinks(): (texts: readonly string[]) => readonly string[] {
  const byTexts = new Map<readonly string[], readonly string[]>()
  const byLinks = new Map<string, readonly string[]>()
  return (texts) => {
    const known = byTexts.get(texts)
    if (known !== undefined) return known
    const links = collectLinks(texts)
    // A link contains no space.
    const identity = links.join(' ')
    const shared = byLinks.get(identity) ?? links
    byLinks.set(identity, shared)
    byTexts.set(texts, shared)
    return shared
  }
}

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

/** Descriptions may be HTML, in which `&` and quotes of a link are written as entities. */
function decodeEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(
    /&(?:#(\d{1,6})|#x([\da-f]{1,5})|(amp|lt|gt|quot|apos|nbsp));/gi,
    (whole, ...found) => {
      const [decimal, hex, name] = found as Array<string | undefined>
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      return code > 0 && code < 0xd8_00 ? String.fromCodePoint(code) : whole
    },
  )
}
