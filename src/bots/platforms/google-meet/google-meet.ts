import type { PageModel } from '../page-model/page-states.ts'
import type { Platform } from '../platform.ts'
import { PLATFORM_INFO } from '../platform-info.ts'
import { attendMeetingInPage, type AttendOptions } from '../page-session/attend-page.ts'
import type { PagePlatform } from '../page-session/page-platform.ts'
import { GOOGLE_MEET_CHAT_CONTROLS } from './chat-controls.ts'
import { GOOGLE_MEET_CAPTION_CONTROLS } from './caption-controls.ts'
import { GOOGLE_MEET_JOIN_STEPS } from './join-steps.ts'
import { leaveGoogleMeet, cancelGoogleMeetJoin } from './leave.ts'
import { parseGoogleMeetParticipant } from './participant-list.ts'
import { GOOGLE_MEET_PAGE_MODEL } from './page-model.ts'
import { parseGoogleMeetLink } from './meeting-link.ts'
import { createGoogleMeetWireReader, GOOGLE_MEET_TRAFFIC_FILTER } from './wire/wire-reader.ts'

const { title, linkExamples } = PLATFORM_INFO.google_meet

export type GoogleMeetOptions = AttendOptions & {
  /** The page model with the changes of the operator's selectors file. */
  pageModel?: () => Promise<PageModel>
}

export function createGoogleMeet(parts: GoogleMeetOptions): Platform {
  return {
    name: 'google_meet',
    title,
    linkExamples,
    parseLink: parseGoogleMeetLink,
    attend: (joinRequest, signal) =>
      attendMeetingInPage(createPagePlatform(parts), parts, joinRequest, signal),
  }
}

function createPagePlatform({
  pageModel = () => Promise.resolve(GOOGLE_MEET_PAGE_MODEL),
}: GoogleMeetOptions): PagePlatform {
  return {
    name: 'google_meet',
    title,
    origins: ['https://meet.google.com'],
    trafficFilter: GOOGLE_MEET_TRAFFIC_FILTER,
    pageModel,
    // `hl=en` makes Google Meet show English, because the page model knows most texts in English.
    resolveJoinUrl: ({ link }) => Promise.resolve({ url: `${link.url}?hl=en` }),
    joinSteps: GOOGLE_MEET_JOIN_STEPS,
    captions: GOOGLE_MEET_CAPTION_CONTROLS,
    chat: GOOGLE_MEET_CHAT_CONTROLS,
    hiddenSelectors: ['video', 'canvas'],
    openParticipantList: (actions) => actions.click('peopleButton'),
    parseParticipant: parseGoogleMeetParticipant,
    leave: leaveGoogleMeet,
    cancelJoin: cancelGoogleMeetJoin,
    createWireReader: createGoogleMeetWireReader,
  }
}
