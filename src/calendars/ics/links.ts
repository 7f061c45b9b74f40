/** Enough for a long invitation, and few enough that each can be tried on every platform. */
const MAX_LINKS = 100
/** A longer text is not an invitation. The link of a meeting is near its beginning. */
const MAX_TEXT_LENGTH = 200_000

/**
 * The characters of a link. Letters that look like those of a link stay part of it, so that it is refused; others, such
 * as `。` or `会`, end it.
 */
const CHARACTER = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\d!#$%&()*+,\-./:;=?@[\]^_{|}~]`
/** The context of a Teams link that was not encoded: JSON without nested objects. */
const CONTEXT = String.raw`(?<=context=)\{"[\w":, -]{1,300}\}`
const PATH = `(?:${CONTEXT}|${CHARACTER}){3,8000}`
const BARE_HOSTS = String.raw`(?:meet\.google\.com|(?:[a-z0-9-]+\.)?teams\.microsoft\.(?:com|us)|teams\.live\.com|teams\.cloud\.microsoft)`

/** Web addresses, addresses of meetings without `https://`, and practice meetings. */
const LINK = new RegExp(
  String.raw`(?:https?|practice):\/\/${PATH}|(?<![a-z0-9./@-]|[a-z0-9]_{1,3})${BARE_HOSTS}\/${PATH}`,
  'giu',
)

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
  for (const given of texts) {
    const text = decodeEntities(given.slice(0, MAX_TEXT_LENGTH))
    for (const { 0: link, index } of text.matchAll(LINK)) {
      links.add(withoutMarkdown(link.replaceAll(' ', ''), text.slice(0, index)))
      if (links.size >= MAX_LINKS) return [...links]
    }
  }
  return [...links]
}

/** Markdown has the same marks before and after a link, of which `_` may also be part of it. */
function withoutMarkdown(link: string, before: string): string {
  const mark = /[*_~]{0,3}$/.exec(before.slice(-3))?.[0] ?? ''
  return mark !== '' && link.endsWith(mark) ? link.slice(0, -mark.length) : link
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

/** Marks that may stand between a link and the text after it. */
const END_MARK = /[!:|*~,;()[\]{}]|[._](?!\w)/g
// Of all links together, because the service does nothing else meanwhile.
const MAX_PARSED_CHARS = 100_000
const MAX_BEGINNINGS = 200
const MAX_BEGINNINGS_OF_LINK = 10
/** A longer link has a redirect in it, and its parts are not tried. */
const MAX_SHORTENED_LENGTH = 4_000

/** The beginnings of a link up to a mark, the longest first: `https://…/abc-defg-hij,Room` may be a link and a word. */
function listBeginnings(text: string): string[] {
  if (text.length > MAX_SHORTENED_LENGTH) return []
  const host = /^(?:\w+:\/\/)?[^/?#]*/.exec(text)?.[0] ?? ''
  const ends = Array.from(text.matchAll(END_MARK), ({ index }) => index)
  const beginnings = ends.filter((end) => end > host.length).map((end) => text.slice(0, end))
  return beginnings.toReversed().slice(0, MAX_BEGINNINGS_OF_LINK)
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
