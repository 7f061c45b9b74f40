import { trimPastedLink } from './clean-text.ts'
import {
  containsNestedLink,
  isSubdomain,
  parseLinkInEveryDecoding,
  type ParsedLink,
} from './parse-link.ts'
import { decodeProofpointV2, decodeProofpointV3 } from './proofpoint.ts'

type Wrapper = {
  isMet: (link: ParsedLink) => boolean
  /** The real link inside the given one; null when there is none. */
  unwrap: (link: ParsedLink) => string | null
}

/** Redirect services, and where they carry the real link. */
const WRAPPERS: readonly Wrapper[] = [
  {
    isMet: ({ host, path }) =>
      (host === 'google.com' || host === 'www.google.com') && path === '/url',
    unwrap: (link) => readQuery(link, 'q') ?? readQuery(link, 'url'),
  },
  {
    isMet: ({ host }) => isSubdomain(host, 'safelinks.protection.outlook.com'),
    unwrap: (link) => readQuery(link, 'url'),
  },
  {
    isMet: ({ host, path }) => host === 'linkprotect.cudasvc.com' && path === '/url',
    unwrap: (link) => readQuery(link, 'a'),
  },
  {
    isMet: ({ host, path }) => host === 'urldefense.proofpoint.com' && path === '/v2/url',
    unwrap: (link) => decodeProofpointV2(readQuery(link, 'u')),
  },
  {
    isMet: ({ host, path }) =>
      (host === 'urldefense.com' || host === 'urldefense.us') && path.startsWith('/v3/__'),
    unwrap: decodeProofpointV3,
  },
]
const MAX_WRAPPERS = 3

/**
 * The links that a pasted text may mean, unwrapped from redirect services, least decoded first. Empty when the text
 * is unsafe to interpret.
 */
export function parsePastedLinkCandidates(given: string): ParsedLink[] {
  let text = trimPastedLink(given)
  for (let layer = 0; text !== null && layer <= MAX_WRAPPERS; layer += 1) {
    const links = parseLinkInEveryDecoding(text)
    const wrapped = links.map(unwrapOnce).find((inner) => inner !== null)
    if (wrapped === undefined) return containsNestedLink(text) ? [] : links
    text = trimPastedLink(wrapped)
  }
  return []
}

function unwrapOnce(link: ParsedLink): string | null {
  return WRAPPERS.find(({ isMet }) => isMet(link))?.unwrap(link) ?? null
}

function readQuery({ query }: ParsedLink, field: string): string | null {
  return new URLSearchParams(query).get(field)
}
