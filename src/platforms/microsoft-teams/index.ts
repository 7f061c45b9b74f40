import type { PageTable } from '../page/decide.ts'
import type { Platform } from '../platform.ts'
import { unattended } from '../unattended.ts'
import { attendPage, type AttendParts } from '../visit/attend.ts'
import type { PagePlatform } from '../visit/page-platform.ts'
import { MICROSOFT_TEAMS_CAPTIONS, ownMri } from './captions.ts'
import type { Identify } from './identification.ts'
import { MICROSOFT_TEAMS_STEPS } from './join.ts'
import { leaveMicrosoftTeams, withdrawMicrosoftTeams } from './leave.ts'
import { personOfItem } from './people.ts'
import { MICROSOFT_TEAMS_PAGE } from './states.ts'
import { recogniseMicrosoftTeams } from './url.ts'
import { createMicrosoftTeamsWire, MICROSOFT_TEAMS_WANTED } from './wire/reader.ts'

const TITLE = 'Microsoft Teams'

export type MicrosoftTeamsParts = AttendParts & {
  /** The table of the page, with what a file says about it. */
  table?: () => Promise<PageTable>
  /** How a registered bot says that it is one. */
  identify?: Identify
}

export function createMicrosoftTeams(parts?: MicrosoftTeamsParts): Platform {
  return {
    name: 'microsoft_teams',
    title: TITLE,
    shapes: [
      'https://teams.microsoft.com/meet/<id>?p=<passcode>',
      'https://teams.live.com/meet/<id>?p=<passcode>',
      'https://teams.microsoft.com/l/meetup-join/…',
    ],
    recognise: recogniseMicrosoftTeams,
    attend: (visit, signal) =>
      parts === undefined ? unattended(TITLE) : attendPage(pages(parts), parts, visit, signal),
  }
}

function pages(parts: MicrosoftTeamsParts): PagePlatform {
  const { table = () => Promise.resolve(MICROSOFT_TEAMS_PAGE), identify } = parts
  return {
    name: 'microsoft_teams',
    title: TITLE,
    origins: [
      'https://teams.microsoft.com',
      'https://teams.live.com',
      'https://teams.cloud.microsoft',
      'https://gov.teams.microsoft.us',
      'https://dod.teams.microsoft.us',
    ],
    wanted: MICROSOFT_TEAMS_WANTED,
    table,
    async open({ address }) {
      const { token, problem } = (await identify?.(address)) ?? { token: null, problem: null }
      const url = token === null ? address.url : `${address.url}#token=${encodeURIComponent(token)}`
      return { url, ...(problem !== null && { unidentified: problem }) }
    },
    steps: MICROSOFT_TEAMS_STEPS,
    captions: MICROSOFT_TEAMS_CAPTIONS,
    hides: ['video', 'canvas'],
    showPeople: (hand) => hand.click('rosterButton'),
    person: personOfItem,
    leave: leaveMicrosoftTeams,
    withdraw: withdrawMicrosoftTeams,
    self: ownMri,
    createWire: createMicrosoftTeamsWire,
  }
}
