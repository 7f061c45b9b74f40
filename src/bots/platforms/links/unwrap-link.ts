import { trimPastedLink } from './clean-text.ts'
import {
  containsNestedLink,
  isSubdomain,
  parseLinkInEveryDecoding,
  type ParsedLink,
} from './parse-link.ts'

/** Redirect services and the query fields in which they carry the real link. */
const WRAPPERS: ReadonlyArray<{ isMet: (link: ParsedLink) => boolean; fields: readonly string[] }> =
  [
    {
      isMet: ({ host, path }) =>
        (host === 'google.com' || host === 'www.google.com') && path === '/url',
      fields: ['q', 'url'],
    },
    {
      isMet: ({ host }) => isSubdomain(host, 'safelinks.protection.outlook.com'),
      fields: ['url'],
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
  const wrapper = WRAPPERS.find(({ isMet }) => isMet(link))
  if (wrapper === undefined) return null
  const query = new URLSearchParams(link.query)
  return wrapper.fields.map((field) => query.get(field)).find((value) => value !== null) ?? null
}
