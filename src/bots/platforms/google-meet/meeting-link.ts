import { trimPastedLink, parsePastedLinkCandidates } from '../links.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import type { MeetingLink } from '../platform.ts'

const HOSTS: ReadonlySet<string> = new Set(['meet.google.com', 'www.meet.google.com'])

const CODE = /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/i
/** A meeting nickname of a Google Workspace. Only Google Meet knows which nicknames exist. */
const NICKNAME = /^[a-z0-9][a-z0-9-]{3,38}[a-z0-9]$/i
/** A meeting code with a typo. It is rejected, because as a nickname it would name a meeting that does not exist. */
const NEAR_CODE = /^[a-z0-9]{3,4}(?:-[a-z0-9]{3,4}){1,2}$/i

/** Paths of Google Meet pages that look like nicknames. */
const PAGES: ReadonlySet<string> = new Set([
  'about',
  'calling',
  'download',
  'getalink',
  'landing',
  'linkredirect',
  'login',
  'logout',
  'lookup',
  'privacy',
  'settings',
  'signin',
  'start',
  'support',
  'terms',
  'unsupported',
  'whoops',
])

/** The meeting that a Google Meet link or code leads to, however it was pasted; null for any other text. */
export function parseGoogleMeetLink(given: string): MeetingLink | null {
  const room = bareCode(given) ?? roomInLink(given)
  if (room === null) return null
  return {
    url: `https://meet.google.com/${room}`,
    room,
    label: `${PLATFORM_INFO.google_meet.title} ${room}`,
  }
}

function bareCode(given: string): string | null {
  const text = trimPastedLink(given)
  return text !== null && CODE.test(text) ? text.toLowerCase() : null
}

function roomInLink(given: string): string | null {
  for (const { host, path } of parsePastedLinkCandidates(given)) {
    if (!HOSTS.has(host)) continue
    // Some programs add a field such as `&authuser=0` to a link without a query.
    const name = /^\/([^/&]+)\/?(?:&[^/]*)?$/.exec(path)?.[1]?.toLowerCase()
    if (name !== undefined && isRoom(name)) return name
  }
  return null
}

function isRoom(name: string): boolean {
  if (CODE.test(name)) return true
  return NICKNAME.test(name) && !NEAR_CODE.test(name) && !PAGES.has(name)
}
