import type { PageTable } from '../page/decide.ts'
import type { Platform } from '../platform.ts'
import { unattended } from '../unattended.ts'
import { attendPage, type AttendParts } from '../visit/attend.ts'
import type { PagePlatform } from '../visit/page-platform.ts'
import { GOOGLE_MEET_CAPTIONS } from './captions.ts'
import { GOOGLE_MEET_STEPS } from './join.ts'
import { leaveGoogleMeet, withdrawGoogleMeet } from './leave.ts'
import { personOfItem } from './people.ts'
import { GOOGLE_MEET_PAGE } from './states.ts'
import { recogniseGoogleMeet } from './url.ts'
import { createGoogleMeetWire, GOOGLE_MEET_WANTED } from './wire/reader.ts'

const TITLE = 'Google Meet'

export type GoogleMeetParts = AttendParts & {
  /** The table of the page, with what a file says about it. */
  table?: () => Promise<PageTable>
}

export function createGoogleMeet(parts?: GoogleMeetParts): Platform {
  return {
    name: 'google_meet',
    title: TITLE,
    shapes: ['https://meet.google.com/abc-defg-hij'],
    recognise: recogniseGoogleMeet,
    attend: (visit, signal) =>
      parts === undefined ? unattended(TITLE) : attendPage(pages(parts), parts, visit, signal),
  }
}

function pages({ table = () => Promise.resolve(GOOGLE_MEET_PAGE) }: GoogleMeetParts): PagePlatform {
  return {
    name: 'google_meet',
    title: TITLE,
    origins: ['https://meet.google.com'],
    wanted: GOOGLE_MEET_WANTED,
    table,
    // English is the language for which most words are known.
    open: ({ address }) => Promise.resolve({ url: `${address.url}?hl=en` }),
    steps: GOOGLE_MEET_STEPS,
    captions: GOOGLE_MEET_CAPTIONS,
    hides: ['video', 'canvas'],
    showPeople: (hand) => hand.click('peopleButton'),
    person: personOfItem,
    leave: leaveGoogleMeet,
    withdraw: withdrawGoogleMeet,
    createWire: createGoogleMeetWire,
  }
}
