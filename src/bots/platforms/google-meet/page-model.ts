import {
  ALONE_BY_COUNT,
  ASKED_TO_STAY_RULES,
  createPrompts,
  type PageModel,
} from '../page-model/page-states.ts'
import {
  anyOf,
  anyOfIn,
  hasShown,
  hasPart,
  inPhase,
  hasText,
  type PageMatcher,
} from '../page-model/state-rules.ts'
import { GOOGLE_MEET_PARTS } from './selectors.ts'

const HOST = 'meet.google.com'
const COOKIE_HOST = 'consent.google.com'
/** The page is at home, or at another website. */
const AWAY: readonly PageMatcher[] = [
  { by: 'elsewhere', hosts: [HOST, 'accounts.google.com', COOKIE_HOST] },
  { by: 'address', hosts: [HOST], path: '/' },
  { by: 'address', hosts: [HOST], path: '/landing' },
]
const LEFT_TEXTS = [hasText('You left the meeting'), hasText("You've left the call")]

/** Buttons that only the call has. The lobby too has leave, microphone and camera buttons, and the bot's own tile. */
const CALL_BUTTONS = ['captionsButton', 'chatButton', 'peopleButton'].map(hasPart)
const CALL_PARTS = [...CALL_BUTTONS, hasPart('otherTile')]
const NOT_IN_CALL = [...CALL_PARTS, hasPart('leaveButton')]

/** How the states of a Google Meet page are recognised. */
export const GOOGLE_MEET_PAGE_MODEL: PageModel = {
  parts: GOOGLE_MEET_PARTS,
  userTextParts: ['captionsRegion', 'chatPanel', 'sidePanel', 'tile'],
  expectedInCall: ['leaveButton', 'captionsButton', 'chatButton', 'peopleButton', 'moreButton'],
  prompts: createPrompts('permissionDismiss'),
  states: {
    denied: [
      ...anyOf(
        { by: 'wire', end: 'denied' },
        hasText('Someone in the call denied your request to join'),
        hasText('denied your request'),
        hasText("You weren't allowed to join"),
      ),
      // After a denied request, Google Meet shows the text for a bot that has left.
      ...anyOfIn(['knocking'], ...LEFT_TEXTS),
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
      // The page before the call also has a sign-in link, so its parts must be absent here.
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
    left: [
      ...anyOfIn(
        ['leaving'],
        ...LEFT_TEXTS,
        hasPart('endHeading'),
        hasPart('rejoinButton'),
        ...AWAY,
      ),
      // In an unknown language, recognises that the call and the lobby are gone.
      { all: [inPhase('leaving')], none: NOT_IN_CALL },
    ],
    blocked: [
      ...anyOf(
        hasText("You can't join this video call"),
        hasText("You can't join this meeting"),
        hasText('There is a problem connecting to this video call'),
        hasText('We encountered a problem joining'),
      ),
      ...anyOfIn(['arriving', 'knocking'], ...AWAY),
      // Since June 2026: the page turns black half a second after the request to join, and stays black.
      { all: [inPhase('knocking'), { by: 'blank' }], steadyMs: 15_000 },
    ],
    away: anyOfIn(['inside'], ...AWAY),
    emptied: [
      {
        all: [inPhase('inside'), hasShown('empty call prompt'), hasPart('endHeading')],
        none: [...CALL_PARTS, hasText('Your host ended the meeting for everyone', 'endHeading')],
      },
    ],
    ended: [
      ...anyOf(
        { by: 'wire', end: 'host_ended' },
        hasText('Your host ended the meeting for everyone', 'endHeading'),
        hasText('Your host ended the meeting for everyone'),
        hasText('The call ended'),
        ...LEFT_TEXTS,
      ),
      // Recognises the end in an unknown language.
      { all: [inPhase('inside'), hasPart('endHeading')], none: CALL_PARTS, steadyMs: 3_000 },
    ],
    refused: [
      {
        all: [inPhase('knocking'), hasPart('endHeading'), hasShown('lobby')],
        none: NOT_IN_CALL,
      },
    ],
    'refused at once': [{ all: [inPhase('knocking'), hasPart('endHeading')], none: NOT_IN_CALL }],
    'account in call': [
      { all: [inPhase('arriving'), hasPart('switchHere')], none: [hasPart('joinHereToo')] },
    ],
    cookies: [{ all: [{ by: 'address', hosts: [COOKIE_HOST] }, hasPart('cookieReject')] }],
    question: [
      ...anyOfIn(['arriving', 'knocking'], hasPart('permissionDismiss'), hasPart('noticeAccept')),
      // Before the request to join, the step for that page answers a dialog in an unknown language.
      { all: [inPhase('knocking'), hasPart('dialogAnswer')] },
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
        hasText('Please wait until a meeting host admits you'),
      ),
      // Recognises the lobby in an unknown language.
      {
        all: [inPhase('knocking'), hasPart('leaveButton')],
        none: [...CALL_BUTTONS, hasPart('joinButton'), hasPart('endHeading')],
      },
    ],
    'in call': [
      ...anyOf(...CALL_PARTS),
      ...anyOfIn(
        ['knocking', 'inside'],
        hasText('You have joined the call'),
        hasText('other person in the call'),
        hasText('other people in the call'),
      ),
    ],
    prejoin: anyOf(hasPart('nameInput'), hasPart('joinHereToo'), hasPart('joinButton')),
  },
  conditions: {
    alone: anyOf(
      ALONE_BY_COUNT,
      hasText("You're the only one here"),
      hasText('No one else is here'),
    ),
    reconnecting: anyOf(hasText('Reconnecting'), hasText('Connection lost')),
    'asked to stay': ASKED_TO_STAY_RULES,
  },
}
