import { isLoopbackHost } from '../../../lib/net/ip-addresses.ts'
import { trimPastedLink, parsePastedLinkCandidates } from '../links.ts'

/** Servers that the operator listed: host names or addresses, with a port unless it is the default one. */
export type ListedHosts = readonly string[]

/** True if the operator listed this URL's server with this port. */
export function isListedServer({ protocol, host }: URL, hosts: ListedHosts): boolean {
  return hosts.some((listed) => URL.parse(`${protocol}//${listed}`)?.host === host)
}

/** True if the operator listed a host with any port. Sound comes from another port than the website. */
export function isListedHost(hostname: string, hosts: ListedHosts): boolean {
  const name = hostname.toLowerCase()
  return hosts.some((listed) => withoutBrackets(URL.parse(`https://${listed}`)?.hostname) === name)
}

/** URLs write an IPv6 address in brackets; sockets and lookups do not. */
export function withoutBrackets(hostname = ''): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

/** The URLs that pasted text may mean. Only a server on this machine may be reached without TLS. */
export function listPossibleUrls(given: string): URL[] {
  const direct = URL.parse(trimPastedLink(given) ?? '')
  const wrapped = parsePastedLinkCandidates(given)
    // In a URL, `..` would resolve to another room.
    .filter(({ path }) => !path.includes('/.'))
    .map(({ host, path }) => URL.parse(`https://${host}${path}`))
  return [...(direct === null ? [] : [withSafeScheme(direct)]), ...wrapped].filter(
    (url) => url !== null,
  )
}

/** `https://` and a listed host. A server on this machine usually has no certificate. */
export function formatOrigin(host: string): string {
  const hostname = URL.parse(`https://${host}`)?.hostname ?? ''
  return `${isLoopbackHost(withoutBrackets(hostname)) ? 'http' : 'https'}://${host}`
}

/** A part of a URL's path without its percent encoding; null if the encoding is invalid. */
export function tryDecode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

function withSafeScheme(url: URL): URL | null {
  if (url.username !== '' || url.password !== '') return null
  const isAllowed =
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && isLoopbackHost(withoutBrackets(url.hostname)))
  return isAllowed ? url : null
}
