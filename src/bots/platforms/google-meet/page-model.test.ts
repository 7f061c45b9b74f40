import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  decidePageState,
  type PageCondition,
  type PageStateName,
} from '../page-model/page-states.ts'
import type { PageSnapshot } from '../page-model/state-rules.ts'
import { STRATEGY_SCHEMA } from '../page-model/find-strategies.ts'
import { GOOGLE_MEET_PARTS } from './selectors.ts'
import { GOOGLE_MEET_PAGE_MODEL } from './page-model.ts'

const ROOM = 'https://meet.google.com/abc-defg-hij?hl=en'
/** The lobby has the toolbar, the bot's own tile and the home button. */
const LOBBY_PARTS = { leaveButton: 'call_end', tile: 'visual_effects', homeButton: 'Return' }
const CALL_PARTS = { leaveButton: 'call_end', chatButton: 'chat', captionsButton: '', tile: 'Ana' }

function at(more: Partial<PageSnapshot>): PageSnapshot {
  const nothing = { words: '', parts: {}, count: null, wireEndReason: null }
  return { address: ROOM, phase: 'knocking', ...nothing, ...more }
}

function stateOf(more: Partial<PageSnapshot>): string {
  const { state, because } = decidePageState(GOOGLE_MEET_PAGE_MODEL, at(more))
  return because === null ? state : `${state}: ${because}`
}

const BLOCKED = 'blocked: blocked_by_platform'
const ENDED = 'ended: host_ended'
const NOT_FOUND = 'bad link: meeting_not_found'
const SIGN_IN = 'sign-in: sign_in_required'

/** Snapshots of known screens, each with the expected state and end reason. */
const SCREENS: ReadonlyArray<[Partial<PageSnapshot>, string]> = [
  [{ phase: 'arriving', parts: { nameInput: '' } }, 'prejoin'],
  [{ phase: 'arriving', parts: { joinButton: 'Join now' } }, 'prejoin'],
  [{ phase: 'arriving', parts: { permissionDismiss: '', joinButton: '' } }, 'question'],
  [{ parts: { noticeAccept: 'Join now', joinButton: '' } }, 'question'],
  [{ words: 'Waiting for the host to join', parts: LOBBY_PARTS }, 'not started'],
  [{ words: 'Please wait until a meeting host brings you into the call' }, 'not started'],
  [{ words: 'Asking to be let in...', parts: LOBBY_PARTS }, 'lobby'],
  [{ words: 'You’ll join the call when someone lets you in' }, 'lobby'],
  [{ words: 'Please wait until a meeting host brings you' }, 'lobby'],
  [{ words: 'Please wait until a meeting host admits you to the call' }, 'lobby'],
  // The bot first answers a notice that covers the lobby or the call.
  [{ words: 'Asking to be let in', parts: { ...LOBBY_PARTS, noticeAccept: '' } }, 'question'],
  [{ parts: { ...CALL_PARTS, noticeAccept: '' } }, 'question'],
  [{ parts: { ...LOBBY_PARTS, dialogAnswer: '' } }, 'question'],
  [{ phase: 'inside', parts: { ...CALL_PARTS, noticeAccept: '', dialogAnswer: '' } }, 'in call'],
  // The lobby has none of the call's buttons, whatever its tiles look like.
  [{ words: 'Bekérés', parts: { ...LOBBY_PARTS, otherTile: 'more_vert' } }, 'lobby'],
  [
    { phase: 'arriving', parts: { switchHere: '', joinButton: '' } },
    'account in call: blocked_by_platform',
  ],
  [{ phase: 'arriving', parts: { switchHere: '', joinHereToo: '', joinButton: '' } }, 'prejoin'],
  [
    {
      phase: 'arriving',
      address: 'https://consent.google.com/ml?continue=x',
      parts: { cookieReject: '' },
    },
    'cookies',
  ],
  [{ words: 'Refusé', parts: { endHeading: '' }, history: ['lobby'] }, 'refused: denied'],
  [{ words: 'Refusé', parts: { endHeading: '' } }, 'refused at once: blocked_by_platform'],
  [
    { phase: 'inside', parts: { endHeading: 'Vége' }, history: ['empty call prompt'] },
    'emptied: everyone_left',
  ],
  [
    {
      phase: 'inside',
      parts: { endHeading: 'Your host ended the meeting for everyone' },
      history: ['empty call prompt'],
    },
    ENDED,
  ],
  [{ parts: { chatButton: '' } }, 'in call'],
  [{ parts: { peopleButton: 'People - 2 joined' } }, 'in call'],
  [{ parts: { captionsButton: '' } }, 'in call'],
  [{ parts: { otherTile: 'Ana' } }, 'in call'],
  [{ words: 'You have joined the call.' }, 'in call'],
  [{ words: 'There is 1 other person in the call' }, 'in call'],
  [{ words: 'Someone in the call denied your request to join' }, 'denied: denied'],
  [{ words: 'Ana denied your request' }, 'denied: denied'],
  [{ words: 'You weren’t allowed to join' }, 'denied: denied'],
  [{ words: 'You left the meeting' }, 'denied: denied'],
  [{ words: 'No one responded to your request to join the call' }, 'no answer: no_answer'],
  [{ words: "You can't join this video call Returning to home screen in 60 seconds" }, BLOCKED],
  [{ words: 'There is a problem connecting to this video call' }, BLOCKED],
  [{ words: 'You can’t join this meeting' }, BLOCKED],
  [{ words: 'We encountered a problem joining' }, BLOCKED],
  [{ address: 'https://workspace.google.com/products/meet/' }, BLOCKED],
  [{ address: 'https://meet.google.com/' }, BLOCKED],
  [{}, BLOCKED],
  [{ phase: 'arriving', parts: { captchaFrame: '' } }, 'captcha: captcha'],
  [{ address: 'https://accounts.google.com/v3/signin' }, SIGN_IN],
  [{ words: 'Sign in Use your Google Account' }, SIGN_IN],
  [{ words: 'Your sign-in credentials might have changed' }, SIGN_IN],
  [{ phase: 'arriving', words: 'Check your meeting code' }, NOT_FOUND],
  [{ phase: 'arriving', words: 'Invalid video call name' }, NOT_FOUND],
  [{ phase: 'arriving', words: 'Your meeting code has expired' }, NOT_FOUND],
  [{ phase: 'arriving', words: "The meeting code you entered doesn't work" }, NOT_FOUND],
  [
    { phase: 'inside', parts: { endHeading: "You've been removed from the meeting" } },
    'removed: removed',
  ],
  [{ phase: 'inside', words: 'You’ve been removed from the meeting' }, 'removed: removed'],
  [{ phase: 'inside', parts: CALL_PARTS, wireEndReason: 'removed' }, 'removed: removed'],
  [{ phase: 'inside', parts: { endHeading: 'Your host ended the meeting for everyone' } }, ENDED],
  [{ phase: 'inside', words: 'The call ended' }, ENDED],
  [{ phase: 'inside', words: 'You left the meeting Rejoin' }, ENDED],
  [{ phase: 'inside', words: 'You’ve left the call' }, ENDED],
  [{ phase: 'leaving', words: 'You left the meeting' }, 'left'],
  [{ phase: 'leaving', address: 'https://meet.google.com/' }, 'left'],
  [{ phase: 'leaving', words: 'Elhagyta a megbeszélést' }, 'left'],
  [{ phase: 'leaving', parts: CALL_PARTS }, 'in call'],
  [{ phase: 'inside', address: 'https://workspace.google.com/products/meet/' }, 'away'],
  [{ phase: 'arriving' }, 'unknown'],
  [{ phase: 'arriving', address: 'about:blank' }, 'unknown'],
]

test('every known screen of Google Meet is decided with its state and end reason', () => {
  for (const [seen, expected] of SCREENS) {
    assert.equal(stateOf(seen), expected, JSON.stringify(seen))
  }
})

test('on Google Meet a denied request is checked before the lobby, and the lobby before the call', () => {
  const lobby = 'Asking to be let in'
  const parts = { ...LOBBY_PARTS, ...CALL_PARTS }
  const refusals: Array<[string, string]> = [
    ['Someone in the call denied your request to join', 'denied: denied'],
    ['No one responded to your request to join the call', 'no answer: no_answer'],
    ["You can't join this video call", BLOCKED],
  ]
  for (const [words, expected] of refusals) {
    assert.equal(stateOf({ words: `${lobby} ${words}`, parts }), expected)
  }
  assert.equal(stateOf({ words: lobby, parts }), 'lobby')
  assert.equal(stateOf({ parts }), 'in call')
})

test('the leave button, toggles, home button and own tile do not prove a Google Meet call', () => {
  const parts = { ...LOBBY_PARTS, microphoneIsOn: '', cameraIsOn: '', callControls: '' }
  assert.equal(stateOf({ phase: 'arriving', parts }), 'unknown')
  assert.equal(stateOf({ parts }), 'lobby')
})

test('spoken text cannot end a Google Meet call', () => {
  const said = [
    'The call ended. You left the meeting.',
    'Someone in the call denied your request to join',
    "You've been removed from the meeting",
    'Asking to be let in',
  ]
  for (const words of said) {
    assert.equal(stateOf({ phase: 'inside', words, parts: CALL_PARTS }), 'in call')
  }
})

test('before a Google Meet call neither a title nor a name ends the visit', () => {
  const shown = [
    'Ana, Check your meeting code and 2 more are in this call',
    'Ready to join? Why the call ended',
    'How you left the meeting, and who denied your request',
    "Why you can't join this meeting",
  ]
  const parts = { joinButton: 'Ask to join', nameInput: '' }
  for (const words of shown) {
    assert.equal(stateOf({ phase: 'arriving', words, parts }), 'prejoin')
    assert.equal(stateOf({ words, prejoinText: words, parts }), 'prejoin')
    assert.equal(stateOf({ words, prejoinText: words, parts: LOBBY_PARTS }), 'lobby')
  }
  const doorWords = 'Why the call ended'
  const denied = `${doorWords} Someone in the call denied your request to join`
  assert.equal(
    stateOf({ words: denied, prejoinText: doorWords, parts: LOBBY_PARTS }),
    'denied: denied',
  )
  const ended = { words: 'The call ended', doorWords, parts: { endHeading: 'The call ended' } }
  assert.equal(stateOf({ phase: 'inside', ...ended }), ENDED)
})

test('end texts must last longer while the Google Meet page may still be loading', () => {
  const words = 'Check your meeting code'
  assert.equal(
    decidePageState(GOOGLE_MEET_PAGE_MODEL, at({ phase: 'arriving', words })).steadyMs,
    1_000,
  )
  assert.equal(decidePageState(GOOGLE_MEET_PAGE_MODEL, at({ words })).steadyMs, 0)
})

test('Google Meet in an unknown language is recognised by its parts', () => {
  const parts = LOBBY_PARTS
  assert.equal(stateOf({ words: 'Teilnahme wird angefragt...', parts }), 'lobby')
  assert.equal(stateOf({ words: 'Untertitel', parts: CALL_PARTS }), 'in call')
  const end = { words: 'Beendet', parts: { endHeading: 'Beendet' } }
  assert.equal(stateOf({ phase: 'inside', ...end }), ENDED)
  assert.equal(stateOf({ ...end, history: ['lobby'] }), 'refused: denied')
})

test('a decision names its matchers and how long the state must last', () => {
  const words = 'Someone in the call denied your request to join'
  assert.deepEqual(decidePageState(GOOGLE_MEET_PAGE_MODEL, at({ words })), {
    state: 'denied',
    because: 'denied',
    steadyMs: 0,
    marks: [`words "${words}"`],
    conditions: [],
  })
  assert.deepEqual(decidePageState(GOOGLE_MEET_PAGE_MODEL, at({})), {
    state: 'blocked',
    because: 'blocked_by_platform',
    steadyMs: 15_000,
    marks: ['knocking', 'blank page'],
    conditions: [],
  })
})

test('on Google Meet the conditions alone and reconnecting are independent of the state', () => {
  const cases: Array<[Partial<PageSnapshot>, PageCondition[]]> = [
    [{ words: 'You’re the only one here' }, ['alone']],
    [{ words: 'No one else is here' }, ['alone']],
    [{ count: 1 }, ['alone']],
    [{ count: 2 }, []],
    [{ words: 'Reconnecting' }, ['reconnecting']],
    [{ words: 'Connection lost', count: 1 }, ['alone', 'reconnecting']],
  ]
  for (const [seen, conditions] of cases) {
    const decision = decidePageState(
      GOOGLE_MEET_PAGE_MODEL,
      at({ phase: 'inside', parts: CALL_PARTS, ...seen }),
    )
    assert.equal(decision.state, 'in call' satisfies PageStateName)
    assert.deepEqual(decision.conditions, conditions)
  }
})

test('every Google Meet strategy is valid, and each required part has one that works in any language', () => {
  for (const [name, { strategies }] of Object.entries(GOOGLE_MEET_PARTS)) {
    for (const strategy of strategies) assert.ok(STRATEGY_SCHEMA.safeParse(strategy).success, name)
  }
  const needed = [
    'nameInput',
    'joinButton',
    'leaveButton',
    'captionsTurnOn',
    'captionsRegion',
    'captionRow',
    'captionSpeaker',
    'captionText',
    'chatButton',
    'peopleButton',
    'endHeading',
    'microphoneIsOn',
    'cameraIsOn',
  ] as const
  for (const name of needed) {
    const { strategies } = GOOGLE_MEET_PARTS[name]
    assert.ok(
      strategies.some(({ language }) => language === undefined),
      name,
    )
  }
})
