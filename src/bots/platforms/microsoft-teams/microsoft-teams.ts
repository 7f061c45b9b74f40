import type { PageModel } from '../page-model/page-states.ts'
import type { Platform } from '../platform.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import { attendMeetingInPage, type AttendOptions } from '../page-session/attend-page.ts'
import type { PagePlatform } from '../page-session/page-platform.ts'
import { MICROSOFT_TEAMS_CHAT_CONTROLS } from './chat-controls.ts'
import { MICROSOFT_TEAMS_CAPTION_CONTROLS, readBotWireId } from './caption-controls.ts'
import type { LoadTeamsBotToken } from './bot-identification.ts'
import { MICROSOFT_TEAMS_JOIN_STEPS } from './join-steps.ts'
import { clickLeaveInMicrosoftTeams, cancelMicrosoftTeamsJoin } from './leave.ts'
import { parseMicrosoftTeamsParticipant } from './participant-list.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from './page-model.ts'
import { parseMicrosoftTeamsLink } from './meeting-link.ts'
import {
  createMicrosoftTeamsWireReader,
  MICROSOFT_TEAMS_TRAFFIC_FILTER,
} from './wire/wire-reader.ts'

const { title, linkExamples } = PLATFORM_INFO.microsoft_teams

export type MicrosoftTeamsOptions = AttendOptions & {
  /** The page model with the changes of the operator's selectors file. */
  pageModel?: () => Promise<PageModel>
  /** How a registered bot identifies itself; without it the bot joins as a guest. */
  identify?: LoadTeamsBotToken
}

export function createMicrosoftTeams(parts: MicrosoftTeamsOptions): Platform {
  return {
    name: 'microsoft_teams',
    title,
    linkExamples,
    parseLink: parseMicrosoftTeamsLink,
    attend: (joinRequest, signal) =>
      attendMeetingInPage(createPagePlatform(parts), parts, joinRequest, signal),
  }
}

function createPagePlatform(parts: MicrosoftTeamsOptions): PagePlatform {
  const { pageModel = () => Promise.resolve(MICROSOFT_TEAMS_PAGE_MODEL), identify } = parts
  return {
    name: 'microsoft_teams',
    title,
    origins: [
      'https://teams.microsoft.com',
      'https://teams.live.com',
      'https://teams.cloud.microsoft',
      'https://gov.teams.microsoft.us',
      'https://dod.teams.microsoft.us',
    ],
    trafficFilter: MICROSOFT_TEAMS_TRAFFIC_FILTER,
    pageModel,
    async resolveJoinUrl({ link }) {
      const { token, problem } = (await identify?.(link)) ?? { token: null, problem: null }
      const url = token === null ? link.url : `${link.url}#token=${encodeURIComponent(token)}`
      return { url, ...(problem !== null && { unidentified: problem }) }
    },
    joinSteps: MICROSOFT_TEAMS_JOIN_STEPS,
    captions: MICROSOFT_TEAMS_CAPTION_CONTROLS,
    chat: MICROSOFT_TEAMS_CHAT_CONTROLS,
    hiddenSelectors: ['video', 'canvas'],
    openParticipantList: (actions) => actions.click('rosterButton'),
    parseParticipant: parseMicrosoftTeamsParticipant,
    leave: clickLeaveInMicrosoftTeams,
    cancelJoin: cancelMicrosoftTeamsJoin,
    readOwnId: readBotWireId,
    createWireReader: createMicrosoftTeamsWireReader,
  }
}
