import { PLATFORM_INFO } from '../platform-info.ts'
import type { MeetingLink } from '../platform.ts'
import {
  formatOrigin,
  isListedServer,
  listPossibleUrls,
  tryDecode,
  type ListedHosts,
} from '../sound-call/listed-hosts.ts'

const MAX_NAME_CHARS = 200

/** The group that a link to a listed Galène server leads to; null for any other text. */
export function parseGaleneLink(given: string, hosts: ListedHosts): MeetingLink | null {
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

/** An example link to a group of a listed server. */
export function formatExampleLink(host: string): string {
  return `${formatOrigin(host)}/group/<name>/`
}
