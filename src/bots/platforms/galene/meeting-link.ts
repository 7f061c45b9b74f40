import { isLoopbackHost } from '../../../lib/net/ip-addresses.ts'
import { trimPastedLink, parsePastedLinkCandidates } from '../links.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { MeetingLink } from '../platform.ts'

const MAX_NAME_CHARS = 200

/** The servers of HANSARD_GALENE_HOSTS: host names or addresses, with a port unless it is the default one. */
export type GaleneHosts = readonly string[]

/** The group that a link to a listed Galène server leads to; null for any other text. */
export function parseGaleneLink(given: string, hosts: GaleneHosts): MeetingLink | null {
  for (const url of listPossibleUrls(given)) {
    const name = findGroupName(url.pathname)
    if (name === null || !isListedServer(url, hosts)) continue
    return {
      url: `${url.origin}/group/${name.split('/').map(encodeURIComponent).join('/')}/`,
      room: `${url.host}/${name}`,
      label: `${PLATFORM_INFO.galene.title} ${name}`,
    }
  }
  return null
}

/** The group's name in a URL path; null if there is none, or none that the server accepts. */
export function findGroupName(pathname: string): string | null {
  const encoded = /^\/group\/(.+?)\/?$/.exec(pathname)?.[1]
  const name = encoded === undefined ? null : tryDecode(encoded)
  if (name === null || name.length > MAX_NAME_CHARS) return null
  // A part that starts with a dot is a page about the group, such as `.status`. Some servers treat `\` as `/`.
  return name.split('/').some((part) => part === '' || part.startsWith('.')) ||
    /[\\\p{Cc}]/u.test(name)
    ? null
    : name
}

function listPossibleUrls(given: string): URL[] {
  const direct = URL.parse(trimPastedLink(given) ?? '')
  const wrapped = parsePastedLinkCandidates(given)
    // In a URL, `..` would resolve to another group.
    .filter(({ path }) => !path.includes('/.'))
    .map(({ host, path }) => URL.parse(`https://${host}${path}`))
  return [...(direct === null ? [] : [withSafeScheme(direct)]), ...wrapped].filter(
    (url) => url !== null,
  )
}

/** An example link to a group of a listed server. A server on this machine usually has no certificate. */
export function formatExampleLink(host: string): string {
  const hostname = URL.parse(`https://${host}`)?.hostname ?? ''
  const scheme = isLoopbackHost(withoutBrackets(hostname)) ? 'http' : 'https'
  return `${scheme}://${host}/group/<name>/`
}

/** Only a server on this machine may be reached without TLS. */
function withSafeScheme(url: URL): URL | null {
  if (url.username !== '' || url.password !== '') return null
  const isAllowed =
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && isLoopbackHost(withoutBrackets(url.hostname)))
  return isAllowed ? url : null
}

function tryDecode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** True if the operator listed this URL's server with this port. */
export function isListedServer({ protocol, host }: URL, hosts: GaleneHosts): boolean {
  return hosts.some((listed) => URL.parse(`${protocol}//${listed}`)?.host === host)
}

/** True if the operator listed a host with any port. A TURN server has another port than the website. */
export function isListedHost(hostname: string, hosts: GaleneHosts): boolean {
  const name = hostname.toLowerCase()
  return hosts.some((listed) => withoutBrackets(URL.parse(`https://${listed}`)?.hostname) === name)
}

/** URLs write an IPv6 address in brackets; sockets and lookups do not. */
export function withoutBrackets(hostname = ''): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}
