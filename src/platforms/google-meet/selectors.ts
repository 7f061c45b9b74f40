import { button, css, icon, keys, text, type Parts, type Strategy } from '../page/strategy.ts'

/** Words on the button that knocks or joins; the rarer ones are for accounts and second devices. */
const JOIN_WORDS: ReadonlyArray<[words: string, seen: string, language?: string]> = [
  ['Ask to join', '2026-08-21'],
  ['Join now', '2026-08-21'],
  ['Ask to join anyway', '2026-08-19'],
  ['Join anyway', '2026-08-19'],
  ['Join the call now', '2026-08-19'],
  ['Join here too', '2026-08-19'],
  ['Switch here', '2026-08-19'],
  ['Teilnahme erbitten', '2026-06-18', 'de'],
  ['Jetzt teilnehmen', '2026-06-18', 'de'],
  ['Trotzdem teilnehmen', '2026-06-18', 'de'],
]

function join([words, seen, language = 'en']: (typeof JOIN_WORDS)[number]): Strategy {
  return button(words, seen, 'is', language)
}

/** The parts of Google Meet's pages. Class names are the platform's own and change; labels are of a language. */
export const GOOGLE_MEET_PARTS = {
  // Before the call.
  nameInput: {
    strategies: [
      css('input[type="text"][aria-label="Your name"]', '2026-08-19', 'en'),
      css('input[type="text"][placeholder="Your name"]', '2026-07-29', 'en'),
      css('input[jsname][type="text"]', '2026-08-21'),
    ],
  },
  joinButton: { strategies: [css('button[jsname="Qx7uuf"]', '2026-07'), ...JOIN_WORDS.map(join)] },
  permissionDismiss: {
    strategies: [
      button('Continue without microphone and camera', '2026-07-29'),
      button('Ohne Mikrofon und Kamera fortfahren', '2026-06-18', 'is', 'de'),
      button('Use without an account', '2026-06-18'),
    ],
  },
  noticeAccept: {
    strategies: [css('[role="dialog"] button[data-mdc-dialog-action="ok"]', '2026-08-19')],
  },
  /** A question in words that are not known here, and the answer that gives less away: its last button. */
  anyDialog: { strategies: [css('[role="dialog"][aria-modal="true"]', '2026-07-29')] },
  dialogChoice: {
    strategies: [css('[role="dialog"][aria-modal="true"] button:last-of-type', '2026-07-29')],
  },
  bubbleDismiss: { strategies: [button('Got it', '2026-07-29'), button('Dismiss', '2026-06-18')] },
  microphoneIsOn: {
    strategies: [
      css('[aria-label^="Turn off microphone"]', '2026-08-21', 'en'),
      icon('mic', '2026-03-31'),
    ],
  },
  cameraIsOn: {
    strategies: [
      css('[aria-label^="Turn off camera"]', '2026-08-21', 'en'),
      icon('videocam', '2026-03-31'),
    ],
  },

  // In the call. The button for leaving is in the lobby too, and proves nothing.
  leaveButton: {
    strategies: [
      css('button[jsname="CQylAd"]', '2026-07'),
      css('button[aria-label="Leave call"]', '2026-08-21', 'en'),
      icon('call_end', '2026-05-10'),
    ],
  },
  leaveConfirm: {
    strategies: [
      button('Just leave the call', '2026-08-19'),
      button('Leave meeting', '2026-08-19'),
    ],
  },
  callControls: {
    strategies: [css('div[role="region"][aria-label="Call controls"]', '2025-10-31', 'en')],
  },
  chatButton: {
    strategies: [
      css('button[aria-label^="Chat with everyone"]', '2026-08-21', 'en'),
      icon('chat', '2026-05-10'),
    ],
  },
  peopleButton: {
    strategies: [
      css('button[aria-label^="People"]', '2026-08-21', 'en'),
      css('button[aria-label="Show everyone"]', '2025-10-31', 'en'),
      css('nav button[data-panel-id="1"]', '2026-08-19'),
      icon('people', '2026-05-10'),
    ],
  },
  otherTile: {
    strategies: [css('[data-participant-id] .notranslate:not([data-self-name])', '2026-08-21')],
  },
  moreButton: {
    strategies: [
      css('button[jsname="NakZHc"]', '2026-08-19'),
      css('[role="region"] button[aria-label="More options"]', '2026-08-19', 'en'),
      icon('more_vert', '2026-08-19'),
    ],
  },
  settingsItem: { strategies: [text('Settings', '2026-08-19')] },
  captionsTab: {
    strategies: [
      css('button[jsname="z4Tpl"]', '2026-08-19'),
      css('button[role="tab"][aria-label="Captions"]', '2026-08-19', 'en'),
    ],
  },
  /** `{language}` is the BCP 47 tag. The click works also where the list cannot be seen. */
  languageItem: { strategies: [css('li[data-value="{language}"]', '2026-08-19')] },
  dialogClose: {
    strategies: [
      css('[aria-modal="true"] button[aria-label^="Close"]', '2026-08-19', 'en'),
      icon('close', '2026-08-19'),
    ],
  },

  // Captions. The region goes when they are turned off, and another one comes when they are turned on.
  captionsButton: {
    strategies: [
      css('button[jsname="r8qRAd"]', '2026-07'),
      css(
        'button[aria-label^="Turn on captions"], button[aria-label^="Turn off captions"]',
        '2026-08-19',
        'en',
      ),
      icon('closed_caption_off', '2026-05-10'),
    ],
  },
  captionsTurnOn: {
    strategies: [
      css('button[aria-label^="Turn on captions"]', '2026-08-19', 'en'),
      css('button[jsname="r8qRAd"][aria-pressed="false"]', '2026-07'),
      keys('c', '2025-08-05'),
    ],
  },
  captionsRegion: {
    strategies: [
      css('div[role="region"][tabindex="0"]', '2026-05-10'),
      css('div[role="region"][aria-label="Captions"]', '2026-07-08', 'en'),
      css('[jsname="dsyhDe"]', '2024-07'),
    ],
  },
  captionRow: {
    within: 'captionsRegion',
    strategies: [
      css('.nMcdL', '2026-07-08'),
      css('div:has(> div img[data-iml])', '2026-07-08'),
      css('.TBMuR', '2024-07'),
    ],
  },
  captionSpeaker: {
    within: 'captionRow',
    strategies: [
      css('.NWpY1d', '2026-07-08'),
      css('.KcIKyf', '2025-11-10'),
      css('.zs7s8d', '2024-07'),
    ],
  },
  captionText: {
    within: 'captionRow',
    strategies: [
      css('.ygicle', '2026-07-08'),
      css('[jsname="tgaKEf"]', '2024-07'),
      css(':scope > div:last-child', '2026-05-10'),
    ],
  },

  // People, where the wire does not tell of them.
  peopleList: {
    strategies: [
      css('div[role="list"][aria-label="Participants"]', '2025-10-31', 'en'),
      css('div[role="list"]:has(> [role="listitem"][data-participant-id])', '2025-10-31'),
    ],
  },
  personItem: {
    within: 'peopleList',
    strategies: [css('[role="listitem"][aria-label]', '2025-10-31')],
  },
  headCount: {
    strategies: [
      css('[data-avatar-count]', '2026-07'),
      css('button[aria-label^="People"]', '2026-08-21', 'en'),
      css('.egzc7c', '2026-03-11'),
    ],
  },

  // Words that are people's, not the platform's: nothing is decided by them.
  chatPanel: { strategies: [css('[aria-live="polite"].Ge9Kpc', '2026-05-10')] },
  sidePanel: {
    strategies: [
      css('aside[aria-label="Side panel"]', '2026-07-29', 'en'),
      css('aside', '2026-07'),
    ],
  },
  tile: { strategies: [css('[data-participant-id]', '2026-08-21')] },

  // Ends.
  endHeading: { strategies: [css('.roSPhc', '2026-08-19')] },
  homeButton: { strategies: [button('Return to home screen', '2026-08-21')] },
  rejoinButton: { strategies: [button('Rejoin', '2026-08-21')] },
  /** An invisible one is in every page. */
  captchaFrame: {
    minSize: { width: 120, height: 40 },
    strategies: [css('iframe[src*="recaptcha"]', '2026-08-21')],
  },
} satisfies Parts

export type GoogleMeetPart = keyof typeof GOOGLE_MEET_PARTS
