import {
  byButton,
  byCss,
  createPageParts,
  DIALOG_PARTS,
  inside,
  byIcon,
  byKeyboardShortcut,
  byText,
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

/** How the parts of Google Meet pages are found. Class names change over time; labels depend on the language. */
export const GOOGLE_MEET_PARTS = createPageParts({
  // Parts of the page before the call.
  nameInput: [
    byCss('input[type="text"][aria-label="Your name"]', '2026-08-19', 'en'),
    byCss('input[type="text"][placeholder="Your name"]', '2026-07-29', 'en'),
    byCss('input[jsname][type="text"]', '2026-08-21'),
  ],
  joinButton: [byCss('button[jsname="Qx7uuf"]', '2026-07'), ...JOIN_WORDS.map(join)],
  // A bot account that is already in the call can join again, or move the call here and end it there.
  joinHereToo: [byButton('Join here too', '2026-08-19')],
  switchHere: [byButton('Switch here', '2026-08-19')],
  otherWaysToJoin: [byButton('Other ways to join', '2026-08-19')],
  /** Google asks about cookies on a page of its own, whose form has a first button that declines. */
  cookieReject: [
    byCss('form[action*="consent.google"] button', '2026-08'),
    byCss('form[action*="/save"] button', '2026-08'),
    byButton('Reject all', '2026-08'),
  ],
  permissionDismiss: [
    byButton('Continue without microphone and camera', '2026-07-29'),
    byButton('Ohne Mikrofon und Kamera fortfahren', '2026-06-18', 'is', 'de'),
    byButton('Use without an account', '2026-06-18'),
  ],
  ...DIALOG_PARTS,
  /** Accepts a notice that the call is recorded, or noted by Gemini or another note taker. The other answer leaves. */
  noticeAccept: inside(
    'noticeDialog',
    byCss('button[data-mdc-dialog-action="ok"]', '2026-08-19'),
    byButton('Join now', '2026-09-22'),
    byButton('Jetzt teilnehmen', '2026-06-18', 'is', 'de'),
    byButton('Accept', '2026-11'),
    byButton('I agree', '2026-11'),
  ),
  /** In a call without other participants, Google Meet asks whether to stay. It ends the call two minutes later. */
  stayButton: inside(
    'noticeDialog',
    byButton('Stay in the call', '2026-05-29'),
    byButton('Stay in call', '2026-05-29'),
    byButton('Keep me in the call', '2026-11'),
  ),
  // Breakout rooms. No public source shows this dialog, so its texts are guesses.
  breakoutJoin: inside(
    'noticeDialog',
    ...BREAKOUT_WORDS.map(([join, , language]) => byButton(join, '2026-11', 'is', language)),
  ),
  breakoutStay: inside(
    'noticeDialog',
    ...BREAKOUT_WORDS.map(([, stay, language]) => byButton(stay, '2026-11', 'is', language)),
  ),
  /** A dialog in an unknown language. Its last button continues and reveals less. */
  anyDialog: [byCss('[role="dialog"][aria-modal="true"]', '2026-07-29')],
  dialogChoice: {
    pick: 'last',
    strategies: [byCss('[role="dialog"][aria-modal="true"] button', '2026-07-29')],
  },
  bubbleDismiss: [byButton('Got it', '2026-07-29'), byButton('Dismiss', '2026-06-18')],
  microphoneIsOn: [
    byCss('[aria-label^="Turn off microphone"]', '2026-08-21', 'en'),
    byIcon('mic', '2026-03-31'),
  ],
  cameraIsOn: [
    byCss('[aria-label^="Turn off camera"]', '2026-08-21', 'en'),
    byIcon('videocam', '2026-03-31'),
  ],

  // Parts of the page in the call. The lobby has the leave button too, so that button does not prove a call.
  leaveButton: [
    byCss('button[jsname="CQylAd"]', '2026-07'),
    byCss('button[aria-label="Leave call"]', '2026-08-21', 'en'),
    byIcon('call_end', '2026-05-10'),
  ],
  leaveConfirm: [
    byButton('Just leave the call', '2026-08-19'),
    byButton('Leave meeting', '2026-08-19'),
  ],
  callControls: [byCss('div[role="region"][aria-label="Call controls"]', '2025-10-31', 'en')],
  chatButton: [
    byCss('button[aria-label^="Chat with everyone"]', '2026-08-21', 'en'),
    byIcon('chat', '2026-05-10'),
  ],
  peopleButton: [
    byCss('button[aria-label^="People"]', '2026-08-21', 'en'),
    byCss('button[aria-label="Show everyone"]', '2025-10-31', 'en'),
    byCss('nav button[data-panel-id="1"]', '2026-08-19'),
    byIcon('people', '2026-05-10'),
    byIcon('group', '2026-11'),
  ],
  /** The name in the tile of another participant. Icons are marked as not to be translated too, even in the lobby. */
  otherTile: [
    byCss(
      '[data-participant-id] .notranslate:not([data-self-name], i, .google-symbols, .google-material-icons, .material-icons, .material-icons-extended, [aria-hidden="true"])',
      '2026-08-21',
    ),
  ],
  moreButton: [
    byCss('button[jsname="NakZHc"]', '2026-08-19'),
    byCss('[role="region"] button[aria-label="More options"]', '2026-08-19', 'en'),
    byIcon('more_vert', '2026-08-19'),
  ],
  settingsItem: [byText('Settings', '2026-08-19')],
  captionsTab: [
    byCss('button[jsname="z4Tpl"]', '2026-08-19'),
    byCss('button[role="tab"][aria-label="Captions"]', '2026-08-19', 'en'),
  ],
  /** `{language}` is the BCP 47 tag. A click works even though the list is hidden. */
  languageItem: [byCss('li[data-value="{language}"]', '2026-08-19')],
  dialogClose: [
    byCss('[aria-modal="true"] button[aria-label^="Close"]', '2026-08-19', 'en'),
    byIcon('close', '2026-08-19'),
  ],

  // Captions. Google Meet removes the region when captions are turned off, and adds a new one when they are turned on.
  captionsButton: [
    byCss('button[jsname="r8qRAd"]', '2026-07'),
    byCss(
      'button[aria-label^="Turn on captions"], button[aria-label^="Turn off captions"]',
      '2026-08-19',
      'en',
    ),
    byIcon('closed_caption_off', '2026-05-10'),
    byIcon('closed_caption', '2026-05-10'),
  ],
  /** The captions button while captions are off. */
  captionsTurnOn: [
    byCss('button[aria-label^="Turn on captions"]', '2026-08-19', 'en'),
    byCss('button[jsname="r8qRAd"][aria-pressed="false"]', '2026-07'),
    byIcon('closed_caption_off', '2026-05-10', '[aria-pressed="false"]'),
    byIcon('closed_caption', '2026-05-10', '[aria-pressed="false"]'),
    byKeyboardShortcut('c', '2025-08-05'),
  ],
  /** The captions button while captions are on. */
  captionsTurnOff: [
    byCss('button[aria-label^="Turn off captions"]', '2026-08-19', 'en'),
    byCss('button[jsname="r8qRAd"][aria-pressed="true"]', '2026-07'),
    byIcon('closed_caption', '2026-05-10', '[aria-pressed="true"]'),
  ],
  captionsRegion: [
    byCss('div[role="region"][tabindex="0"]', '2026-05-10'),
    byCss('div[role="region"][aria-label="Captions"]', '2026-07-08', 'en'),
    byCss('[jsname="dsyhDe"]', '2024-07'),
  ],
  captionRow: inside(
    'captionsRegion',
    byCss('.nMcdL', '2026-07-08'),
    byCss('div:has(> div img[data-iml])', '2026-07-08'),
    byCss('.TBMuR', '2024-07'),
  ),
  captionSpeaker: inside(
    'captionRow',
    byCss('.NWpY1d', '2026-07-08'),
    byCss('.KcIKyf', '2025-11-10'),
    byCss('.zs7s8d', '2024-07'),
  ),
  captionText: inside(
    'captionRow',
    byCss('.ygicle', '2026-07-08'),
    byCss('[jsname="tgaKEf"]', '2024-07'),
    byCss(':scope > div:last-child', '2026-05-10'),
  ),

  // The participant list. It is read if the network messages have no roster.
  peopleList: [
    byCss('div[role="list"][aria-label="Participants"]', '2025-10-31', 'en'),
    byCss('div[role="list"]:has(> [role="listitem"][data-participant-id])', '2025-10-31'),
  ],
  personItem: inside('peopleList', byCss('[role="listitem"][aria-label]', '2025-10-31')),
  headCount: [
    byCss('[data-avatar-count]', '2026-07'),
    byCss('button[aria-label^="People"]', '2026-08-21', 'en'),
    byCss('.egzc7c', '2026-03-11'),
  ],

  // The chat. Its list stays in the page after the panel is closed.
  chatInput: [
    byCss('textarea[aria-label^="Send a message"]', '2026-08-19', 'en'),
    byCss('[aria-label^="Send a message"] [contenteditable="true"]', '2026-04', 'en'),
    byCss('aside textarea', '2026-07'),
    byCss('aside [contenteditable="true"]', '2026-07'),
  ],
  chatSend: [
    byCss('button[aria-label^="Send a message"]', '2026-08-19', 'en'),
    byIcon('send', '2026-07'),
    byKeyboardShortcut('Enter', '2026-08-19'),
  ],
  chatList: [
    byCss('[aria-live="polite"].Ge9Kpc', '2026-05-10'),
    byCss('[jsname="xySENc"]', '2026-05-10'),
    byCss('[role="list"][aria-label="In-call messages"]', '2026-07-29', 'en'),
  ],
  chatMessage: inside('chatList', byCss('[data-message-id]', '2026-07-29')),
  chatGroup: inside('chatList', byCss('.Ss4fHf', '2026-05-10')),
  chatAuthor: inside('chatGroup', byCss('.poVWob', '2026-05-10')),
  chatText: inside('chatMessage', byCss('[jsname="dTKtvb"]', '2026-05-10')),

  // Parts with text that participants wrote. It never decides the state of the page.
  chatPanel: [byCss('[aria-live="polite"].Ge9Kpc', '2026-05-10')],
  sidePanel: [
    byCss('aside[aria-label="Side panel"]', '2026-07-29', 'en'),
    byCss('aside', '2026-07'),
  ],
  tile: [byCss('[data-participant-id]', '2026-08-21')],

  // Parts of the page after the call.
  endHeading: [byCss('.roSPhc', '2026-08-19')],
  homeButton: [byButton('Return to home screen', '2026-08-21')],
  rejoinButton: [byButton('Rejoin', '2026-08-21')],
  /** Every page has an invisible captcha frame. Only a large one asks something. */
  captchaFrame: {
    minSize: { width: 120, height: 40 },
    strategies: [byCss('iframe[src*="recaptcha"]', '2026-08-21')],
  },
})

export type GoogleMeetPartName = keyof typeof GOOGLE_MEET_PARTS
