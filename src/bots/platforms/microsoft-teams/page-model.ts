import type { PageModel } from '../page-model/page-states.ts'
import {
  rulesForAnyMatcher,
  rulesForAnyMatcherDuring,
  partMatcher,
  phaseMatcher,
  textMatcher,
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
/** Text that Teams shows when the page fails to load, the lobby request times out, or a call loses its connection. */
const NOT_CONNECTED = "we couldn't connect you"
const AT_HOME: PageMatcher = { by: 'address', hosts: HOSTS, path: '/' }

/** Matchers for a text on an end screen, where it certainly comes from Teams, or anywhere on the page. */
function endScreenText(text: string): PageMatcher[] {
  return [textMatcher(text, 'retryTitle'), textMatcher(text, 'retryDescription'), textMatcher(text)]
}

/** How the states of a Microsoft Teams page are recognised. Alerts are ignored, because most are harmless. */
export const MICROSOFT_TEAMS_PAGE_MODEL: PageModel = {
  parts: MICROSOFT_TEAMS_PARTS,
  userTextParts: ['captionsWrapper', 'chatPanel', 'peopleList', 'stageLayout'],
  expectedInCall: ['hangupButton', 'moreButton', 'rosterButton', 'chatButton'],
  states: {
    denied: rulesForAnyMatcher(
      { by: 'wire', end: 'denied' },
      ...endScreenText('you were denied access to the meeting'),
      ...endScreenText('Your request to join was declined'),
    ),
    // Teams ends a lobby request after a while; this text is confirmed by one source only.
    'no answer': rulesForAnyMatcherDuring(phaseMatcher('knocking'), endScreenText(NOT_CONNECTED)),
    removed: rulesForAnyMatcher(
      { by: 'wire', end: 'removed' },
      ...endScreenText("You've been removed from this meeting"),
      ...endScreenText('Removed from the meeting'),
    ),
    'sign-in': rulesForAnyMatcher(
      { by: 'wire', end: 'sign_in_required' },
      { by: 'address', hosts: SIGN_IN_HOSTS },
      partMatcher('loginForm'),
      ...endScreenText('We need to verify your info before you can join'),
      ...endScreenText('To join, sign in or use Teams on the web'),
      ...endScreenText('You need to be signed in to Teams to access this meeting'),
      ...endScreenText('Sign in to Teams to join, or contact the meeting organizer'),
      ...endScreenText('Due to org policy, you need to sign in'),
      ...endScreenText('To join this meeting, sign in again or select another account'),
    ),
    captcha: rulesForAnyMatcher(textMatcher("Verify you're a real person")),
    'bad link': rulesForAnyMatcher(
      ...endScreenText('Looks like the meeting URL is incorrect'),
      ...endScreenText("We couldn't find a meeting matching this ID and passcode"),
    ),
    left: rulesForAnyMatcherDuring(phaseMatcher('leaving'), [
      partMatcher('retryScreen'),
      textMatcher('Did you leave by mistake?'),
      textMatcher('Meetings are just one tool in our belt'),
      AT_HOME,
      ELSEWHERE,
    ]),
    blocked: rulesForAnyMatcherDuring(phaseMatcher('arriving', 'knocking'), [ELSEWHERE, AT_HOME]),
    away: rulesForAnyMatcherDuring(phaseMatcher('inside'), [
      ELSEWHERE,
      AT_HOME,
      ...endScreenText(NOT_CONNECTED),
    ]),
    'not connected': rulesForAnyMatcherDuring(
      phaseMatcher('arriving'),
      endScreenText(NOT_CONNECTED),
    ),
    'encryption failed': rulesForAnyMatcher(
      partMatcher('encryptionScreen'),
      ...endScreenText('An encryption error occurred'),
    ),
    ended: [
      ...rulesForAnyMatcher(
        { by: 'wire', end: 'host_ended' },
        ...endScreenText('The meeting has ended'),
        ...endScreenText('Call ended'),
        ...endScreenText('Did you leave by mistake?'),
        textMatcher('Meetings are just one tool in our belt'),
      ),
      // Recognises the end of the call when the page is in a language whose texts are unknown.
      {
        all: [phaseMatcher('inside'), partMatcher('retryScreen')],
        none: [partMatcher('hangupButton')],
        steadyMs: 3_000,
      },
    ],
    refused: [
      {
        all: [phaseMatcher('knocking'), partMatcher('retryScreen')],
        none: [partMatcher('hangupButton'), partMatcher('lobbyScreen')],
      },
    ],
    'not started': rulesForAnyMatcher(
      textMatcher("When the meeting starts, we'll let people know you're waiting"),
      textMatcher('Waiting for the organizer'),
      textMatcher('External participants are not permitted to join before the event begins'),
    ),
    lobby: [
      ...rulesForAnyMatcher(
        partMatcher('lobbyScreen'),
        textMatcher('Someone will let you in shortly'),
        textMatcher('Someone will let you in soon'),
        textMatcher('someone in the meeting should let you in soon'),
        textMatcher('Waiting to be admitted'),
        textMatcher('va bientôt vous admettre'),
        textMatcher('Warten auf Zulassung'),
      ),
      ...rulesForAnyMatcherDuring(phaseMatcher('knocking'), [textMatcher('En attente')]),
      { all: [partMatcher('lobbyTrace')], none: [partMatcher('hangupButton')] },
    ],
    'in call': rulesForAnyMatcher(partMatcher('hangupButton')),
    question: rulesForAnyMatcher(partMatcher('devicesDismiss')),
    launcher: rulesForAnyMatcher(partMatcher('joinOnWeb')),
    prejoin: rulesForAnyMatcher(partMatcher('nameInput'), partMatcher('joinButton')),
    loading: rulesForAnyMatcher(partMatcher('loadingScreen')),
  },
  conditions: {
    alone: rulesForAnyMatcher(
      textMatcher('Waiting for others to join'),
      textMatcher("You're the only one here"),
      {
        by: 'count',
        count: 1,
      },
    ),
    reconnecting: rulesForAnyMatcher(textMatcher('Reconnecting')),
  },
}
