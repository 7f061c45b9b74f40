import { PLATFORM_INFO } from '../platform-info.ts'
import type { Platform } from '../platform.ts'
import { attendGroup, type GaleneOptions } from './attend-group.ts'
import { formatExampleLink, parseGaleneLink } from './meeting-link.ts'

/** A hint that lists all servers of a large organization would be too long. */
const MAX_EXAMPLES = 3

/** Groups of Galène servers. The bot speaks their protocol itself; a browser only receives sound. */
export function createGalene(options: GaleneOptions): Platform {
  const { hosts } = options.settings
  return {
    name: 'galene',
    title: PLATFORM_INFO.galene.title,
    // Without a listed server, no link is accepted.
    linkExamples: hosts.slice(0, MAX_EXAMPLES).map(formatExampleLink),
    parseLink: (given) => parseGaleneLink(given, hosts),
    attend: (joinRequest, signal) => attendGroup(options, joinRequest, signal),
  }
}
