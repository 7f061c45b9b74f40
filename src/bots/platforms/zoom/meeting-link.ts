import { isHostOrSubdomain, parsePastedLinkCandidates } from '../links.ts'
import { PLATFORM_INFO, ZOOM_HOSTS } from '../platform-info.ts'
import type { MeetingLink } from '../platform.ts'

/** Links to join or start a meeting or webinar, in the app and in the web client. */
const PATH = /^\/(?:j|w|s|wc|wc\/join)\/(\d{9,11})(?:\/(?:join|start))?\/?$/
/** Passcodes in links are hashes, which `.1` and similar may follow. */
const PASSCODE = /^[A-Za-z0-9_-]{1,128}(?:\.\d{1,3})?$/
const ROOM_PREFIX = 'zoom/'

/**
 * The meeting that a Zoom link names; null for any other text. Personal links (`/my/name`) do not contain the number of
 * the meeting, so no stream can be matched with them.
 */
export function parseZoomLink(given: string): MeetingLink | null {
  for (const { host, path, query } of parsePastedLinkCandidates(given)) {
    const number = PATH.exec(path)?.[1]
    const isZoom = ZOOM_HOSTS.some((name) => isHostOrSubdomain(host, name))
    if (number === undefined || !isZoom || host.startsWith('events.')) continue
    const passcode = new URLSearchParams(query).get('pwd') ?? ''
    const hasPasscode = PASSCODE.test(passcode)
    return {
      // Every meeting can be opened without the subdomain of its organization.
      url: `https://zoom.us/j/${number}${hasPasscode ? `?pwd=${passcode}` : ''}`,
      room: `${ROOM_PREFIX}${number}`,
      ...(hasPasscode && { passcode }),
      label: `${PLATFORM_INFO.zoom.title} ${number}`,
    }
  }
  return null
}

/** The meeting number of a link that `parseZoomLink` has parsed. */
export function meetingNumberOf({ room }: MeetingLink): string {
  return room.slice(ROOM_PREFIX.length)
}
