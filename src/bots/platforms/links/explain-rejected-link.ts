import { trimPastedLink } from './clean-text.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import { isHostOrSubdomain } from './parse-link.ts'
import { parsePastedLinkCandidates } from './unwrap-link.ts'

/** Links that people paste instead of a meeting link, by host. The first row that matches is used. */
const KNOWN_WRONG_LINKS: ReadonlyArray<{ hosts: readonly string[]; hint: string }> = [
  ...Object.values(PLATFORM_INFO).flatMap(({ wrongLink }) => wrongLink ?? []),
  {
    hosts: ['calendar.google.com', 'calendar.app.google', 'outlook.office.com', 'outlook.live.com'],
    hint: 'This is a link to a calendar entry. Open the entry and copy the meeting link from it',
  },
  { hosts: ['zoom.us', 'zoom.com'], hint: 'Zoom meetings are not supported' },
  { hosts: ['webex.com'], hint: 'Webex meetings are not supported' },
  {
    hosts: ['g.co', 'aka.ms', 'bit.ly'],
    hint: 'This is a short link. Open it and copy the address that it leads to',
  },
]

/** Explains to the person who pasted a text why it is not a meeting link. */
export function explainRejectedLink(given: string): string {
  if (/^\s*practice:/i.test(given)) return 'There is no practice meeting with this name and speed'
  if (trimPastedLink(given) === null) return 'That isn’t a valid link'
  const hosts = parsePastedLinkCandidates(given).map(({ host }) => host)
  const known = KNOWN_WRONG_LINKS.find(({ hosts: names }) =>
    names.some((name) => hosts.some((host) => isHostOrSubdomain(host, name))),
  )
  return known?.hint ?? 'Not a meeting on a supported platform'
}
