import { trimPastedLink } from './clean-text.ts'
import { containsNestedLink, parseLinkInEveryDecoding, type ParsedLink } from './parse-link.ts'
import { decodeProofpointV2, decodeProofpointV3, restoreSlashes } from './proofpoint.ts'

type Wrapper = {
  host: RegExp
  path?: RegExp
  /** The real link inside the given one; null when there is none. */
  unwrap: (link: ParsedLink) => string | null
}

/** Redirect services, and where they carry the real link. */
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
    // Cisco has the link at the end of the path, encoded or not.
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
    host: /^[a-z0-9-]+-ctp\.trendmicro\.com$/,
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
const TREND_MICRO_PORT = /^(https:\/\/[a-z0-9-]+-ctp\.trendmicro\.com):443(?=\/)/i

/**
 * The links that a pasted text may mean, unwrapped from redirect services, least decoded first. Empty when the text
 * is unsafe to interpret.
 */
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
