/** Enough for a long invitation, and few enough to try each link on every platform. */
const MAX_LINKS = 100
/** A longer text is not an invitation, and a meeting's link is near its beginning. */
const MAX_TEXT_LENGTH = 200_000

/**
 * The characters of a link. Letters that look like those of a link are part of it, so that the link is refused. Others,
 * such as `。` or `会`, end it.
 */
const CHARACTER = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d!#$%&()*+,\-./:;=?@[\]^_{|}~]`
/** The context of a Teams link that was not encoded: JSON without nested objects. */
const CONTEXT = String.raw`(?<=context=)\{"[\w":, -]{1,300}\}`
const PATH = `(?:${CONTEXT}|${CHARACTER}){3,8000}`
const BARE_HOSTS = String.raw`(?:meet\.google\.com|(?:[a-z0-9-]+\.)?teams\.microsoft\.(?:com|us)|teams\.live\.com|teams\.cloud\.microsoft)`

/** Web addresses, meeting addresses without `https://`, and practice meetings. */
const LINK = new RegExp(
  String.raw`(?:https?|practice):\/\/${PATH}|(?<![a-z0-9./@-]|[a-z0-9]_{1,3})${BARE_HOSTS}\/${PATH}`,
  'giu',
)

/** Marks of Markdown after a link. The beginning of the run is found first, so that a long one is read once. */
const MARKDOWN_END = /(?<![*_~])[*_~]+$/

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}

/** The links in an event's texts, in order and without duplicates. */
export function collectLinks(texts: readonly string[]): string[] {
  const links = new Set<string>()
  for (const given of texts) {
    const text = decodeEntities(given.slice(0, MAX_TEXT_LENGTH))
    for (const [link] of text.matchAll(LINK)) {
      links.add(link.replaceAll(' ', '').replace(MARKDOWN_END, ''))
      if (links.size >= MAX_LINKS) return [...links]
    }
  }
  return [...links]
}

/**
 * Collects links so that equal lists are one array. They remain one array when sent between threads, so the receiver
 * can cache what it found for it.
 */
export function createSharedLinks(): (texts: readonly string[]) => readonly string[] {
  const byTexts = new Map<readonly string[], readonly string[]>()
  const byLinks = new Map<string, readonly string[]>()
  return (texts) => {
    const known = byTexts.get(texts)
    if (known !== undefined) return known
    const links = collectLinks(texts)
    // A space is a safe separator, because links contain none.
    const identity = links.join(' ')
    const shared = byLinks.get(identity) ?? links
    byLinks.set(identity, shared)
    byTexts.set(texts, shared)
    return shared
  }
}

/**
 * Returns the first link that is a meeting, in the form that `parseLink` returns; null if there is none. `parseLink`
 * tries the platforms and unwraps redirect services.
 */
export function findMeetingLink<Link>(
  links: readonly string[],
  parseLink: (url: string) => Link | null,
): Link | null {
  let attempts = 0
  let chars = 0
  for (const text of links) {
    chars += text.length
    if (chars > MAX_PARSED_CHARS) return null
    const link = parseLink(text)
    if (link !== null) return link
    for (const beginning of listBeginnings(text)) {
      attempts += 1
      if (attempts > MAX_BEGINNINGS) break
      const shorter = parseLink(beginning)
      if (shorter !== null) return shorter
    }
  }
  return null
}

/** Marks that can be between a link and the text after it. */
const END_MARK = /[!:|*~,;()[\]{}]|[._?/]+(?!\w)/g
// For all links together, because parsing blocks the service.
const MAX_PARSED_CHARS = 100_000
const MAX_BEGINNINGS = 200
const MAX_BEGINNINGS_OF_LINK = 10
/** A longer link contains a redirect, and its parts are not tried. */
const MAX_SHORTENED_LENGTH = 4_000

/** The parts of a link up to each mark, longest first: `https://…/abc-defg-hij,Room` may be a link and a word. */
function listBeginnings(text: string): string[] {
  if (text.length > MAX_SHORTENED_LENGTH) return []
  const host = /^(?:\w+:\/\/)?[^/?#]*/.exec(text)?.[0] ?? ''
  const ends = Array.from(text.matchAll(END_MARK), ({ index }) => index)
  const beginnings = ends.filter((end) => end > host.length).map((end) => text.slice(0, end))
  return beginnings.toReversed().slice(0, MAX_BEGINNINGS_OF_LINK)
}

/** Descriptions may be HTML, which writes `&` and quotes in links as entities. */
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
