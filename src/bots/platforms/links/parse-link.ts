import { decodedVariants, isPlainAscii } from './clean-text.ts'

/** A web address in parts, undecoded; the host in lower case. */
export type ParsedLink = { host: string; path: string; query: string; fragment: string }

/**
 * Stricter than a browser on purpose: with nothing but letters, digits, dots and hyphens before the path there
 * is no user, no port, no other alphabet and no second opinion about which host is meant. One stray letter
 * before the scheme is a slip of the hand.
 */
const LINK_PATTERN =
  /^(?:[a-z]?https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)(\/[^?#]*)?(?:\?([^#]*))?(?:#(.*))?$/i

const SCHEME_PATTERN = /[a-z][a-z0-9+.-]{0,30}:\/\//gi

/** One reading for each decoding in which the text is a link. */
export function parseLinkVariants(text: string): ParsedLink[] {
  const links: ParsedLink[] = []
  for (const reading of decodedVariants(text)) {
    const link = splitLink(reading)
    if (link !== null) links.push(link)
    // A text that is encoded as a whole has no border yet; one that has is a link here or nowhere.
    else if (/[/?#]/.test(reading)) break
  }
  return links
}

/** A link in a link leads somewhere else than it seems to. */
export function containsNestedLink(text: string): boolean {
  return decodedVariants(text).some((reading) => (reading.match(SCHEME_PATTERN)?.length ?? 0) > 1)
}

/** Whether a host is the named one or lies below it. */
export function isHostOrSubdomain(host: string, name: string): boolean {
  return host === name || isSubdomain(host, name)
}

export function isSubdomain(host: string, name: string): boolean {
  return host.endsWith(`.${name}`)
}

function splitLink(text: string): ParsedLink | null {
  if (!isPlainAscii(text)) return null
  const parts = LINK_PATTERN.exec(text)
  if (parts === null) return null
  const [, host = '', path = '/', query = '', fragment = ''] = parts
  return { host: host.toLowerCase(), path, query, fragment }
}
