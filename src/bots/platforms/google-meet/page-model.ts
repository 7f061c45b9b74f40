import type { PageModel } from '../page-model/page-states.ts'
import {
  rulesForAnyMatcher,
  rulesForAnyMatcherDuring,
  partMatcher,
  phaseMatcher,
  textMatcher,
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
  partMatcher('captionsButton'),
  partMatcher('chatButton'),
  partMatcher('peopleButton'),
  partMatcher('otherTile'),
]

/** How the states of a Google Meet page are recognised. */
export const GOOGLE_MEET_PAGE_MODEL: PageModel = {
  parts: GOOGLE_MEET_PARTS,
  userTextParts: ['captionsRegion', 'chatPanel', 'sidePanel', 'tile'],
  expectedInCall: ['leaveButton', 'captionsButton', 'chatButton', 'peopleButton', 'moreButton'],
  states: {
    denied: [
      ...rulesForAnyMatcher(
        { by: 'wire', end: 'denied' },
        textMatcher('Someone in the call denied your request to join'),
        textMatcher('denied your request'),
        textMatcher("You weren't allowed to join"),
      ),
      // After a denied request Google Meet shows the text for a bot that left.
      ...rulesForAnyMatcherDuring(
        phaseMatcher('knocking'),
        LEFT_WORDS.map((text) => textMatcher(text)),
      ),
    ],
    'no answer': rulesForAnyMatcher(textMatcher('No one responded to your request to join')),
    removed: rulesForAnyMatcher(
      { by: 'wire', end: 'removed' },
      textMatcher("You've been removed from the meeting", 'endHeading'),
      textMatcher("You've been removed from the meeting"),
    ),
    'sign-in': [
      ...rulesForAnyMatcher(
        { by: 'address', hosts: ['accounts.google.com'] },
        textMatcher('Your sign-in credentials might have changed'),
      ),
      // The page before the call also has a sign-in link, so its parts must be absent here.
      {
        all: [textMatcher('Sign in'), textMatcher('your Google Account')],
        none: [partMatcher('joinButton'), partMatcher('nameInput'), partMatcher('leaveButton')],
      },
    ],
    captcha: rulesForAnyMatcher(partMatcher('captchaFrame')),
    'bad link': rulesForAnyMatcher(
      textMatcher('Check your meeting code'),
      textMatcher('Invalid video call name'),
      textMatcher('Your meeting code has expired'),
      textMatcher("The meeting code you entered doesn't work"),
    ),
    left: rulesForAnyMatcherDuring(phaseMatcher('leaving'), [
      ...LEFT_WORDS.map((text) => textMatcher(text)),
      partMatcher('endHeading'),
      partMatcher('rejoinButton'),
      ...AT_HOME,
      ELSEWHERE,
    ]),
    blocked: [
      ...rulesForAnyMatcher(
        textMatcher("You can't join this video call"),
        textMatcher("You can't join this meeting"),
        textMatcher('There is a problem connecting to this video call'),
        textMatcher('We encountered a problem joining'),
      ),
      ...rulesForAnyMatcherDuring(phaseMatcher('arriving', 'knocking'), [ELSEWHERE, ...AT_HOME]),
      // Since June 2026: the page turns black half a second after the request to join, and stays black.
      { all: [phaseMatcher('knocking'), { by: 'blank' }], steadyMs: 15_000 },
    ],
    away: rulesForAnyMatcherDuring(phaseMatcher('inside'), [ELSEWHERE, ...AT_HOME]),
    ended: [
      ...rulesForAnyMatcher(
        { by: 'wire', end: 'host_ended' },
        textMatcher('Your host ended the meeting for everyone', 'endHeading'),
        textMatcher('Your host ended the meeting for everyone'),
        textMatcher('The call ended'),
        ...LEFT_WORDS.map((text) => textMatcher(text)),
      ),
      // Recognises the end in an unknown language.
      {
        all: [phaseMatcher('inside'), partMatcher('endHeading')],
        none: [...CALL_PARTS],
        steadyMs: 3_000,
      },
    ],
    refused: [
      {
        all: [phaseMatcher('knocking'), partMatcher('endHeading')],
        none: [...CALL_PARTS, partMatcher('leaveButton')],
      },
    ],
    'not started': rulesForAnyMatcher(
      textMatcher('Waiting for the host to join'),
      textMatcher('Please wait until a meeting host brings you into the call'),
    ),
    lobby: [
      ...rulesForAnyMatcher(
        textMatcher('Asking to be let in'),
        textMatcher("You'll join the call when someone lets you in"),
        textMatcher('Please wait until a meeting host brings you'),
      ),
      // Recognises the lobby in an unknown language.
      {
        all: [phaseMatcher('knocking'), partMatcher('leaveButton')],
        none: [
          ...CALL_PARTS,
          partMatcher('joinButton'),
          partMatcher('noticeAccept'),
          partMatcher('endHeading'),
        ],
      },
    ],
    'in call': [
      ...rulesForAnyMatcher(...CALL_PARTS),
      ...rulesForAnyMatcherDuring(phaseMatcher('knocking', 'inside'), [
        textMatcher('You have joined the call'),
        textMatcher('other person in the call'),
        textMatcher('other people in the call'),
      ]),
    ],
    question: rulesForAnyMatcher(partMatcher('permissionDismiss'), partMatcher('noticeAccept')),
    prejoin: rulesForAnyMatcher(partMatcher('nameInput'), partMatcher('joinButton')),
  },
  conditions: {
    alone: rulesForAnyMatcher(
      textMatcher("You're the only one here"),
      textMatcher('No one else is here'),
      {
        by: 'count',
        count: 1,
      },
    ),
    reconnecting: rulesForAnyMatcher(textMatcher('Reconnecting'), textMatcher('Connection lost')),
  },
}
