import { decodings, isPlain } from './clean.ts'

/** A web address in parts, undecoded; the host in lower case. */
export type Link = { host: string; path: string; query: string; fragment: string }

/**
 * Stricter than a browser on purpose: with nothing but letters, digits, dots and hyphens before the path there
 * is no user, no port, no other alphabet and no second opinion about which host is meant. One stray letter
 * before the scheme is a slip of the hand.
 */
const LINK =
  /^(?:[a-z]?https?:\/\/)?([a-z0-9-]+(?:\.[a-z0-9-]+)*)(\/[^?#]*)?(?:\?([^#]*))?(?:#(.*))?$/i

const SCHEME = /[a-z][a-z0-9+.-]{0,30}:\/\//gi

/** One reading for each decoding in which the text is a link. */
export function readingsOf(text: string): Link[] {
  const links: Link[] = []
  for (const reading of decodings(text)) {
    const link = splitLink(reading)
    if (link !== null) links.push(link)
    // A text that is encoded as a whole has no border yet; one that has is a link here or nowhere.
    else if (/[/?#]/.test(reading)) break
  }
  return links
}

/** A link in a link leads somewhere else than it seems to. */
export function holdsSecondLink(text: string): boolean {
  return decodings(text).some((reading) => (reading.match(SCHEME)?.length ?? 0) > 1)
}

/** Whether a host is the named one or lies below it. */
export function isAtOrBelow(host: string, name: string): boolean {
  return host === name || isBelow(host, name)
}

export function isBelow(host: string, name: string): boolean {
  return host.endsWith(`.${name}`)
}

function splitLink(text: string): Link | null {
  if (!isPlain(text)) return null
  const parts = LINK.exec(text)
  if (parts === null) return null
  const [, host = '', path = '/', query = '', fragment = ''] = parts
  return { host: host.toLowerCase(), path, query, fragment }
}
