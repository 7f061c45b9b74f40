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
/** Text that Teams shows if the page fails to load, the lobby request times out, or a call loses its connection. */
const NOT_CONNECTED = "we couldn't connect you"
const AT_HOME: PageMatcher = { by: 'address', hosts: HOSTS, path: '/' }

/** Matches a text on an end screen, where it certainly comes from Teams, or anywhere on the page. */
function endScreenText(text: string): PageMatcher[] {
  return [
    createTextMatcher(text, 'retryTitle'),
    createTextMatcher(text, 'retryDescription'),
    createTextMatcher(text),
  ]
}

/** How the states of a Microsoft Teams page are recognised. Alerts are ignored, because most are harmless. */
export const MICROSOFT_TEAMS_PAGE_MODEL: PageModel = {
  parts: MICROSOFT_TEAMS_PARTS,
  userTextParts: ['captionsWrapper', 'chatPanel', 'peopleList', 'stageLayout'],
  expectedInCall: ['hangupButton', 'moreButton', 'rosterButton', 'chatButton'],
  prompts: createPrompts('devicesDismiss', 'addDevice'),
  states: {
    denied: rulesForAnyMatcher(
      { by: 'wire', end: 'denied' },
      ...endScreenText('you were denied access to the meeting'),
      ...endScreenText('Your request to join was declined'),
    ),
    // Teams ends a lobby request after a while. Only one source confirms this text.
    'no answer': endScreenText(NOT_CONNECTED).map((text) => ({
      all: [createJoinPhaseMatcher('knocking'), createHistoryMatcher('lobby'), text],
    })),
    removed: rulesForAnyMatcher(
      { by: 'wire', end: 'removed' },
      ...endScreenText("You've been removed from this meeting"),
      ...endScreenText('Removed from the meeting'),
    ),
    'sign-in': rulesForAnyMatcher(
      { by: 'wire', end: 'sign_in_required' },
      { by: 'address', hosts: SIGN_IN_HOSTS },
      createPartMatcher('loginForm'),
      ...endScreenText('We need to verify your info before you can join'),
      ...endScreenText('To join, sign in or use Teams on the web'),
      ...endScreenText('You need to be signed in to Teams to access this meeting'),
      ...endScreenText('Sign in to Teams to join, or contact the meeting organizer'),
      ...endScreenText('Due to org policy, you need to sign in'),
      ...endScreenText('To join this meeting, sign in again or select another account'),
    ),
    captcha: rulesForAnyMatcher(createTextMatcher("Verify you're a real person")),
    'bad link': rulesForAnyMatcher(
      ...endScreenText('Looks like the meeting URL is incorrect'),
      ...endScreenText("We couldn't find a meeting matching this ID and passcode"),
    ),
    left: rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('leaving'), [
      createPartMatcher('retryScreen'),
      createTextMatcher('Did you leave by mistake?'),
      createTextMatcher('Meetings are just one tool in our belt'),
      AT_HOME,
      ELSEWHERE,
    ]),
    // Tenants can refuse bots that Teams detects. No public source shows the text of that screen.
    blocked: rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('arriving', 'knocking'), [
      ELSEWHERE,
      AT_HOME,
      ...endScreenText('detected as a bot'),
      ...endScreenText("bots aren't allowed in this meeting"),
    ]),
    away: rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('inside'), [
      ELSEWHERE,
      AT_HOME,
      ...endScreenText(NOT_CONNECTED),
    ]),
    // The bot was not in the lobby, so no participant can have refused it.
    'not connected': rulesForAnyMatcherWithCondition(
      createJoinPhaseMatcher('arriving', 'knocking'),
      endScreenText(NOT_CONNECTED),
    ),
    'encryption failed': rulesForAnyMatcher(
      createPartMatcher('encryptionScreen'),
      ...endScreenText('An encryption error occurred'),
    ),
    emptied: rulesForAnyMatcher(
      { by: 'wire', end: 'host_ended' },
      createPartMatcher('retryScreen'),
    ).map(({ all }) => ({
      all: [createJoinPhaseMatcher('inside'), createHistoryMatcher('empty call prompt'), ...all],
    })),
    ended: [
      ...rulesForAnyMatcher(
        { by: 'wire', end: 'host_ended' },
        ...endScreenText('The meeting has ended'),
        ...endScreenText('Call ended'),
        ...endScreenText('Did you leave by mistake?'),
        createTextMatcher('Meetings are just one tool in our belt'),
      ),
      // Recognises the end of the call on a page in an unknown language.
      {
        all: [createJoinPhaseMatcher('inside'), createPartMatcher('retryScreen')],
        none: [createPartMatcher('hangupButton')],
        steadyMs: 3_000,
      },
    ],
    refused: [
      {
        all: [
          createJoinPhaseMatcher('knocking'),
          createPartMatcher('retryScreen'),
          createHistoryMatcher('lobby'),
        ],
        none: [createPartMatcher('hangupButton'), createPartMatcher('lobbyScreen')],
      },
    ],
    'refused at once': [
      {
        all: [createJoinPhaseMatcher('knocking'), createPartMatcher('retryScreen')],
        none: [createPartMatcher('hangupButton'), createPartMatcher('lobbyScreen')],
      },
    ],
    'account in call': [
      {
        all: [createJoinPhaseMatcher('arriving', 'knocking'), createPartMatcher('transferCall')],
        none: [createPartMatcher('addDevice')],
      },
    ],
    cookies: rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('arriving', 'knocking'), [
      createPartMatcher('cookieReject'),
    ]),
    question: [
      ...rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('arriving', 'knocking'), [
        createPartMatcher('devicesDismiss'),
        createPartMatcher('addDevice'),
      ]),
      ...rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('knocking'), [
        createPartMatcher('noticeAccept'),
        createPartMatcher('dialogAnswer'),
      ]),
    ],
    'not started': rulesForAnyMatcher(
      createTextMatcher('Someone will let you in when the meeting starts'),
      createTextMatcher("When the meeting starts, we'll let people know you're waiting"),
      createTextMatcher('Waiting for the organizer'),
      createTextMatcher('External participants are not permitted to join before the event begins'),
    ),
    lobby: [
      ...rulesForAnyMatcher(
        createPartMatcher('lobbyScreen'),
        createTextMatcher('Someone will let you in shortly'),
        createTextMatcher('Someone will let you in soon'),
        createTextMatcher('someone in the meeting should let you in soon'),
        createTextMatcher('Waiting to be admitted'),
        createTextMatcher('va bientôt vous admettre'),
        createTextMatcher('Warten auf Zulassung'),
      ),
      ...rulesForAnyMatcherWithCondition(createJoinPhaseMatcher('knocking'), [
        createTextMatcher('En attente'),
      ]),
      { all: [createPartMatcher('lobbyTrace')], none: [createPartMatcher('hangupButton')] },
    ],
    'in call': rulesForAnyMatcher(createPartMatcher('hangupButton')),
    launcher: rulesForAnyMatcher(createPartMatcher('joinOnWeb')),
    prejoin: rulesForAnyMatcher(createPartMatcher('nameInput'), createPartMatcher('joinButton')),
    loading: rulesForAnyMatcher(createPartMatcher('loadingScreen')),
  },
  conditions: {
    alone: rulesForAnyMatcher(
      createTextMatcher('Waiting for others to join'),
      createTextMatcher("You're the only one here"),
      {
        by: 'count',
        count: 1,
      },
    ),
    reconnecting: rulesForAnyMatcher(createTextMatcher('Reconnecting')),
    'asked to stay': ASKED_TO_STAY_RULES,
  },
}
