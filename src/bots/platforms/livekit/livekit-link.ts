import { PLATFORM_INFO } from '../platform-info.ts'
import type { MeetingLink } from '../platform.ts'
import {
  formatOrigin,
  isListedServer,
  listPossibleUrls,
  tryDecode,
} from '../sound-call/listed-hosts.ts'
import type { LivekitSettings } from './livekit.ts'

const MAX_NAME_CHARS = 200
const LA_SUITE_MEET = 'La Suite Meet'

/** What a link leads to: a room of a LiveKit server by its name, or a room of La Suite Meet by its code. */
export type RoomPlace = { kind: 'room'; name: string } | { kind: 'la suite meet'; code: string }

/** The room that a link to a listed server leads to; null for any other text. */
export function parseLivekitLink(given: string, settings: LivekitSettings): MeetingLink | null {
  // The addresses of LiveKit servers are often written with `wss`.
  for (const url of listPossibleUrls(given.replace(/^(\s*)ws(s?):\/\//i, '$1http$2://'))) {
    const place = findRoom(url)
    if (place === null) continue
    if (place.kind === 'room' && isListedServer(url, settings.hosts))
      return {
        url: `${url.origin}/rooms/${encodeURIComponent(place.name)}`,
        room: `${url.host}/${place.name}`,
        label: `${PLATFORM_INFO.livekit.title} ${place.name}`,
      }
    if (place.kind === 'la suite meet' && isListedServer(url, settings.laSuiteMeetHosts))
      return {
        url: `${url.origin}/${place.code}`,
        room: `${url.host}/${place.code}`,
        label: `${LA_SUITE_MEET} ${place.code}`,
      }
  }
  return null
}

/** The room in a URL's path; null if there is none. */
export function findRoom({ pathname }: Pick<URL, 'pathname'>): RoomPlace | null {
  const code = /^\/([a-z0-9]{3})-?([a-z0-9]{4})-?([a-z0-9]{3})\/?$/i.exec(pathname)
  if (code !== null) return { kind: 'la suite meet', code: code.slice(1).join('-').toLowerCase() }
  const encoded = /^\/rooms\/([^/]+)\/?$/.exec(pathname)?.[1]
  const name = encoded === undefined ? null : tryDecode(encoded)
  return name === null || name.length > MAX_NAME_CHARS || /\p{Cc}/u.test(name)
    ? null
    : { kind: 'room', name }
}

/** Example links to listed servers. */
export function listExampleLinks({
  hosts,
  laSuiteMeetHosts,
  signToken,
}: LivekitSettings): string[] {
  return [
    ...laSuiteMeetHosts.map((host) => `${formatOrigin(host)}/abc-defg-hij`),
    // Without a key, the bot cannot join the rooms of a server by their names.
    ...(signToken === null ? [] : hosts.map((host) => `${formatOrigin(host)}/rooms/<name>`)),
  ]
}
