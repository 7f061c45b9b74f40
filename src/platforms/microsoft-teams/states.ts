import type { PageTable } from '../page/decide.ts'
import { any, during, part, phase, words, type Mark } from '../page/marks.ts'
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
const ELSEWHERE: Mark = { by: 'elsewhere', hosts: [...HOSTS, ...SIGN_IN_HOSTS] }
/** A page that never came to anything, a knock that nobody answers, or a call whose connection is lost. */
const NOT_CONNECTED = "we couldn't connect you"
const AT_HOME: Mark = { by: 'address', hosts: HOSTS, path: '/' }

/** On the screen for ends, where they are the platform's for certain, and anywhere on the page. */
function ending(text: string): Mark[] {
  return [words(text, 'retryTitle'), words(text, 'retryDescription'), words(text)]
}

/** By what the states of Microsoft Teams are known. Alerts are not among it: most are harmless. */
export const MICROSOFT_TEAMS_PAGE: PageTable = {
  parts: MICROSOFT_TEAMS_PARTS,
  spoken: ['captionsWrapper', 'chatPanel', 'peopleList', 'stageLayout'],
  checked: ['hangupButton', 'moreButton', 'rosterButton', 'chatButton'],
  states: {
    denied: any(
      { by: 'wire', end: 'denied' },
      ...ending('you were denied access to the meeting'),
      ...ending('Your request to join was declined'),
    ),
    // The lobby gives up after a while; its words for that are known from one source only.
    'no answer': during(phase('knocking'), ending(NOT_CONNECTED)),
    removed: any(
      { by: 'wire', end: 'removed' },
      ...ending("You've been removed from this meeting"),
      ...ending('Removed from the meeting'),
    ),
    'sign-in': any(
      { by: 'wire', end: 'sign_in_required' },
      { by: 'address', hosts: SIGN_IN_HOSTS },
      part('loginForm'),
      ...ending('We need to verify your info before you can join'),
      ...ending('To join, sign in or use Teams on the web'),
      ...ending('You need to be signed in to Teams to access this meeting'),
      ...ending('Sign in to Teams to join, or contact the meeting organizer'),
      ...ending('Due to org policy, you need to sign in'),
      ...ending('To join this meeting, sign in again or select another account'),
    ),
    captcha: any(words("Verify you're a real person")),
    'bad link': any(
      ...ending('Looks like the meeting URL is incorrect'),
      ...ending("We couldn't find a meeting matching this ID and passcode"),
    ),
    left: during(phase('leaving'), [
      part('retryScreen'),
      words('Did you leave by mistake?'),
      words('Meetings are just one tool in our belt'),
      AT_HOME,
      ELSEWHERE,
    ]),
    blocked: during(phase('arriving', 'knocking'), [ELSEWHERE, AT_HOME]),
    away: during(phase('inside'), [ELSEWHERE, AT_HOME, ...ending(NOT_CONNECTED)]),
    'not connected': during(phase('arriving'), ending(NOT_CONNECTED)),
    'encryption failed': any(part('encryptionScreen'), ...ending('An encryption error occurred')),
    ended: [
      ...any(
        { by: 'wire', end: 'host_ended' },
        ...ending('The meeting has ended'),
        ...ending('Call ended'),
        ...ending('Did you leave by mistake?'),
        words('Meetings are just one tool in our belt'),
      ),
      // In a language that is not known here.
      {
        all: [phase('inside'), part('retryScreen')],
        none: [part('hangupButton')],
        steadyMs: 3_000,
      },
    ],
    refused: [
      {
        all: [phase('knocking'), part('retryScreen')],
        none: [part('hangupButton'), part('lobbyScreen')],
      },
    ],
    'not started': any(
      words("When the meeting starts, we'll let people know you're waiting"),
      words('Waiting for the organizer'),
      words('External participants are not permitted to join before the event begins'),
    ),
    lobby: [
      ...any(
        part('lobbyScreen'),
        words('Someone will let you in shortly'),
        words('Someone will let you in soon'),
        words('someone in the meeting should let you in soon'),
        words('Waiting to be admitted'),
        words('va bientôt vous admettre'),
        words('Warten auf Zulassung'),
      ),
      ...during(phase('knocking'), [words('En attente')]),
      { all: [part('lobbyTrace')], none: [part('hangupButton')] },
    ],
    'in call': any(part('hangupButton')),
    question: any(part('devicesDismiss')),
    launcher: any(part('joinOnWeb')),
    prejoin: any(part('nameInput'), part('joinButton')),
    loading: any(part('loadingScreen')),
  },
  conditions: {
    alone: any(words('Waiting for others to join'), words("You're the only one here"), {
      by: 'count',
      count: 1,
    }),
    reconnecting: any(words('Reconnecting')),
  },
}
