import { isLoopbackHost } from '../../../lib/net/ip-addresses.ts'
import { trimPastedLink } from '../links/clean-text.ts'
import { parsePastedLinkCandidates } from '../links/unwrap-link.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { MeetingLink } from '../platform.ts'
import { isListedServer, withoutBrackets, type GaleneHosts } from './hosts.ts'

const MAX_NAME_CHARS = 200

/** The group behind a link to a listed Galène server; null for every other text. */
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

/** The name of the group that the path of a URL names; null when it names none that the server accepts. */
export function findGroupName(pathname: string): string | null {
  const encoded = /^\/group\/(.+?)\/?$/.exec(pathname)?.[1]
  const name = encoded === undefined ? null : tryDecode(encoded)
  if (name === null || name.length > MAX_NAME_CHARS) return null
  // A part that starts with a dot is a page about the group, such as `.status`. Some servers read `\` as `/`.
  return name.split('/').some((part) => part === '' || part.startsWith('.')) ||
    /[\\\p{Cc}]/u.test(name)
    ? null
    : name
}

function listPossibleUrls(given: string): URL[] {
  const direct = URL.parse(trimPastedLink(given) ?? '')
  const wrapped = parsePastedLinkCandidates(given)
    // A URL would resolve `..` to another group.
    .filter(({ path }) => !path.includes('/.'))
    .map(({ host, path }) => URL.parse(`https://${host}${path}`))
  return [...(direct === null ? [] : [withSafeScheme(direct)]), ...wrapped].filter(
    (url) => url !== null,
  )
}

/** What a link to a group of a listed server looks like. A server on this machine usually has no certificate. */
export function formatExampleLink(host: string): string {
  const hostname = URL.parse(`https://${host}`)?.hostname ?? ''
  const scheme = isLoopbackHost(withoutBrackets(hostname)) ? 'http' : 'https'
  return `${scheme}://${host}/group/<name>/`
}

/** Only a server on this machine is reached without TLS. */
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
