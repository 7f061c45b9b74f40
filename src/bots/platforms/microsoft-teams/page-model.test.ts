import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { decidePageState } from '../page-model/page-states.ts'
import type { PageSnapshot } from '../page-model/state-rules.ts'
import { STRATEGY_SCHEMA } from '../page-model/find-strategies.ts'
import { MICROSOFT_TEAMS_PARTS } from './selectors.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from './page-model.ts'

const ROOM = 'https://teams.microsoft.com/v2/?meetingjoin=true#/meet/2512345678901?p=abc'

function at(more: Partial<PageSnapshot>): PageSnapshot {
  const nothing = { words: '', parts: {}, count: null, wireEndReason: null }
  return { address: ROOM, phase: 'knocking', ...nothing, ...more }
}

function stateOf(more: Partial<PageSnapshot>): string {
  const { state, because } = decidePageState(MICROSOFT_TEAMS_PAGE_MODEL, at(more))
  return because === null ? state : `${state}: ${because}`
}

const DENIED = 'denied: denied'
const SIGN_IN = 'sign-in: sign_in_required'
const REMOVED = 'removed: removed'
const ENDED = 'ended: host_ended'
const NOT_FOUND = 'bad link: meeting_not_found'
const AT_ONCE = 'refused at once: blocked_by_platform'

/** Snapshots of known screens, each with the expected state and end reason. */
const SCREENS: ReadonlyArray<[Partial<PageSnapshot>, string]> = [
  [{ phase: 'arriving', parts: { joinOnWeb: '' } }, 'launcher'],
  [{ phase: 'arriving', parts: { loadingScreen: '' } }, 'loading'],
  [{ phase: 'arriving', parts: { nameInput: '', joinButton: '' } }, 'prejoin'],
  [{ phase: 'arriving', parts: { devicesDismiss: '', joinButton: '' } }, 'question'],
  [{ words: 'Someone will let you in shortly' }, 'lobby'],
  [{ words: 'Someone will let you in soon' }, 'lobby'],
  [{ words: 'Someone in the meeting should let you in soon' }, 'lobby'],
  [{ words: 'Hi Hansard, someone in the meeting should let you in soon' }, 'lobby'],
  [{ words: 'Waiting to be admitted' }, 'lobby'],
  [{ words: 'Quelqu’un va bientôt vous admettre' }, 'lobby'],
  [{ words: 'Warten auf Zulassung' }, 'lobby'],
  [{ words: 'En attente' }, 'lobby'],
  [{ parts: { lobbyScreen: '' } }, 'lobby'],
  [{ parts: { lobbyTrace: '' } }, 'lobby'],
  [
    {
      words: 'When the meeting starts, we’ll let people know you’re waiting',
      parts: { lobbyScreen: '' },
    },
    'not started',
  ],
  [{ words: 'Waiting for the organizer' }, 'not started'],
  [
    { words: 'External participants are not permitted to join before the event begins.' },
    'not started',
  ],
  [{ parts: { hangupButton: 'Leave' } }, 'in call'],
  [{ parts: { hangupButton: '', lobbyTrace: '', joinButton: '' } }, 'in call'],
  [{ parts: { retryTitle: 'Sorry, but you were denied access to the meeting' } }, DENIED],
  [{ words: 'Your request to join was declined' }, DENIED],
  [{ wireEndReason: 'denied', parts: { lobbyScreen: '' } }, DENIED],
  [{ words: 'We need to verify your info before you can join' }, SIGN_IN],
  [{ words: 'To join, sign in or use Teams on the web' }, SIGN_IN],
  [{ words: 'You need to be signed in to Teams to access this meeting.' }, SIGN_IN],
  [{ words: 'Sign in to Teams to join, or contact the meeting organizer' }, SIGN_IN],
  [{ words: 'Due to org policy, you need to sign in to join' }, SIGN_IN],
  [{ words: 'To join this meeting, sign in again or select another account.' }, SIGN_IN],
  [{ address: 'https://login.microsoftonline.com/common/oauth2' }, SIGN_IN],
  [{ address: 'https://login.live.com/' }, SIGN_IN],
  [{ parts: { loginForm: '' } }, SIGN_IN],
  [{ wireEndReason: 'sign_in_required' }, SIGN_IN],
  [{ words: 'Verify you’re a real person' }, 'captcha: captcha'],
  [
    { words: 'Looks like the meeting URL is incorrect. Please check the URL and try again.' },
    NOT_FOUND,
  ],
  [
    { parts: { retryDescription: 'We couldn’t find a meeting matching this ID and passcode.' } },
    NOT_FOUND,
  ],
  [
    { parts: { retryTitle: "Sorry, we couldn't connect you" }, history: ['lobby'] },
    'no answer: no_answer',
  ],
  // Without a lobby, participants had no request that they could have left without an answer.
  [{ parts: { retryTitle: "Sorry, we couldn't connect you" } }, 'not connected: page_not_loaded'],
  [{ parts: { retryScreen: '', retryTitle: 'Elutasítva' } }, AT_ONCE],
  [{ parts: { retryTitle: 'You were detected as a bot' } }, 'blocked: blocked_by_platform'],
  [{ parts: { lobbyScreen: '', noticeAccept: '' } }, 'question'],
  [{ parts: { hangupButton: '', dialogAnswer: '' } }, 'question'],
  [{ phase: 'inside', parts: { hangupButton: '', noticeAccept: '', dialogAnswer: '' } }, 'in call'],
  [{ phase: 'arriving', parts: { joinOnWeb: '', cookieReject: '' } }, 'cookies'],
  [{ parts: { joinButton: '', addDevice: '', transferCall: '', dialogAnswer: '' } }, 'question'],
  [
    { parts: { joinButton: '', transferCall: '', dialogAnswer: '' } },
    'account in call: blocked_by_platform',
  ],
  [
    { phase: 'inside', parts: { retryScreen: '' }, history: ['empty call prompt'] },
    'emptied: everyone_left',
  ],
  [
    {
      phase: 'inside',
      wireEndReason: 'host_ended',
      parts: { hangupButton: '' },
      history: ['empty call prompt'],
    },
    'emptied: everyone_left',
  ],
  [{ words: 'Hi. Someone will let you in when the meeting starts.' }, 'not started'],
  [
    { phase: 'arriving', words: "Sorry, we couldn't connect you" },
    'not connected: page_not_loaded',
  ],
  [{ phase: 'inside', parts: { retryTitle: "You've been removed from this meeting" } }, REMOVED],
  [{ phase: 'inside', words: 'Removed from the meeting' }, REMOVED],
  [{ phase: 'inside', wireEndReason: 'removed', parts: { hangupButton: '' } }, REMOVED],
  [{ phase: 'inside', parts: { retryTitle: 'The meeting has ended' } }, ENDED],
  [{ phase: 'inside', words: 'Call ended' }, ENDED],
  [{ phase: 'inside', words: 'Did you leave by mistake?' }, ENDED],
  [{ phase: 'inside', words: 'Meetings are just one tool in our belt' }, ENDED],
  [{ phase: 'inside', wireEndReason: 'host_ended', parts: { hangupButton: '' } }, ENDED],
  [{ phase: 'inside', parts: { encryptionScreen: '' } }, 'encryption failed: internal'],
  [{ words: 'An encryption error occurred' }, 'encryption failed: internal'],
  [
    { phase: 'leaving', parts: { retryScreen: '', retryTitle: 'Did you leave by mistake?' } },
    'left',
  ],
  [{ phase: 'leaving', address: 'https://teams.live.com/' }, 'left'],
  [{ address: 'https://teams.live.com/?from=x' }, 'blocked: blocked_by_platform'],
  [{ phase: 'inside', address: 'https://www.microsoft.com/' }, 'away'],
  [
    {
      phase: 'inside',
      parts: { retryScreen: '', retryTitle: "Sorry, we couldn't connect you" },
      words: "Sorry, we couldn't connect you Rejoin",
    },
    'away',
  ],
  [{ phase: 'inside', words: "Sorry, we couldn't connect you" }, 'away'],
  [{ phase: 'arriving' }, 'unknown'],
]

test('every known screen of Microsoft Teams is decided with its state and end reason', () => {
  for (const [seen, expected] of SCREENS) {
    assert.equal(stateOf(seen), expected, JSON.stringify(seen))
  }
})

test('on Microsoft Teams a denied request is checked before the lobby, and the lobby before the call', () => {
  const parts = { lobbyScreen: '', hangupButton: '', joinButton: '' }
  assert.equal(stateOf({ words: 'Your request to join was declined', parts }), DENIED)
  assert.equal(stateOf({ parts }), 'lobby')
  assert.equal(
    stateOf({ words: 'Someone will let you in soon', parts: { hangupButton: '' } }),
    'lobby',
  )
})

test('a join button that stays on the page does not make it a lobby', () => {
  assert.equal(stateOf({ parts: { joinButton: 'Join now' } }), 'prejoin')
})

test('before a Microsoft Teams call neither a title nor a name ends the visit', () => {
  const shown = [
    'Call ended too early: incident review',
    'Removed from the meeting list: planning',
    "Sorry, we couldn't connect you",
  ]
  const parts = { joinButton: 'Join now', nameInput: '' }
  const lobby = { lobbyScreen: '' }
  for (const words of shown) {
    assert.equal(stateOf({ phase: 'arriving', words, parts }), 'prejoin')
    assert.equal(stateOf({ words, prejoinText: words, parts }), 'prejoin')
    assert.equal(stateOf({ words, prejoinText: words, parts: lobby }), 'lobby')
  }
  const doorWords = 'Call ended too early'
  const declined = `${doorWords} Your request to join was declined`
  assert.equal(stateOf({ words: declined, prejoinText: doorWords, parts: lobby }), DENIED)
  const title = { retryTitle: 'Call ended' }
  assert.equal(stateOf({ words: 'Call ended', prejoinText: doorWords, parts: title }), ENDED)
})

test('Microsoft Teams can show sign-in and captcha on the page before the call', () => {
  const parts = { joinButton: 'Join now' }
  const asked: Array<[words: string, expected: string]> = [
    ['Verify you’re a real person', 'captcha: captcha'],
    ['Sign in to Teams to join, or contact the meeting organizer', SIGN_IN],
  ]
  for (const [words, expected] of asked) {
    assert.equal(stateOf({ phase: 'arriving', words, parts }), expected)
    assert.equal(stateOf({ words, prejoinText: words, parts }), expected)
  }
})

test('neither a notification nor spoken text ends a Microsoft Teams call', () => {
  const parts = { hangupButton: 'Leave' }
  const said = ['Recording has started. Dismiss', 'The meeting has ended', 'Call ended']
  for (const words of said) assert.equal(stateOf({ phase: 'inside', words, parts }), 'in call')
})

test('a bot that is moved back to the lobby of Microsoft Teams is in the lobby', () => {
  assert.equal(stateOf({ phase: 'inside', parts: { lobbyScreen: '' } }), 'lobby')
})

test('an end screen of Microsoft Teams in an unknown language is recognised', () => {
  const parts = { retryScreen: '', retryTitle: 'La riunione è terminata' }
  assert.equal(stateOf({ phase: 'inside', parts }), ENDED)
  assert.equal(stateOf({ parts, history: ['lobby'] }), 'refused: denied')
})

test('on Microsoft Teams the conditions alone and reconnecting are independent of the state', () => {
  const conditions = (more: Partial<PageSnapshot>) =>
    decidePageState(MICROSOFT_TEAMS_PAGE_MODEL, at({ phase: 'inside', ...more })).conditions
  assert.deepEqual(conditions({ words: 'Waiting for others to join' }), ['alone'])
  assert.deepEqual(conditions({ words: 'You’re the only one here' }), ['alone'])
  assert.deepEqual(conditions({ count: 1, words: 'Reconnecting...' }), ['alone', 'reconnecting'])
  assert.deepEqual(conditions({ count: 3 }), [])
})

test('every Microsoft Teams strategy is valid, and each part has one that works in any language', () => {
  for (const [name, { strategies }] of Object.entries(MICROSOFT_TEAMS_PARTS)) {
    for (const strategy of strategies) assert.ok(STRATEGY_SCHEMA.safeParse(strategy).success, name)
    assert.ok(
      strategies.some(({ language }) => language === undefined),
      name,
    )
  }
})
