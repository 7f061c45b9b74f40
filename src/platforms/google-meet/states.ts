import type { PageTable } from '../page/decide.ts'
import { any, during, part, phase, words, type Mark } from '../page/marks.ts'
import { GOOGLE_MEET_PARTS } from './selectors.ts'

const HOST = 'meet.google.com'
const AT_HOME: readonly Mark[] = ['/', '/landing'].map((path) => ({
  by: 'address',
  hosts: [HOST],
  path,
}))
const ELSEWHERE: Mark = { by: 'elsewhere', hosts: [HOST, 'accounts.google.com'] }
const LEFT_WORDS = ['You left the meeting', "You've left the call"]

/** Only the call has these. Leave, microphone, camera and a tile with our own picture are in the lobby too. */
const CALL_PARTS: readonly Mark[] = [
  part('captionsButton'),
  part('chatButton'),
  part('peopleButton'),
  part('otherTile'),
]

/** By what the states of Google Meet are known. */
export const GOOGLE_MEET_PAGE: PageTable = {
  parts: GOOGLE_MEET_PARTS,
  spoken: ['captionsRegion', 'chatPanel', 'sidePanel', 'tile'],
  checked: ['leaveButton', 'captionsButton', 'chatButton', 'peopleButton', 'moreButton'],
  states: {
    denied: [
      ...any(
        { by: 'wire', end: 'denied' },
        words('Someone in the call denied your request to join'),
        words('denied your request'),
        words("You weren't allowed to join"),
      ),
      // Who is turned away is told that they left.
      ...during(
        phase('knocking'),
        LEFT_WORDS.map((text) => words(text)),
      ),
    ],
    'no answer': any(words('No one responded to your request to join')),
    removed: any(
      { by: 'wire', end: 'removed' },
      words("You've been removed from the meeting", 'endHeading'),
      words("You've been removed from the meeting"),
    ),
    'sign-in': [
      ...any(
        { by: 'address', hosts: ['accounts.google.com'] },
        words('Your sign-in credentials might have changed'),
      ),
      // The way in has a link for signing in, too.
      {
        all: [words('Sign in'), words('your Google Account')],
        none: [part('joinButton'), part('nameInput'), part('leaveButton')],
      },
    ],
    captcha: any(part('captchaFrame')),
    'bad link': any(
      words('Check your meeting code'),
      words('Invalid video call name'),
      words('Your meeting code has expired'),
      words("The meeting code you entered doesn't work"),
    ),
    left: during(phase('leaving'), [
      ...LEFT_WORDS.map((text) => words(text)),
      part('endHeading'),
      part('rejoinButton'),
      ...AT_HOME,
      ELSEWHERE,
    ]),
    blocked: [
      ...any(
        words("You can't join this video call"),
        words("You can't join this meeting"),
        words('There is a problem connecting to this video call'),
        words('We encountered a problem joining'),
      ),
      ...during(phase('arriving', 'knocking'), [ELSEWHERE, ...AT_HOME]),
      // Seen since June 2026: the page goes black half a second after the knock, and stays so.
      { all: [phase('knocking'), { by: 'blank' }], steadyMs: 15_000 },
    ],
    away: during(phase('inside'), [ELSEWHERE, ...AT_HOME]),
    ended: [
      ...any(
        { by: 'wire', end: 'host_ended' },
        words('Your host ended the meeting for everyone', 'endHeading'),
        words('Your host ended the meeting for everyone'),
        words('The call ended'),
        ...LEFT_WORDS.map((text) => words(text)),
      ),
      // In a language that is not known here.
      { all: [phase('inside'), part('endHeading')], none: [...CALL_PARTS], steadyMs: 3_000 },
    ],
    refused: [
      { all: [phase('knocking'), part('endHeading')], none: [...CALL_PARTS, part('leaveButton')] },
    ],
    'not started': any(
      words('Waiting for the host to join'),
      words('Please wait until a meeting host brings you into the call'),
    ),
    lobby: [
      ...any(
        words('Asking to be let in'),
        words("You'll join the call when someone lets you in"),
        words('Please wait until a meeting host brings you'),
      ),
      // In a language that is not known here.
      {
        all: [phase('knocking'), part('leaveButton')],
        none: [...CALL_PARTS, part('joinButton'), part('noticeAccept'), part('endHeading')],
      },
    ],
    'in call': [
      ...any(...CALL_PARTS),
      ...during(phase('knocking', 'inside'), [
        words('You have joined the call'),
        words('other person in the call'),
        words('other people in the call'),
      ]),
    ],
    question: any(part('permissionDismiss'), part('noticeAccept')),
    prejoin: any(part('nameInput'), part('joinButton')),
  },
  conditions: {
    alone: any(words("You're the only one here"), words('No one else is here'), {
      by: 'count',
      count: 1,
    }),
    reconnecting: any(words('Reconnecting'), words('Connection lost')),
  },
}
