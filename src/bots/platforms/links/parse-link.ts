import { listPercentDecodings, hasOnlyLinkCharacters } from './clean-text.ts'

/** A link split into its parts, not decoded; the host is in lower case. */
export type ParsedLink = { host: string; path: string; query: string; fragment: string }

/**
 * Stricter than a browser on purpose: only letters, digits, dots and hyphens before the path, so there is no user,
 * port or foreign alphabet and the host is unambiguous. One stray letter before the scheme is accepted as a paste
 * error.
 */
const LINK_PATTERN =
  /^(?:[a-z]?https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)(\/[^?#]*)?(?:\?([^#]*))?(?:#(.*))?$/i

/** Looks for `://` first: from each letter, a scheme would be looked for in vain. */
const SCHEME_PATTERN = /(?<=[a-z][a-z0-9+.-]{0,30}):\/\//gi

/** The links that the text contains, one for each decoding that is a valid link. */
export function parseLinkInEveryDecoding(text: string): ParsedLink[] {
  const links: ParsedLink[] = []
  for (const reading of listPercentDecodings(text)) {
    const link = splitLink(reading)
    if (link !== null) links.push(link)
    // Text without `/`, `?` or `#` may be a link that is encoded as a whole, so it is decoded further. Text with one of
    // them is not.
    else if (/[/?#]/.test(reading)) break
  }
  return links
}

/** Whether a link contains another link, and so leads elsewhere than it seems. */
export function containsNestedLink(text: string): boolean {
  return listPercentDecodings(text).some(
    (reading) => (reading.match(SCHEME_PATTERN)?.length ?? 0) > 1,
  )
}

/** Whether a host equals the name or is a subdomain of it. */
export function isHostOrSubdomain(host: string, name: string): boolean {
  return host === name || isSubdomain(host, name)
}

export function isSubdomain(host: string, name: string): boolean {
  return host.endsWith(`.${name}`)
}

function splitLink(text: string): ParsedLink | null {
  if (!hasOnlyLinkCharacters(text)) return null
  const parts = LINK_PATTERN.exec(text)
  if (parts === null) return null
  const [, host = '', path = '/', query = '', fragment = ''] = parts
  return { host: host.toLowerCase(), path, query, fragment }
}
