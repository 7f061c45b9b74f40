import type { PageModel } from '../page-model/page-states.ts'
import {
  anyOf,
  anyOfDuring,
  hasPart,
  inPhase,
  hasText,
  type PageMatcher,
} from '../page-model/state-rules.ts'
import { GOOGLE_MEET_PARTS } from './selectors.ts'

const HOST = 'meet.google.com'
const AT_HOME: readonly PageMatcher[] = ['/', '/landing'].map((path) => ({
  by: 'address',
  hosts: [HOST],
  path,
}))
const ELSEWHERE: PageMatcher = { by: 'elsewhere', hosts: [HOST, 'accounts.google.com'] }
const LEFT_WORDS = ['You left the meeting', "You've left the call"]

/**
 * Parts that only the call has. The buttons for leave, microphone and camera and the bot's own tile are in the lobby
 * too.
 */
const CALL_PARTS: readonly PageMatcher[] = [
  hasPart('captionsButton'),
  hasPart('chatButton'),
  hasPart('peopleButton'),
  hasPart('otherTile'),
]

/** How the states of a Google Meet page are recognised. */
export const GOOGLE_MEET_PAGE_MODEL: PageModel = {
  parts: GOOGLE_MEET_PARTS,
  userTextParts: ['captionsRegion', 'chatPanel', 'sidePanel', 'tile'],
  expectedInCall: ['leaveButton', 'captionsButton', 'chatButton', 'peopleButton', 'moreButton'],
  states: {
    denied: [
      ...anyOf(
        { by: 'wire', end: 'denied' },
        hasText('Someone in the call denied your request to join'),
        hasText('denied your request'),
        hasText("You weren't allowed to join"),
      ),
      // Google Meet tells a bot whose request was denied that it left the meeting.
      ...anyOfDuring(
        inPhase('knocking'),
        LEFT_WORDS.map((text) => hasText(text)),
      ),
    ],
    'no answer': anyOf(hasText('No one responded to your request to join')),
    removed: anyOf(
      { by: 'wire', end: 'removed' },
      hasText("You've been removed from the meeting", 'endHeading'),
      hasText("You've been removed from the meeting"),
    ),
    'sign-in': [
      ...anyOf(
        { by: 'address', hosts: ['accounts.google.com'] },
        hasText('Your sign-in credentials might have changed'),
      ),
      // The page before the call also has a sign-in link.
      {
        all: [hasText('Sign in'), hasText('your Google Account')],
        none: [hasPart('joinButton'), hasPart('nameInput'), hasPart('leaveButton')],
      },
    ],
    captcha: anyOf(hasPart('captchaFrame')),
    'bad link': anyOf(
      hasText('Check your meeting code'),
      hasText('Invalid video call name'),
      hasText('Your meeting code has expired'),
      hasText("The meeting code you entered doesn't work"),
    ),
    left: anyOfDuring(inPhase('leaving'), [
      ...LEFT_WORDS.map((text) => hasText(text)),
      hasPart('endHeading'),
      hasPart('rejoinButton'),
      ...AT_HOME,
      ELSEWHERE,
    ]),
    blocked: [
      ...anyOf(
        hasText("You can't join this video call"),
        hasText("You can't join this meeting"),
        hasText('There is a problem connecting to this video call'),
        hasText('We encountered a problem joining'),
      ),
      ...anyOfDuring(inPhase('arriving', 'knocking'), [ELSEWHERE, ...AT_HOME]),
      // Since June 2026: the page turns black half a second after the request to join, and stays black.
      { all: [inPhase('knocking'), { by: 'blank' }], steadyMs: 15_000 },
    ],
    away: anyOfDuring(inPhase('inside'), [ELSEWHERE, ...AT_HOME]),
    ended: [
      ...anyOf(
        { by: 'wire', end: 'host_ended' },
        hasText('Your host ended the meeting for everyone', 'endHeading'),
        hasText('Your host ended the meeting for everyone'),
        hasText('The call ended'),
        ...LEFT_WORDS.map((text) => hasText(text)),
      ),
      // Recognises the end in an unknown language.
      { all: [inPhase('inside'), hasPart('endHeading')], none: [...CALL_PARTS], steadyMs: 3_000 },
    ],
    refused: [
      {
        all: [inPhase('knocking'), hasPart('endHeading')],
        none: [...CALL_PARTS, hasPart('leaveButton')],
      },
    ],
    'not started': anyOf(
      hasText('Waiting for the host to join'),
      hasText('Please wait until a meeting host brings you into the call'),
    ),
    lobby: [
      ...anyOf(
        hasText('Asking to be let in'),
        hasText("You'll join the call when someone lets you in"),
        hasText('Please wait until a meeting host brings you'),
      ),
      // Recognises the lobby in an unknown language.
      {
        all: [inPhase('knocking'), hasPart('leaveButton')],
        none: [
          ...CALL_PARTS,
          hasPart('joinButton'),
          hasPart('noticeAccept'),
          hasPart('endHeading'),
        ],
      },
    ],
    'in call': [
      ...anyOf(...CALL_PARTS),
      ...anyOfDuring(inPhase('knocking', 'inside'), [
        hasText('You have joined the call'),
        hasText('other person in the call'),
        hasText('other people in the call'),
      ]),
    ],
    question: anyOf(hasPart('permissionDismiss'), hasPart('noticeAccept')),
    prejoin: anyOf(hasPart('nameInput'), hasPart('joinButton')),
  },
  conditions: {
    alone: anyOf(hasText("You're the only one here"), hasText('No one else is here'), {
      by: 'count',
      count: 1,
    }),
    reconnecting: anyOf(hasText('Reconnecting'), hasText('Connection lost')),
  },
}
