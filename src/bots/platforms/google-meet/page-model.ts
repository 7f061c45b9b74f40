import { type PageModel, ASKED_TO_STAY_RULES, createPrompts } from '../page-model/page-states.ts'
import {
  rulesForAnyMatcher,
  rulesForAnyMatcherWithCondition,
  createHistoryMatcher,
  createPartMatcher,
  createJoinPhaseMatcher,
  createTextMatcher,
  type PageMatcher,
} from '../page-model/state-rules.ts'
import { GOOGLE_MEET_PARTS } from './selectors.ts'

const HOST = 'meet.google.com'
const AT_HOME: readonly PageMatcher[] = ['/', '/landing'].map((path) => ({
  by: 'address',
  hosts: [HOST],
  path,
}))
const COOKIE_HOST = 'consent.google.com'
const ELSEWHERE: PageMatcher = {
  by: 'elsewhere',
  hosts: [HOST, 'accounts.google.com', COOKIE_HOST],
}
const LEFT_WORDS = ['You left the meeting', "You've left the call"]

/** Buttons that only the call has. The lobby too has leave, microphone and camera buttons, and the bot's own tile. */
const CALL_BUTTONS: readonly PageMatcher[] = [
  createPartMatcher('captionsButton'),
  createPartMatcher('chatButton'),
  createPartMatcher('peopleButton'),
]
const CALL_PARTS: readonly PageMatcher[] = [...CALL_BUTTONS, createPartMatcher('otherTile')]

/** How the states of a Google Meet page are recognised. */
export const GOOGLE_MEET_PAGE_MODEL: PageModel = {
  parts: GOOGLE_MEET_PARTS,
  userTextParts: ['captionsRegion', 'chatPanel', 'sidePanel', 'tile'],
  expectedInCall: ['leaveButton', 'captionsButton', 'chatButton', 'peopleButton', 'moreButton'],
  prompts: createPrompts('permissionDismiss'),
  states: {
    denied: [
      ...rulesForAnyMatcher(
        { by: 'wire', end: 'denied' },
        createTextMatcher('Someone in the call denied your request to join'),
        createTextMatcher('denied your request'),
        createTextMatcher("You weren't allowed to join"),
      ),
      // After a denied request, Google Meet shows the text for a bot that has left.
      ...rulesForAnyMatcherWithCondition(
        createJoinPhaseMatcher('knocking'),
        LEFT_WORDS.map((text) => createTextMatcher(text)),
      ),
    ],
    'no answer': rulesForAnyMatcher(createTextMatcher('No one responded to your request to join')),
    removed: rulesForAnyMatcher(
      { by: 'wire', end: 'removed' },
      createTextMatcher("You've been removed from the meeting", 'endHeading'),
      createTextMatcher("You've been removed from the meeting"),
    ),
    'sign-in': [
      ...rulesForAnyMatcher(
        { by: 'address', hosts: ['accounts.google.com'] },
        createTextMatcher('Your sign-in credentials might have changed'),
      ),
      // The page before the call also has a sign-in link, so its parts must be absent here.
      {
        all: [createTextMatcher('Sign in'), createTextMatcher('your Google Account')],
        none: [
          createPartMatcher('joinButton'),
          createPartMatcher('nameInput'),
          createPartMatcher('leaveButton'),
        ],
      },
    ],
    captcha: rulesForAnyMatcher(createPartMatcher('captchaFrame')),
    'bad link': rulesForAnyMatcher(
      createTextMatcher('Check your meeting code'),
      createTextMatcher('Invalid video call name'),
      createTextMatcher('Your meeting code has expired'),
      createTextMatcher("The meeting code you entered doesn't work"),
    ),
    left: [
      ...rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('leaving'), [
        ...LEFT_WORDS.map((text) => createTextMatcher(text)),
        createPartMatcher('endHeading'),
        createPartMatcher('rejoinButton'),
        ...AT_HOME,
        ELSEWHERE,
      ]),
      // In an unknown language, recognises that the call and the lobby are gone.
      {
        all: [createJoinPhaseMatcher('leaving')],
        none: [...CALL_PARTS, createPartMatcher('leaveButton')],
      },
    ],
    blocked: [
      ...rulesForAnyMatcher(
        createTextMatcher("You can't join this video call"),
        createTextMatcher("You can't join this meeting"),
        createTextMatcher('There is a problem connecting to this video call'),
        createTextMatcher('We encountered a problem joining'),
      ),
      ...rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('arriving', 'knocking'), [
        ELSEWHERE,
        ...AT_HOME,
      ]),
      // Since June 2026: the page turns black half a second after the request to join, and stays black.
      { all: [createJoinPhaseMatcher('knocking'), { by: 'blank' }], steadyMs: 15_000 },
    ],
    away: rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('inside'), [
      ELSEWHERE,
      ...AT_HOME,
    ]),
    emptied: [
      {
        all: [
          createJoinPhaseMatcher('inside'),
          createHistoryMatcher('empty call prompt'),
          createPartMatcher('endHeading'),
        ],
        none: [
          ...CALL_PARTS,
          createTextMatcher('Your host ended the meeting for everyone', 'endHeading'),
        ],
      },
    ],
    ended: [
      ...rulesForAnyMatcher(
        { by: 'wire', end: 'host_ended' },
        createTextMatcher('Your host ended the meeting for everyone', 'endHeading'),
        createTextMatcher('Your host ended the meeting for everyone'),
        createTextMatcher('The call ended'),
        ...LEFT_WORDS.map((text) => createTextMatcher(text)),
      ),
      // Recognises the end in an unknown language.
      {
        all: [createJoinPhaseMatcher('inside'), createPartMatcher('endHeading')],
        none: [...CALL_PARTS],
        steadyMs: 3_000,
      },
    ],
    refused: [
      {
        all: [
          createJoinPhaseMatcher('knocking'),
          createPartMatcher('endHeading'),
          createHistoryMatcher('lobby'),
        ],
        none: [...CALL_PARTS, createPartMatcher('leaveButton')],
      },
    ],
    'refused at once': [
      {
        all: [createJoinPhaseMatcher('knocking'), createPartMatcher('endHeading')],
        none: [...CALL_PARTS, createPartMatcher('leaveButton')],
      },
    ],
    'account in call': [
      {
        all: [createJoinPhaseMatcher('arriving'), createPartMatcher('switchHere')],
        none: [createPartMatcher('joinHereToo')],
      },
    ],
    cookies: [
      {
        all: [{ by: 'address', hosts: [COOKIE_HOST] }, createPartMatcher('cookieReject')],
      },
    ],
    question: [
      ...rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('arriving', 'knocking'), [
        createPartMatcher('permissionDismiss'),
        createPartMatcher('noticeAccept'),
      ]),
      // Before the request to join, the step for that page answers a dialog in an unknown language.
      { all: [createJoinPhaseMatcher('knocking'), createPartMatcher('dialogAnswer')] },
    ],
    'not started': rulesForAnyMatcher(
      createTextMatcher('Waiting for the host to join'),
      createTextMatcher('Please wait until a meeting host brings you into the call'),
    ),
    lobby: [
      ...rulesForAnyMatcher(
        createTextMatcher('Asking to be let in'),
        createTextMatcher("You'll join the call when someone lets you in"),
        createTextMatcher('Please wait until a meeting host brings you'),
        createTextMatcher('Please wait until a meeting host admits you'),
      ),
      // Recognises the lobby in an unknown language.
      {
        all: [createJoinPhaseMatcher('knocking'), createPartMatcher('leaveButton')],
        none: [...CALL_BUTTONS, createPartMatcher('joinButton'), createPartMatcher('endHeading')],
      },
    ],
    'in call': [
      ...rulesForAnyMatcher(...CALL_PARTS),
      ...rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('knocking', 'inside'), [
        createTextMatcher('You have joined the call'),
        createTextMatcher('other person in the call'),
        createTextMatcher('other people in the call'),
      ]),
    ],
    prejoin: rulesForAnyMatcher(
      createPartMatcher('nameInput'),
      createPartMatcher('joinHereToo'),
      createPartMatcher('joinButton'),
    ),
  },
  conditions: {
    alone: rulesForAnyMatcher(
      createTextMatcher("You're the only one here"),
      createTextMatcher('No one else is here'),
      {
        by: 'count',
        count: 1,
      },
    ),
    reconnecting: rulesForAnyMatcher(
      createTextMatcher('Reconnecting'),
      createTextMatcher('Connection lost'),
    ),
    'asked to stay': ASKED_TO_STAY_RULES,
  },
}
