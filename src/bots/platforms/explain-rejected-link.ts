import { findNearestName } from '../../lib/text/nearest-name.ts'
import {
  isHostOrSubdomain,
  listPercentDecodings,
  trimPastedLink,
  parsePastedLinkCandidates,
} from './links.ts'
import { PLATFORM_INFO, type RejectedLinkHint } from './platform-info.ts'
import { PRACTICE_SPEED_LIMITS } from './practice/meeting-link.ts'
import { isScriptName, SCRIPT_NAMES } from './practice/script-reading/script-library.ts'

/** Links that people paste instead of a meeting link. The first matching row is used. */
const KNOWN_WRONG_LINKS: readonly RejectedLinkHint[] = [
  ...Object.values(PLATFORM_INFO).flatMap(
    ({ wrongLinks }): readonly RejectedLinkHint[] => wrongLinks,
  ),
  {
    hosts: ['calendar.google.com', 'calendar.app.google', 'outlook.office.com', 'outlook.live.com'],
    hint: 'This is a link to a calendar entry. Open the entry and copy the meeting link from it',
  },
  { hosts: ['webex.com'], hint: 'Webex meetings are not supported' },
  {
    hosts: ['g.co', 'aka.ms', 'bit.ly'],
    hint: 'This is a short link. Open it and copy the address that it leads to',
  },
]

/** Links that are probably to a server of one's own, which an administrator has to list. */
const UNLISTED_SERVERS = [
  {
    link: /^(?:https?:\/\/)?[^/\s]+\/group\/[^/?#.]/i,
    hint: 'If this is a group of a Galène server, ask an administrator to add its host to HANSARD_GALENE_HOSTS',
  },
  {
    link: /^(?:(?:https?|wss?):\/\/)?[^/\s]+\/rooms\/[^/?#]/i,
    hint: 'If this is a room of a LiveKit server, ask an administrator to add its host to HANSARD_LIVEKIT_HOSTS',
  },
  {
    link: /^(?:https?:\/\/)?[^/\s]+\/[a-z0-9]{3}-[a-z0-9]{4}-[a-z0-9]{3}\/?(?:[?#]|$)/i,
    hint: 'If this is a room of La Suite Meet, ask an administrator to add its host to HANSARD_LA_SUITE_MEET_HOSTS',
  },
]
const PRACTICE_LINK = /^practice:(?:\/\/)?([^/?#]*)/i

/** Explains to a person why the pasted text is not a meeting link. */
export function explainRejectedLink(given: string): string {
  const practice = PRACTICE_LINK.exec(given.trim())
  if (practice !== null) return explainPracticeLink(practice[1]?.toLowerCase() ?? '')
  const text = trimPastedLink(given)
  if (text === null) return 'That isn’t a valid link'
  const hosts = parsePastedLinkCandidates(given).map(({ host }) => host)
  const readings = listPercentDecodings(text)
  const known = KNOWN_WRONG_LINKS.find(
    ({ hosts: names, containedText = '' }) =>
      names.some((name) => hosts.some((host) => isHostOrSubdomain(host, name))) &&
      readings.some((reading) => reading.includes(containedText)),
  )
  if (known !== undefined) return known.hint
  const unlisted = UNLISTED_SERVERS.find(({ link }) =>
    readings.some((reading) => link.test(reading)),
  )
  return unlisted?.hint ?? 'Not a meeting on a supported platform'
}

function explainPracticeLink(script: string): string {
  if (isScriptName(script)) {
    const { slowest, fastest } = PRACTICE_SPEED_LIMITS
    return `Only a speed from ${slowest} to ${fastest} may follow the name, as in practice://${script}?speed=10`
  }
  const nearest = findNearestName(script, SCRIPT_NAMES)
  const suggestion = nearest === null ? '' : `; did you mean ${nearest}?`
  return `There is no practice meeting with this name${suggestion} (${SCRIPT_NAMES.join(', ')})`
}
