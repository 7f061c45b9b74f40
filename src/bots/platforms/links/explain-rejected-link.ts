import { trimPastedText } from './clean-text.ts'
import { isHostOrSubdomain } from './parse-link.ts'
import { extractLinks } from './unwrap-link.ts'

/** What people paste instead of a link to a meeting, by the host. The first that fits is said. */
const KNOWN_WRONG_LINKS: ReadonlyArray<{ hosts: readonly string[]; why: string }> = [
  {
    hosts: ['meet.google.com'],
    why: 'This Google Meet address names no meeting; a link to one ends in a code like abc-defg-hij',
  },
  {
    hosts: ['teams.microsoft.com', 'teams.live.com', 'teams.cloud.microsoft'],
    why: 'This Teams address names no meeting; take the link that the invitation calls “Join the meeting now”',
  },
  {
    hosts: ['calendar.google.com', 'calendar.app.google', 'outlook.office.com', 'outlook.live.com'],
    why: 'This is a calendar entry; open it and copy the link to the meeting from inside',
  },
  { hosts: ['zoom.us', 'zoom.com'], why: 'Zoom meetings are not supported' },
  { hosts: ['webex.com'], why: 'Webex meetings are not supported' },
  {
    hosts: ['g.co', 'aka.ms', 'bit.ly'],
    why: 'This is a short link; open it and copy where it leads',
  },
]

/** Why a text that no platform recognises is no link to a meeting, for the person who pasted it. */
export function explainRejectedLink(given: string): string {
  if (/^\s*practice:/i.test(given)) return 'There is no practice meeting of this name and speed'
  if (trimPastedText(given) === null) return 'This is no web address'
  const hosts = extractLinks(given).map(({ host }) => host)
  const mistake = KNOWN_WRONG_LINKS.find(({ hosts: known }) =>
    known.some((name) => hosts.some((host) => isHostOrSubdomain(host, name))),
  )
  return mistake?.why ?? 'Not a meeting on a supported platform'
}
