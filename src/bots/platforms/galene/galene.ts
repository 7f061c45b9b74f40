import type { AttendOptions } from '../page-session/attend-page.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { Platform } from '../platform.ts'
import { attendSoundCall } from '../sound-call/attend-call.ts'
import type { ListedHosts } from '../sound-call/listed-hosts.ts'
import type { SoundPlatform } from '../sound-call/run-session.ts'
import { openGroupCall } from './group-call.ts'
import { readGroupStatus } from './group-status.ts'
import { formatExampleLink, parseGaleneLink } from './meeting-link.ts'

/** The operator's settings for Galène. */
export type GaleneSettings = {
  hosts: ListedHosts
  /** The password that bots join with; null to join without one. */
  password: string | null
}

/** A hint with all servers of a large organization would be too long. */
const MAX_EXAMPLES = 3

export type GaleneOptions = AttendOptions & { settings: GaleneSettings }

/** Groups of Galène servers. The bot speaks their protocol itself; a browser only receives sound. */
export function createGalene(options: GaleneOptions): Platform {
  const { settings } = options
  const { hosts } = settings
  const { title } = PLATFORM_INFO.galene
  const soundPlatform: SoundPlatform = {
    name: 'galene',
    title,
    async findCall({ joinRequest, timeouts, signal, emit }) {
      const { url } = joinRequest.link
      const status = await readGroupStatus(url, { hosts, timeoutMs: timeouts.openMs, signal })
      if (status.kind !== 'found') return status
      emit({ kind: 'way in' })
      const { endpoint } = status
      return { kind: 'found', open: (call) => openGroupCall(call, { settings, endpoint }) }
    },
  }
  return {
    name: 'galene',
    title,
    // Without a listed server, no link is accepted.
    linkExamples: hosts.slice(0, MAX_EXAMPLES).map(formatExampleLink),
    parseLink: (given) => parseGaleneLink(given, hosts),
    attend: (joinRequest, signal) => attendSoundCall(soundPlatform, options, joinRequest, signal),
  }
}
