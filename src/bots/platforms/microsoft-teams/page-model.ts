import type { PageModel } from '../page-model/page-states.ts'
import {
  anyOf,
  anyOfDuring,
  hasPart,
  inPhase,
  hasText,
  type PageMatcher,
} from '../page-model/state-rules.ts'
import { MICROSOFT_TEAMS_PARTS } from './selectors.ts'

const HOSTS = [
  'teams.microsoft.com',
  'teams.live.com',
  'teams.cloud.microsoft',
  'teams.microsoft.us',
]
const SIGN_IN_HOSTS = [
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.live.com',
  'login.microsoft.com',
]
const ELSEWHERE: PageMatcher = { by: 'elsewhere', hosts: [...HOSTS, ...SIGN_IN_HOSTS] }
/** Shown when the page fails to load, when the lobby request times out, and when a call loses its connection. */
const NOT_CONNECTED = "we couldn't connect you"
const AT_HOME: PageMatcher = { by: 'address', hosts: HOSTS, path: '/' }

/** The text on an end screen, where it certainly comes from Teams, or anywhere on the page. */
function endScreenText(text: string): PageMatcher[] {
  return [hasText(text, 'retryTitle'), hasText(text, 'retryDescription'), hasText(text)]
}

/** How the states of a Microsoft Teams page are recognised. Alerts are ignored, because most are harmless. */
export const MICROSOFT_TEAMS_PAGE_MODEL: PageModel = {
  parts: MICROSOFT_TEAMS_PARTS,
  userTextParts: ['captionsWrapper', 'chatPanel', 'peopleList', 'stageLayout'],
  expectedInCall: ['hangupButton', 'moreButton', 'rosterButton', 'chatButton'],
  states: {
    denied: anyOf(
      { by: 'wire', end: 'denied' },
      ...endScreenText('you were denied access to the meeting'),
      ...endScreenText('Your request to join was declined'),
    ),
    // Teams ends a lobby request after a while; this text is confirmed by one source only.
    'no answer': anyOfDuring(inPhase('knocking'), endScreenText(NOT_CONNECTED)),
    removed: anyOf(
      { by: 'wire', end: 'removed' },
      ...endScreenText("You've been removed from this meeting"),
      ...endScreenText('Removed from the meeting'),
    ),
    'sign-in': anyOf(
      { by: 'wire', end: 'sign_in_required' },
      { by: 'address', hosts: SIGN_IN_HOSTS },
      hasPart('loginForm'),
      ...endScreenText('We need to verify your info before you can join'),
      ...endScreenText('To join, sign in or use Teams on the web'),
      ...endScreenText('You need to be signed in to Teams to access this meeting'),
      ...endScreenText('Sign in to Teams to join, or contact the meeting organizer'),
      ...endScreenText('Due to org policy, you need to sign in'),
      ...endScreenText('To join this meeting, sign in again or select another account'),
    ),
    captcha: anyOf(hasText("Verify you're a real person")),
    'bad link': anyOf(
      ...endScreenText('Looks like the meeting URL is incorrect'),
      ...endScreenText("We couldn't find a meeting matching this ID and passcode"),
    ),
    left: anyOfDuring(inPhase('leaving'), [
      hasPart('retryScreen'),
      hasText('Did you leave by mistake?'),
      hasText('Meetings are just one tool in our belt'),
      AT_HOME,
      ELSEWHERE,
    ]),
    blocked: anyOfDuring(inPhase('arriving', 'knocking'), [ELSEWHERE, AT_HOME]),
    away: anyOfDuring(inPhase('inside'), [ELSEWHERE, AT_HOME, ...endScreenText(NOT_CONNECTED)]),
    'not connected': anyOfDuring(inPhase('arriving'), endScreenText(NOT_CONNECTED)),
    'encryption failed': anyOf(
      hasPart('encryptionScreen'),
      ...endScreenText('An encryption error occurred'),
    ),
    ended: [
      ...anyOf(
        { by: 'wire', end: 'host_ended' },
        ...endScreenText('The meeting has ended'),
        ...endScreenText('Call ended'),
        ...endScreenText('Did you leave by mistake?'),
        hasText('Meetings are just one tool in our belt'),
      ),
      // Recognises the end in an unknown language.
      {
        all: [inPhase('inside'), hasPart('retryScreen')],
        none: [hasPart('hangupButton')],
        steadyMs: 3_000,
      },
    ],
    refused: [
      {
        all: [inPhase('knocking'), hasPart('retryScreen')],
        none: [hasPart('hangupButton'), hasPart('lobbyScreen')],
      },
    ],
    'not started': anyOf(
      hasText("When the meeting starts, we'll let people know you're waiting"),
      hasText('Waiting for the organizer'),
      hasText('External participants are not permitted to join before the event begins'),
    ),
    lobby: [
      ...anyOf(
        hasPart('lobbyScreen'),
        hasText('Someone will let you in shortly'),
        hasText('Someone will let you in soon'),
        hasText('someone in the meeting should let you in soon'),
        hasText('Waiting to be admitted'),
        hasText('va bientôt vous admettre'),
        hasText('Warten auf Zulassung'),
      ),
      ...anyOfDuring(inPhase('knocking'), [hasText('En attente')]),
      { all: [hasPart('lobbyTrace')], none: [hasPart('hangupButton')] },
    ],
    'in call': anyOf(hasPart('hangupButton')),
    question: anyOf(hasPart('devicesDismiss')),
    launcher: anyOf(hasPart('joinOnWeb')),
    prejoin: anyOf(hasPart('nameInput'), hasPart('joinButton')),
    loading: anyOf(hasPart('loadingScreen')),
  },
  conditions: {
    alone: anyOf(hasText('Waiting for others to join'), hasText("You're the only one here"), {
      by: 'count',
      count: 1,
    }),
    reconnecting: anyOf(hasText('Reconnecting')),
  },
}
