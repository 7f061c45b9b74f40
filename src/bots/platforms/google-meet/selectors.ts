import {
  byButton,
  byCss,
  byIcon,
  byKeyboardShortcut,
  byText,
  type PagePartsByName,
  type FindStrategy,
} from '../page-model/find-strategies.ts'

/** Labels of the join button. The rarer ones are for signed-in accounts. */
const JOIN_WORDS: ReadonlyArray<[words: string, seen: string, language?: string]> = [
  ['Ask to join', '2026-08-21'],
  ['Join now', '2026-08-21'],
  ['Ask to join anyway', '2026-08-19'],
  ['Join anyway', '2026-08-19'],
  ['Join the call now', '2026-08-19'],
  ['Teilnahme erbitten', '2026-06-18', 'de'],
  ['Jetzt teilnehmen', '2026-06-18', 'de'],
  ['Trotzdem teilnehmen', '2026-06-18', 'de'],
]

function join([words, seen, language = 'en']: (typeof JOIN_WORDS)[number]): FindStrategy {
  return byButton(words, seen, 'is', language)
}

const BREAKOUT_WORDS: ReadonlyArray<[join: string, stay: string, language: string]> = [
  ['Join breakout room', 'Not now', 'en'],
  ['Gruppenraum beitreten', 'Nicht jetzt', 'de'],
  ['Rejoindre la salle', 'Pas maintenant', 'fr'],
  ['Partecipa alla stanza', 'Non ora', 'it'],
  ['Belépés a csoportszobába', 'Most nem', 'hu'],
  ['ブレイクアウト ルームに参加', '後で', 'ja'],
]

/** A dialog with buttons but without fields or choices. */
const PLAIN_DIALOG =
  '[role="dialog"][aria-modal="true"]:not(:has(input, textarea, [role="tab"], [role="listbox"], [role="combobox"]))'

/** How the parts of Google Meet pages are found. Class names change over time; labels depend on the language. */
export const GOOGLE_MEET_PARTS = {
  // Parts of the page before the call.
  nameInput: {
    strategies: [
      byCss('input[type="text"][aria-label="Your name"]', '2026-08-19', 'en'),
      byCss('input[type="text"][placeholder="Your name"]', '2026-07-29', 'en'),
      byCss('input[jsname][type="text"]', '2026-08-21'),
    ],
  },
  joinButton: {
    strategies: [byCss('button[jsname="Qx7uuf"]', '2026-07'), ...JOIN_WORDS.map(join)],
  },
  // A bot account that is already in the call can join again, or move the call here and end it there.
  joinHereToo: { strategies: [byButton('Join here too', '2026-08-19')] },
  switchHere: { strategies: [byButton('Switch here', '2026-08-19')] },
  otherWaysToJoin: { strategies: [byButton('Other ways to join', '2026-08-19')] },
  /** Google asks about cookies on a page of its own, whose form has a first button that declines. */
  cookieReject: {
    strategies: [
      byCss('form[action*="consent.google"] button', '2026-08'),
      byCss('form[action*="/save"] button', '2026-08'),
      byButton('Reject all', '2026-08'),
    ],
  },
  permissionDismiss: {
    strategies: [
      byButton('Continue without microphone and camera', '2026-07-29'),
      byButton('Ohne Mikrofon und Kamera fortfahren', '2026-06-18', 'is', 'de'),
      byButton('Use without an account', '2026-06-18'),
    ],
  },
  noticeDialog: { strategies: [byCss('[role="dialog"], [role="alertdialog"]', '2026-08-19')] },
  /** Accepts a notice that the call is recorded, or noted by Gemini or another note taker. The other answer leaves. */
  noticeAccept: {
    within: 'noticeDialog',
    strategies: [
      byCss('button[data-mdc-dialog-action="ok"]', '2026-08-19'),
      byButton('Join now', '2026-09-22'),
      byButton('Jetzt teilnehmen', '2026-06-18', 'is', 'de'),
      byButton('Accept', '2026-11'),
      byButton('I agree', '2026-11'),
    ],
  },
  /** In a call without other participants, Google Meet asks whether to stay. It ends the call two minutes later. */
  stayButton: {
    within: 'noticeDialog',
    strategies: [
      byButton('Stay in the call', '2026-05-29'),
      byButton('Stay in call', '2026-05-29'),
      byButton('Keep me in the call', '2026-11'),
    ],
  },
  // Breakout rooms. No public source shows this dialog, so its texts are guesses.
  breakoutJoin: {
    within: 'noticeDialog',
    strategies: BREAKOUT_WORDS.map(([join, , language]) =>
      byButton(join, '2026-11', 'is', language),
    ),
  },
  breakoutStay: {
    within: 'noticeDialog',
    strategies: BREAKOUT_WORDS.map(([, stay, language]) =>
      byButton(stay, '2026-11', 'is', language),
    ),
  },
  /** A dialog in an unknown language. Its last button is the one that continues and reveals less. */
  anyDialog: { strategies: [byCss('[role="dialog"][aria-modal="true"]', '2026-07-29')] },
  dialogChoice: {
    pick: 'last',
    strategies: [byCss('[role="dialog"][aria-modal="true"] button', '2026-07-29')],
  },
  dialogAnswer: { pick: 'last', strategies: [byCss(`${PLAIN_DIALOG} button`, '2026-11')] },
  bubbleDismiss: {
    strategies: [byButton('Got it', '2026-07-29'), byButton('Dismiss', '2026-06-18')],
  },
  microphoneIsOn: {
    strategies: [
      byCss('[aria-label^="Turn off microphone"]', '2026-08-21', 'en'),
      byIcon('mic', '2026-03-31'),
    ],
  },
  cameraIsOn: {
    strategies: [
      byCss('[aria-label^="Turn off camera"]', '2026-08-21', 'en'),
      byIcon('videocam', '2026-03-31'),
    ],
  },

  // Parts of the page in the call. The lobby has the leave button too, so that button does not prove a call.
  leaveButton: {
    strategies: [
      byCss('button[jsname="CQylAd"]', '2026-07'),
      byCss('button[aria-label="Leave call"]', '2026-08-21', 'en'),
      byIcon('call_end', '2026-05-10'),
    ],
  },
  leaveConfirm: {
    strategies: [
      byButton('Just leave the call', '2026-08-19'),
      byButton('Leave meeting', '2026-08-19'),
    ],
  },
  callControls: {
    strategies: [byCss('div[role="region"][aria-label="Call controls"]', '2025-10-31', 'en')],
  },
  chatButton: {
    strategies: [
      byCss('button[aria-label^="Chat with everyone"]', '2026-08-21', 'en'),
      byIcon('chat', '2026-05-10'),
    ],
  },
  peopleButton: {
    strategies: [
      byCss('button[aria-label^="People"]', '2026-08-21', 'en'),
      byCss('button[aria-label="Show everyone"]', '2025-10-31', 'en'),
      byCss('nav button[data-panel-id="1"]', '2026-08-19'),
      byIcon('people', '2026-05-10'),
      byIcon('group', '2026-11'),
    ],
  },
  /** The name in the tile of another participant. Icons are marked as not to be translated too, even in the lobby. */
  otherTile: {
    strategies: [
      byCss(
        '[data-participant-id] .notranslate:not([data-self-name], i, .google-symbols, .google-material-icons, .material-icons, .material-icons-extended, [aria-hidden="true"])',
        '2026-08-21',
      ),
    ],
  },
  moreButton: {
    strategies: [
      byCss('button[jsname="NakZHc"]', '2026-08-19'),
      byCss('[role="region"] button[aria-label="More options"]', '2026-08-19', 'en'),
      byIcon('more_vert', '2026-08-19'),
    ],
  },
  settingsItem: { strategies: [byText('Settings', '2026-08-19')] },
  captionsTab: {
    strategies: [
      byCss('button[jsname="z4Tpl"]', '2026-08-19'),
      byCss('button[role="tab"][aria-label="Captions"]', '2026-08-19', 'en'),
    ],
  },
  /** `{language}` is the BCP 47 tag. A click works even though the list is hidden. */
  languageItem: { strategies: [byCss('li[data-value="{language}"]', '2026-08-19')] },
  dialogClose: {
    strategies: [
      byCss('[aria-modal="true"] button[aria-label^="Close"]', '2026-08-19', 'en'),
      byIcon('close', '2026-08-19'),
    ],
  },

  // Captions. Google Meet removes the region when captions are turned off, and adds a new one when they are turned on.
  captionsButton: {
    strategies: [
      byCss('button[jsname="r8qRAd"]', '2026-07'),
      byCss(
        'button[aria-label^="Turn on captions"], button[aria-label^="Turn off captions"]',
        '2026-08-19',
        'en',
      ),
      byIcon('closed_caption_off', '2026-05-10'),
      byIcon('closed_caption', '2026-05-10'),
    ],
  },
  /** The captions button while captions are off. */
  captionsTurnOn: {
    strategies: [
      byCss('button[aria-label^="Turn on captions"]', '2026-08-19', 'en'),
      byCss('button[jsname="r8qRAd"][aria-pressed="false"]', '2026-07'),
      byIcon('closed_caption_off', '2026-05-10', '[aria-pressed="false"]'),
      byIcon('closed_caption', '2026-05-10', '[aria-pressed="false"]'),
      byKeyboardShortcut('c', '2025-08-05'),
    ],
  },
  /** The captions button while captions are on. */
  captionsTurnOff: {
    strategies: [
      byCss('button[aria-label^="Turn off captions"]', '2026-08-19', 'en'),
      byCss('button[jsname="r8qRAd"][aria-pressed="true"]', '2026-07'),
      byIcon('closed_caption', '2026-05-10', '[aria-pressed="true"]'),
    ],
  },
  captionsRegion: {
    strategies: [
      byCss('div[role="region"][tabindex="0"]', '2026-05-10'),
      byCss('div[role="region"][aria-label="Captions"]', '2026-07-08', 'en'),
      byCss('[jsname="dsyhDe"]', '2024-07'),
    ],
  },
  captionRow: {
    within: 'captionsRegion',
    strategies: [
      byCss('.nMcdL', '2026-07-08'),
      byCss('div:has(> div img[data-iml])', '2026-07-08'),
      byCss('.TBMuR', '2024-07'),
    ],
  },
  captionSpeaker: {
    within: 'captionRow',
    strategies: [
      byCss('.NWpY1d', '2026-07-08'),
      byCss('.KcIKyf', '2025-11-10'),
      byCss('.zs7s8d', '2024-07'),
    ],
  },
  captionText: {
    within: 'captionRow',
    strategies: [
      byCss('.ygicle', '2026-07-08'),
      byCss('[jsname="tgaKEf"]', '2024-07'),
      byCss(':scope > div:last-child', '2026-05-10'),
    ],
  },

  // The participant list. It is read if the network messages have no roster.
  peopleList: {
    strategies: [
      byCss('div[role="list"][aria-label="Participants"]', '2025-10-31', 'en'),
      byCss('div[role="list"]:has(> [role="listitem"][data-participant-id])', '2025-10-31'),
    ],
  },
  personItem: {
    within: 'peopleList',
    strategies: [byCss('[role="listitem"][aria-label]', '2025-10-31')],
  },
  headCount: {
    strategies: [
      byCss('[data-avatar-count]', '2026-07'),
      byCss('button[aria-label^="People"]', '2026-08-21', 'en'),
      byCss('.egzc7c', '2026-03-11'),
    ],
  },

  // The chat. Its list stays in the page after the panel is closed.
  chatInput: {
    strategies: [
      byCss('textarea[aria-label^="Send a message"]', '2026-08-19', 'en'),
      byCss('[aria-label^="Send a message"] [contenteditable="true"]', '2026-04', 'en'),
      byCss('aside textarea', '2026-07'),
      byCss('aside [contenteditable="true"]', '2026-07'),
    ],
  },
  chatSend: {
    strategies: [
      byCss('button[aria-label^="Send a message"]', '2026-08-19', 'en'),
      byIcon('send', '2026-07'),
      byKeyboardShortcut('Enter', '2026-08-19'),
    ],
  },
  chatList: {
    strategies: [
      byCss('[aria-live="polite"].Ge9Kpc', '2026-05-10'),
      byCss('[jsname="xySENc"]', '2026-05-10'),
      byCss('[role="list"][aria-label="In-call messages"]', '2026-07-29', 'en'),
    ],
  },
  chatMessage: { within: 'chatList', strategies: [byCss('[data-message-id]', '2026-07-29')] },
  chatGroup: { within: 'chatList', strategies: [byCss('.Ss4fHf', '2026-05-10')] },
  chatAuthor: { within: 'chatGroup', strategies: [byCss('.poVWob', '2026-05-10')] },
  chatText: { within: 'chatMessage', strategies: [byCss('[jsname="dTKtvb"]', '2026-05-10')] },

  // Parts with text that participants wrote. It never decides the state of the page.
  chatPanel: { strategies: [byCss('[aria-live="polite"].Ge9Kpc', '2026-05-10')] },
  sidePanel: {
    strategies: [
      byCss('aside[aria-label="Side panel"]', '2026-07-29', 'en'),
      byCss('aside', '2026-07'),
    ],
  },
  tile: { strategies: [byCss('[data-participant-id]', '2026-08-21')] },

  // Parts of the page after the call.
  endHeading: { strategies: [byCss('.roSPhc', '2026-08-19')] },
  homeButton: { strategies: [byButton('Return to home screen', '2026-08-21')] },
  rejoinButton: { strategies: [byButton('Rejoin', '2026-08-21')] },
  /** Every page has an invisible captcha frame. Only a large one asks something. */
  captchaFrame: {
    minSize: { width: 120, height: 40 },
    strategies: [byCss('iframe[src*="recaptcha"]', '2026-08-21')],
  },
} satisfies PagePartsByName

export type GoogleMeetPartName = keyof typeof GOOGLE_MEET_PARTS
