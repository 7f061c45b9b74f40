import { PLATFORM_INFO } from '../platform-info.ts'
import type { Platform } from '../platform.ts'
import { attendGroup, type GaleneOptions } from './attend-group.ts'
import { parseGaleneLink } from './meeting-link.ts'

const { title, linkExamples } = PLATFORM_INFO.galene

/** Groups of Galène servers. The bot speaks their protocol itself; a browser only receives sound. */
export function createGalene(options: GaleneOptions): Platform {
  return {
    name: 'galene',
    title,
    linkExamples,
    parseLink: (given) => parseGaleneLink(given, options.settings.hosts),
    attend: (joinRequest, signal) => attendGroup(options, joinRequest, signal),
  }
}
