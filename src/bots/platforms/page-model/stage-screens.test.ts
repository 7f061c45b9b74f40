import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { GOOGLE_MEET_PAGE_MODEL } from '../google-meet/page-model.ts'
import { MICROSOFT_TEAMS_PAGE_MODEL } from '../microsoft-teams/page-model.ts'
import { findPartDrifts } from '../page-session/in-call/in-call-tasks.ts'
import { decidePageState, type PageModel } from './page-states.ts'
import type { JoinPhase, PageMemory } from './state-rules.ts'

/** The languages of the stage. The page models know English, and some words of German and French. */
const LOCALES = ['en', 'de', 'fr', 'it', 'hu', 'ja']

type Texts = Readonly<Record<string, string>>

/** The texts of the stage's pages, which are plain JavaScript for the browser. */
async function stageTexts(folder: string, locale: string): Promise<Texts> {
  const path = new URL(`../../../../stage/pages/${folder}/texts.js`, import.meta.url).href
  const { textsOf } = (await import(path)) as { textsOf: (locale: string) => Texts }
  return textsOf(locale)
}

/** A screen of the stage: the names of its texts, its parts with the names of their texts, and the expected state. */
type Screen = {
  phase: JoinPhase
  words?: readonly string[]
  parts?: Readonly<Record<string, string>>
  history?: readonly PageMemory[]
  expected: string
  /** The expected state in an unknown language. */
  elsewhere?: string
}

const AFTER_LOBBY: readonly PageMemory[] = ['lobby']
const AFTER_EMPTY_CALL_PROMPT: readonly PageMemory[] = ['empty call prompt']

/** Prompts that cover the lobby or the call: the names of their title and of the text that continues. */
const PROMPTS: ReadonlyArray<[title: string, answer: string]> = [
  ['recordedNotice', 'joinNow'],
  ['notesNotice', 'joinNow'],
  ['sharedNotice', 'joinNow'],
  ['consent', 'accept'],
  ['devicesOff', 'gotIt'],
  ['stillThere', 'stay'],
]

const MEET_LOBBY = { leaveButton: 'leave', homeButton: 'home', tile: 'effects' }
const MEET: readonly Screen[] = [
  {
    phase: 'knocking',
    words: ['asking', 'askingMore'],
    parts: MEET_LOBBY,
    expected: 'lobby',
    elsewhere: 'lobby',
  },
  {
    phase: 'knocking',
    words: ['hostAbsent', 'hostAbsentMore'],
    parts: MEET_LOBBY,
    expected: 'not started',
  },
  {
    phase: 'knocking',
    words: ['youJoined', 'chat'],
    parts: { captionsButton: 'captionsOn' },
    expected: 'in call',
    elsewhere: 'in call',
  },
  {
    phase: 'knocking',
    words: ['denied'],
    parts: { endHeading: 'denied' },
    history: AFTER_LOBBY,
    expected: 'denied',
    elsewhere: 'refused',
  },
  {
    phase: 'knocking',
    words: ['noAnswer'],
    parts: { endHeading: 'noAnswer' },
    history: AFTER_LOBBY,
    expected: 'no answer',
    elsewhere: 'refused',
  },
  {
    phase: 'knocking',
    words: ['blocked', 'blockedMore'],
    parts: { endHeading: 'blocked' },
    expected: 'blocked',
    elsewhere: 'refused at once',
  },
  { phase: 'arriving', words: ['badCode'], parts: { endHeading: 'badCode' }, expected: 'bad link' },
  { phase: 'arriving', words: ['badCodeEarlier'], expected: 'bad link' },
  {
    phase: 'inside',
    words: ['removed'],
    parts: { endHeading: 'removed' },
    expected: 'removed',
    elsewhere: 'ended',
  },
  {
    phase: 'inside',
    words: ['ended'],
    parts: { endHeading: 'ended' },
    expected: 'ended',
    elsewhere: 'ended',
  },
  {
    phase: 'inside',
    words: ['emptied'],
    parts: { endHeading: 'emptied' },
    history: AFTER_EMPTY_CALL_PROMPT,
    expected: 'emptied',
    elsewhere: 'emptied',
  },
  // Icons in the bot's own tile are not participants.
  {
    phase: 'knocking',
    words: ['asking'],
    parts: { ...MEET_LOBBY, otherTile: 'more_vert' },
    expected: 'lobby',
    elsewhere: 'lobby',
  },
  ...PROMPTS.map(([title, answer]): Screen => ({
    phase: 'knocking',
    words: ['asking', title, answer],
    parts: { ...MEET_LOBBY, noticeDialog: title, dialogAnswer: answer },
    expected: 'question',
    elsewhere: 'question',
  })),
  ...PROMPTS.map(([title, answer]): Screen => ({
    phase: 'inside',
    words: [title, answer],
    parts: { captionsButton: 'captionsOn', noticeDialog: title, dialogAnswer: answer },
    expected: 'in call',
    elsewhere: 'in call',
  })),
  { phase: 'inside', words: ['left'], parts: { rejoinButton: 'rejoin' }, expected: 'ended' },
  {
    phase: 'leaving',
    words: ['left'],
    parts: { rejoinButton: 'rejoin' },
    expected: 'left',
    elsewhere: 'left',
  },
]

const TEAMS_LOBBY = { lobbyScreen: 'lobby', lobbyTrace: 'lobby', cancelButton: 'cancel' }
function retry(title: string): Readonly<Record<string, string>> {
  return { retryScreen: title, retryTitle: title }
}
const TEAMS: readonly Screen[] = [
  {
    phase: 'arriving',
    words: ['howToJoin'],
    parts: { joinOnWeb: 'joinOnWeb' },
    expected: 'launcher',
    elsewhere: 'launcher',
  },
  {
    phase: 'knocking',
    words: ['lobby', 'lobbyMore'],
    parts: TEAMS_LOBBY,
    expected: 'lobby',
    elsewhere: 'lobby',
  },
  { phase: 'knocking', words: ['lobbyLight'], expected: 'lobby' },
  { phase: 'knocking', words: ['hostAbsent'], parts: TEAMS_LOBBY, expected: 'not started' },
  {
    phase: 'knocking',
    parts: { hangupButton: 'leave' },
    expected: 'in call',
    elsewhere: 'in call',
  },
  {
    phase: 'knocking',
    words: ['denied'],
    parts: retry('denied'),
    history: AFTER_LOBBY,
    expected: 'denied',
    elsewhere: 'refused',
  },
  {
    phase: 'knocking',
    words: ['noAnswer'],
    parts: retry('noAnswer'),
    history: AFTER_LOBBY,
    expected: 'no answer',
    elsewhere: 'refused',
  },
  {
    phase: 'knocking',
    words: ['noAnswer'],
    parts: retry('noAnswer'),
    expected: 'not connected',
    elsewhere: 'refused at once',
  },
  {
    phase: 'knocking',
    words: ['botDetected'],
    parts: retry('botDetected'),
    expected: 'blocked',
    elsewhere: 'refused at once',
  },
  ...PROMPTS.map(([title, answer]): Screen => ({
    phase: 'knocking',
    words: ['lobby', title, answer],
    parts: { ...TEAMS_LOBBY, noticeDialog: title, dialogAnswer: answer },
    expected: 'question',
    elsewhere: 'question',
  })),
  ...PROMPTS.map(([title, answer]): Screen => ({
    phase: 'inside',
    words: [title, answer],
    parts: { hangupButton: 'leave', noticeDialog: title, dialogAnswer: answer },
    expected: 'in call',
    elsewhere: 'in call',
  })),
  {
    phase: 'arriving',
    words: ['cookies', 'howToJoin'],
    parts: { joinOnWeb: 'joinOnWeb', cookieBanner: 'cookies', cookieReject: 'cookieReject' },
    expected: 'cookies',
    elsewhere: 'cookies',
  },
  {
    phase: 'knocking',
    words: ['inCallElsewhere'],
    parts: { addDevice: 'addDevice', transferCall: 'transferCall', dialogAnswer: 'transferCall' },
    expected: 'question',
    elsewhere: 'question',
  },
  {
    phase: 'knocking',
    words: ['inCallElsewhere'],
    parts: { transferCall: 'transferCall', dialogAnswer: 'transferCall' },
    expected: 'account in call',
    elsewhere: 'account in call',
  },
  {
    phase: 'inside',
    words: ['emptied'],
    parts: retry('emptied'),
    history: AFTER_EMPTY_CALL_PROMPT,
    expected: 'emptied',
    elsewhere: 'emptied',
  },
  {
    phase: 'knocking',
    words: ['eventNotStarted'],
    parts: TEAMS_LOBBY,
    expected: 'not started',
    elsewhere: 'lobby',
  },
  { phase: 'arriving', words: ['blocked', 'signIn'], parts: retry('blocked'), expected: 'sign-in' },
  { phase: 'arriving', words: ['captcha'], expected: 'captcha' },
  {
    phase: 'arriving',
    words: ['badNumber'],
    parts: { retryScreen: '', retryDescription: 'badNumber' },
    expected: 'bad link',
  },
  {
    phase: 'arriving',
    words: ['badLink'],
    parts: { retryScreen: '', retryDescription: 'badLink' },
    expected: 'bad link',
  },
  {
    phase: 'inside',
    words: ['removed'],
    parts: retry('removed'),
    expected: 'removed',
    elsewhere: 'ended',
  },
  {
    phase: 'inside',
    words: ['ended'],
    parts: retry('ended'),
    expected: 'ended',
    elsewhere: 'ended',
  },
  {
    phase: 'leaving',
    words: ['left', 'leftMore'],
    parts: retry('left'),
    expected: 'left',
    elsewhere: 'left',
  },
]

const PLATFORMS: ReadonlyArray<[folder: string, PageModel, readonly Screen[], address: string]> = [
  ['google-meet', GOOGLE_MEET_PAGE_MODEL, MEET, 'https://meet.google.com/abc-defg-hij'],
  [
    'microsoft-teams',
    MICROSOFT_TEAMS_PAGE_MODEL,
    TEAMS,
    'https://teams.microsoft.com/v2/?meetingjoin=true',
  ],
]

test('every stage screen is recognised by its text, and by its parts in an unknown language', async () => {
  for (const [folder, pageModel, screens, address] of PLATFORMS) {
    for (const locale of LOCALES) {
      const texts = await stageTexts(folder, locale)
      const text = (name: string) => texts[name] ?? name
      for (const { phase, words = [], parts = {}, history = [], ...screen } of screens) {
        const { expected, elsewhere } = screen
        const wanted = locale === 'en' ? expected : elsewhere
        if (wanted === undefined) continue
        const shown = Object.entries(parts).map(([part, name]) => [part, text(name)])
        const { state } = decidePageState(pageModel, {
          address,
          phase,
          words: words.map(text).join('\n'),
          parts: Object.fromEntries(shown) as Record<string, string>,
          history,
          count: null,
          wireEndReason: null,
        })
        assert.equal(state, wanted, `${folder} ${locale} ${words.join(' ')}`)
      }
    }
  }
})

test('a part that is found by a lesser strategy or not at all is reported as drift', () => {
  const { expectedInCall } = GOOGLE_MEET_PAGE_MODEL
  const best = Object.fromEntries(expectedInCall.map((part) => [part, 0]))
  assert.deepEqual(findPartDrifts(GOOGLE_MEET_PAGE_MODEL, best, 'en-US'), [])
  const { chatButton } = GOOGLE_MEET_PAGE_MODEL.parts
  assert.deepEqual(
    findPartDrifts(GOOGLE_MEET_PAGE_MODEL, { ...best, chatButton: 1, moreButton: null }, 'en'),
    [
      { part: 'chatButton', foundBy: chatButton?.strategies[1] },
      { part: 'moreButton', foundBy: null },
    ],
  )
  // In German the English label cannot match, so the icon is the best strategy.
  const german = { ...best, chatButton: 1, peopleButton: 2 }
  assert.deepEqual(findPartDrifts(GOOGLE_MEET_PAGE_MODEL, german, 'de'), [])
})
