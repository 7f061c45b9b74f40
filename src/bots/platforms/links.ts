type Wrapper = {
  host: RegExp
  path?: RegExp
  /** Returns the real link inside the given one; null if there is none. */
  unwrap: (link: ParsedLink) => string | null
}

const V3 = /^\/v3\/__(.+)__;([\w-]*)={0,2}!/
/** The length that a letter encodes is its index here plus two. */
const RUN_LENGTHS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Redirect services, and where their links contain the real one. */
const WRAPPERS: readonly Wrapper[] = [
  {
    // Google has a domain in most countries, such as google.de, google.co.uk and google.com.au.
    host: /^(?:(?:[a-z-]+\.)*google\.com|(?:www\.)?google\.(?:com?\.)?[a-z]{2})$/,
    path: /^\/url$/,
    unwrap: (link) => readQuery(link, 'q') ?? readQuery(link, 'url'),
  },
  {
    host: /\.safelinks\.protection\.(?:outlook\.com|office365\.us)$/,
    unwrap: (link) => readQuery(link, 'url'),
  },
  {
    // The page on which Teams checks the links in its chats.
    host: /^statics\.teams\.cdn\.office\.net$/,
    path: /^\/evergreen-assets\/safelinks\/\d+\/atp-safelinks\.html$/,
    unwrap: (link) => readQuery(link, 'url'),
  },
  {
    host: /^linkprotect\.cudasvc\.com$/,
    path: /^\/url$/,
    unwrap: (link) => readQuery(link, 'a'),
  },
  {
    host: /^urldefense\.proofpoint\.com$/,
    path: /^\/v2\/url$/,
    unwrap: (link) => decodeProofpointV2(readQuery(link, 'u')),
  },
  {
    host: /^urldefense\.(?:com|us)$/,
    path: /^\/v3\/__/,
    unwrap: decodeProofpointV3,
  },
  {
    // Cisco puts the link at the end of the path, encoded or not.
    host: /^secure-web\.cisco\.com$/,
    unwrap: ({ path, query }) =>
      readGroup(/^\/[\w-]+\/(https?(?::|%3a).+)$/i, query === '' ? path : `${path}?${query}`),
  },
  {
    // Symantec
    host: /^clicktime\.symantec\.com$/,
    unwrap: (link) => readQuery(link, 'u'),
  },
  {
    // FireEye, which is now Trellix
    host: /^protect\d?\.(?:fireeye|trellix)\.com$/,
    path: /^(?:\/v\d)?\/url$/,
    unwrap: (link) => readQuery(link, 'u'),
  },
  {
    host: /^[a-z0-9-]+-(?:ctp|urlprotect)\.trendmicro\.com$/,
    path: /^\/wis\/clicktime\/v\d\/query$/,
    unwrap: (link) => readQuery(link, 'url'),
  },
  {
    host: /\.protection\.sophos\.com$/,
    unwrap: (link) => decodeBase64(readQuery(link, 'u')),
  },
  {
    // Avanan, version 1
    host: /^(?:avanan|checkpoint)\.url-protection\.com$/,
    path: /^\/v1\/url$/,
    unwrap: (link) => readQuery(link, 'o'),
  },
  {
    // Avanan, version 2: the link is between two `___`.
    host: /^(?:url\.avanan\.click|protect\.checkpoint\.com)$/,
    path: /^\/v2\//,
    unwrap: ({ path, query }) =>
      restoreSlashes(
        readGroup(/^\/v2\/(?:r\d+\/)?___(.+?)___\./, query === '' ? path : `${path}?${query}`),
      ),
  },
]
const MAX_WRAPPERS = 3
/** Trend Micro writes the port of https, which no other link may have. */
const TREND_MICRO_PORT = /^(https:\/\/[a-z0-9-]+-(?:ctp|urlprotect)\.trendmicro\.com):443(?=\/)/i

/** No real link is this long, even with wrappers and encoding, and it can still be parsed quickly. */
const MAX_LENGTH = 8_192
const MAX_DECODINGS = 3

/** White space and the invisible characters that mail programs and chats add to a copied link. */
const INVISIBLE = /[\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/
const OPENING_MARKS = '<([{"\'`“‘«*_~|（【「『《'
const CLOSING_MARKS = '>)]"\'`”’».,;!:|*~“—–…。、，；：！？）】」』》'

/** Printable ASCII without the backslash, which browsers treat as a slash but other parsers do not. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/

/** The parts of a link, not decoded. The host is in lower case. */
export type ParsedLink = { host: string; path: string; query: string; fragment: string }

/**
 * Stricter than a browser on purpose. Before the path it allows only letters, digits, dots and hyphens, so there
 * is no user, port or foreign alphabet, and the host is unambiguous. One stray letter before the scheme is
 * accepted as a paste error.
 */
const LINK_PATTERN =
  /^(?:[a-z]?https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)(\/[^?#]*)?(?:\?([^#]*))?(?:#(.*))?$/i

/** Looks for `://` first, because looking for a scheme at each letter would be slow. */
const SCHEME_PATTERN = /(?<=[a-z][a-z0-9+.-]{0,30}):\/\//gi

/** The links that a pasted text may mean, unwrapped, least decoded first. Empty if the text is unsafe to interpret. */
export function parsePastedLinkCandidates(given: string): ParsedLink[] {
  let text = trimPastedLink(given)
  for (let layer = 0; text !== null && layer <= MAX_WRAPPERS; layer += 1) {
    const links = parseLinkInEveryDecoding(text.replace(TREND_MICRO_PORT, '$1'))
    const wrapped = links.map(unwrapOnce).find((inner) => inner !== null)
    if (wrapped === undefined) return containsNestedLink(text) ? [] : links
    text = trimPastedLink(wrapped)
  }
  return []
}

function unwrapOnce(link: ParsedLink): string | null {
  const wrapper = WRAPPERS.find(
    ({ host, path }) => host.test(link.host) && (path?.test(link.path) ?? true),
  )
  return wrapper?.unwrap(link) ?? null
}

function readQuery({ query }: ParsedLink, field: string): string | null {
  return new URLSearchParams(query).get(field)
}

function readGroup(pattern: RegExp, text: string): string | null {
  return pattern.exec(text)?.[1] ?? null
}

/** A query turns the plus signs of base64 into spaces. */
function decodeBase64(field: string | null): string | null {
  return field === null ? null : Buffer.from(field.replaceAll(' ', '+'), 'base64').toString()
}

/** Version 2 writes `-` for `%` and `_` for `/`, so that the whole link is one query field. */
function decodeProofpointV2(field: string | null): string | null {
  return field === null ? null : percentDecodeAscii(field.replaceAll('-', '%').replaceAll('_', '/'))
}

/**
 * Version 3 puts the link between two `__`. `*` stands for a replaced character, and `**` with a letter for a run of
 * them. The replaced characters follow, in base64.
 */
function decodeProofpointV3({ path, query }: ParsedLink): string | null {
  const parts = V3.exec(query === '' ? path : `${path}?${query}`)
  if (parts === null) return null
  const [, text = '', encoded = ''] = parts
  const replaced = Array.from(Buffer.from(encoded, 'base64url').toString())
  let used = 0
  const decoded = text.replaceAll(/\*(?:\*(.))?/g, (_, letter: string | undefined) => {
    const length = letter === undefined ? 1 : RUN_LENGTHS.indexOf(letter) + 2
    used += length
    return replaced.slice(used - length, used).join('')
  })
  return restoreSlashes(decoded)
}

/** In a link inside a path, some mail programs shorten the two slashes to one. */
function restoreSlashes<Text extends string | null>(link: Text): Text | string {
  return link?.replace(/^(https?:)\/(?!\/)/i, '$1//') ?? link
}

/** Removes quotes, brackets and white space around a pasted link; null if the rest cannot be a link. */
export function trimPastedLink(given: string): string | null {
  if (given.length > MAX_LENGTH) return null
  let start = 0
  let end = given.length
  while (start < end && isSurroundingMark(given.charAt(start), OPENING_MARKS)) start += 1
  while (end > start && isSurroundingMark(given.charAt(end - 1), CLOSING_MARKS)) end -= 1
  const text = given.slice(start, end)
  return hasOnlyLinkCharacters(text) ? text : null
}

export function hasOnlyLinkCharacters(text: string): boolean {
  return PLAIN.test(text)
}

/** The text itself, and its decodings, up to three while decoding still changes it. */
export function listPercentDecodings(text: string): string[] {
  const found = [text]
  for (let last = text; found.length <= MAX_DECODINGS;) {
    const next = percentDecodeAscii(last)
    if (next === last) break
    found.push(next)
    last = next
  }
  return found
}

/** Percent-decodes only ASCII. Links have no meaning outside ASCII here, so decoding cannot fail. */
export function percentDecodeAscii(text: string): string {
  return text.replace(/%[0-7][0-9a-f]/gi, (escape) =>
    String.fromCharCode(Number.parseInt(escape.slice(1), 16)),
  )
}

function isSurroundingMark(character: string, marks: string): boolean {
  return marks.includes(character) || INVISIBLE.test(character)
}

/** The links that the text contains, one for each decoding that is a valid link. */
function parseLinkInEveryDecoding(text: string): ParsedLink[] {
  const links: ParsedLink[] = []
  for (const reading of listPercentDecodings(text)) {
    const link = splitLink(reading)
    if (link !== null) links.push(link)
    // Text without `/`, `?` or `#` may be a completely encoded link, so it is decoded further. Other text is not.
    else if (/[/?#]/.test(reading)) break
  }
  return links
}

/** True if a link contains another link, and so leads to another place than it seems. */
function containsNestedLink(text: string): boolean {
  return listPercentDecodings(text).some(
    (reading) => (reading.match(SCHEME_PATTERN)?.length ?? 0) > 1,
  )
}

/** True if a host equals the name or is a subdomain of it. */
export function isHostOrSubdomain(host: string, name: string): boolean {
  return host === name || isSubdomain(host, name)
}

function isSubdomain(host: string, name: string): boolean {
  return host.endsWith(`.${name}`)
}

function splitLink(text: string): ParsedLink | null {
  if (!hasOnlyLinkCharacters(text)) return null
  const parts = LINK_PATTERN.exec(text)
  if (parts === null) return null
  const [, host = '', path = '/', query = '', fragment = ''] = parts
  return { host: host.toLowerCase(), path, query, fragment }
}
