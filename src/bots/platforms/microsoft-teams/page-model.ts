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
import { TEAMS_HOSTS } from '../platform-info.ts'
import { MICROSOFT_TEAMS_PARTS } from './selectors.ts'

const SIGN_IN_HOSTS = [
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.live.com',
  'login.microsoft.com',
]
/** The page is at home, or at another website. */
const AWAY: readonly PageMatcher[] = [
  { by: 'elsewhere', hosts: [...TEAMS_HOSTS, ...SIGN_IN_HOSTS] },
  { by: 'address', hosts: [...TEAMS_HOSTS], path: '/' },
]
/** Text that Teams shows if the page fails to load, the lobby request times out, or a call loses its connection. */
const NOT_CONNECTED = "we couldn't connect you"

const NOT_WAITING = [hasPart('hangupButton'), hasPart('lobbyScreen')]

/** Matches a text on an end screen, where it certainly comes from Teams, or anywhere on the page. */
function endScreenText(text: string): PageMatcher[] {
  return [hasText(text, 'retryTitle'), hasText(text, 'retryDescription'), hasText(text)]
}

/** How the states of a Microsoft Teams page are recognised. Alerts are ignored, because most are harmless. */
export const MICROSOFT_TEAMS_PAGE_MODEL: PageModel = {
  parts: MICROSOFT_TEAMS_PARTS,
  userTextParts: ['captionsWrapper', 'chatPanel', 'peopleList', 'stageLayout'],
  expectedInCall: ['hangupButton', 'moreButton', 'rosterButton', 'chatButton'],
  prompts: createPrompts('devicesDismiss', 'addDevice'),
  states: {
    denied: anyOf(
      { by: 'wire', end: 'denied' },
      ...endScreenText('you were denied access to the meeting'),
      ...endScreenText('Your request to join was declined'),
    ),
    // Teams ends a lobby request after a while. Only one source confirms this text.
    'no answer': endScreenText(NOT_CONNECTED).map((text) => ({
      all: [inPhase('knocking'), hasShown('lobby'), text],
    })),
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
    left: anyOfIn(
      ['leaving'],
      hasPart('retryScreen'),
      hasText('Did you leave by mistake?'),
      hasText('Meetings are just one tool in our belt'),
      ...AWAY,
    ),
    // Tenants can refuse bots that Teams detects. No public source shows the text of that screen.
    blocked: anyOfIn(
      ['arriving', 'knocking'],
      ...AWAY,
      ...endScreenText('detected as a bot'),
      ...endScreenText("bots aren't allowed in this meeting"),
    ),
    away: anyOfIn(['inside'], ...AWAY, ...endScreenText(NOT_CONNECTED)),
    // The bot was not in the lobby, so no participant can have refused it.
    'not connected': anyOfIn(['arriving', 'knocking'], ...endScreenText(NOT_CONNECTED)),
    'encryption failed': anyOf(
      hasPart('encryptionScreen'),
      ...endScreenText('An encryption error occurred'),
    ),
    emptied: anyOf({ by: 'wire', end: 'host_ended' }, hasPart('retryScreen')).map(({ all }) => ({
      all: [inPhase('inside'), hasShown('empty call prompt'), ...all],
    })),
    ended: [
      ...anyOf(
        { by: 'wire', end: 'host_ended' },
        ...endScreenText('The meeting has ended'),
        ...endScreenText('Call ended'),
        ...endScreenText('Did you leave by mistake?'),
        hasText('Meetings are just one tool in our belt'),
      ),
      // Recognises the end of the call on a page in an unknown language.
      {
        all: [inPhase('inside'), hasPart('retryScreen')],
        none: [hasPart('hangupButton')],
        steadyMs: 3_000,
      },
    ],
    refused: [
      { all: [inPhase('knocking'), hasPart('retryScreen'), hasShown('lobby')], none: NOT_WAITING },
    ],
    'refused at once': [{ all: [inPhase('knocking'), hasPart('retryScreen')], none: NOT_WAITING }],
    'account in call': [
      {
        all: [inPhase('arriving', 'knocking'), hasPart('transferCall')],
        none: [hasPart('addDevice')],
      },
    ],
    cookies: anyOfIn(['arriving', 'knocking'], hasPart('cookieReject')),
    question: [
      ...anyOfIn(['arriving', 'knocking'], hasPart('devicesDismiss'), hasPart('addDevice')),
      ...anyOfIn(['knocking'], hasPart('noticeAccept'), hasPart('dialogAnswer')),
    ],
    'not started': anyOf(
      hasText('Someone will let you in when the meeting starts'),
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
      ...anyOfIn(['knocking'], hasText('En attente')),
      { all: [hasPart('lobbyTrace')], none: [hasPart('hangupButton')] },
    ],
    'in call': anyOf(hasPart('hangupButton')),
    launcher: anyOf(hasPart('joinOnWeb')),
    prejoin: anyOf(hasPart('nameInput'), hasPart('joinButton')),
    loading: anyOf(hasPart('loadingScreen')),
  },
  conditions: {
    alone: anyOf(
      ALONE_BY_COUNT,
      hasText('Waiting for others to join'),
      hasText("You're the only one here"),
    ),
    reconnecting: anyOf(hasText('Reconnecting')),
    'asked to stay': ASKED_TO_STAY_RULES,
  },
}
