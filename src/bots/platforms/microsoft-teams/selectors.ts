import {
  byButton,
  byCss,
  createPageParts,
  DIALOG_PARTS,
  inside,
  byKeyboardShortcut,
  byText,
} from '../page-model/find-strategies.ts'

/** How the parts of Microsoft Teams pages are found. Ids and `data-tid` attributes are the same in every language. */
export const MICROSOFT_TEAMS_PARTS = createPageParts({
  // Before the call.
  joinOnWeb: [
    byCss('button[data-tid="joinOnWeb"]', '2026-08-21'),
    byButton('Join meeting from this browser', '2025-09-30'),
    byButton('Continue on this browser', '2026-08-21'),
    byButton('Join on this browser', '2026-08-21'),
  ],
  /** The banner of Microsoft's sites. Its second button declines. */
  cookieBanner: [byCss('#wcpConsentBannerCtrl', '2026-08')],
  cookieReject: inside(
    'cookieBanner',
    byButton('Reject', '2026-08'),
    byCss('button:nth-of-type(2)', '2026-08'),
  ),
  loadingScreen: [byCss('#loading-screen', '2026-07')],
  devicesDismiss: [
    byCss('[data-focus-target="gum-continue"]', '2026-08-21'),
    byButton('Continue without audio or video', '2026-08-21'),
  ],
  ...DIALOG_PARTS,
  /** Asks for consent to a recording. No public source shows its ids, so they are guesses. */
  noticeAccept: inside(
    'noticeDialog',
    byCss('button[data-tid*="consent"][data-tid*="accept"]', '2026-11'),
    byButton('Yes, I consent', '2026-11'),
    byButton('I consent', '2026-11'),
    byButton('Accept', '2026-11'),
    byButton('Join now', '2026-11'),
  ),
  /** In a call without other participants, Teams asks whether to stay. */
  stayButton: inside(
    'noticeDialog',
    byCss('button[data-tid*="stay-in-meeting"]', '2026-11'),
    byButton('Stay in the meeting', '2026-11'),
    byButton('Stay', '2026-11'),
  ),
  breakoutJoin: inside(
    'noticeDialog',
    byCss('button[data-tid*="breakout"][data-tid*="join"]', '2026-11'),
    byButton('Join room', '2026-11'),
  ),
  breakoutStay: inside(
    'noticeDialog',
    byCss('button[data-tid*="breakout"][data-tid*="later"]', '2026-11'),
    byButton('Later', '2026-11'),
  ),
  bubbleDismiss: [
    byCss('[role="alert"] button[data-tid$="dismiss"]', '2026-11'),
    byButton('Got it', '2026-11'),
    byButton('Dismiss', '2026-08-19'),
  ],
  // An account that is already in the call can add this device, or move the call here and end it there.
  addDevice: [
    byCss('button[data-tid*="add-this-device"]', '2026-11'),
    byButton('Add this device', '2026-11'),
  ],
  transferCall: [
    byCss('button[data-tid*="transfer-to-this-device"]', '2026-11'),
    byButton('Transfer to this device', '2026-11'),
  ],
  nameInput: [
    byCss('input[data-tid="prejoin-display-name-input"]', '2026-08-19'),
    byCss('input[placeholder="Type your name"]', '2026-08-21', 'en'),
  ],
  /** The button is disabled after a click, and enabled again if the lobby has dropped the bot. */
  joinButton: [
    byCss('#prejoin-join-button', '2026-05-10'),
    byCss('button[data-tid="prejoin-join-button"]', '2026-08-19'),
    byButton('Join now', '2026-08-21'),
  ],
  cancelButton: [
    byCss('[data-tid="prejoin-cancel-button"]', '2026-08-19'),
    byButton('Cancel', '2026-08-19'),
  ],
  microphoneSwitch: [byCss('[data-tid="toggle-mute"]', '2026-08-19')],
  cameraSwitch: [byCss('[data-tid="toggle-video"]', '2026-08-19')],
  lobbyScreen: [byCss('[data-tid="lobby-screen"]', '2026-08-21')],
  /** Matches every element named after the lobby, so it does not prove a lobby while the page has a leave button. */
  lobbyTrace: [byCss('[data-tid*="lobby"]', '2026-08-21')],
  loginForm: [byCss('input[name="loginfmt"][type="email"]', '2026-08-19')],

  // In the call.
  hangupButton: [
    byCss('button#hangup-button:not([aria-disabled="true"])', '2026-08-21'),
    byCss('div#hangup-button button:not([aria-disabled="true"])', '2026-05-10'),
    byCss('button[data-tid="hangup-main-btn"]:not([aria-disabled="true"])', '2026-08-21'),
    byCss('[data-inp="hangup-button"]:not([aria-disabled="true"])', '2026-07-19'),
    byCss('button[aria-label="Leave"]:not([aria-disabled="true"])', '2026-08-21', 'en'),
  ],
  /** The page of a person who only watches a town hall or a webinar. No public source shows its ids. */
  attendeeView: [byCss('[data-tid*="townhall-attendee"]', '2026-11')],
  callDuration: [byCss('[data-tid="call-duration"]', '2026-08-21')],
  moreButton: [
    byCss('#callingButtons-showMoreBtn', '2026-08-21'),
    byCss('button[data-tid="more-button"]', '2026-02-24'),
    byButton('More', '2026-08-21'),
  ],
  languageMenu: [byCss('#LanguageSpeechMenuControl-id', '2026-08-21')],
  rosterButton: [
    byCss('#roster-button', '2026-08-21'),
    byCss('[data-tid="calling-toolbar-people-button"]', '2026-07'),
    byButton('People', '2026-03-11', 'starts'),
  ],
  chatButton: [byCss('#chat-button', '2026-08-19')],

  // Captions. The caption area may appear only with the first words.
  captionsTurnOn: [
    byCss('#closed-captions-button[aria-checked="false"]', '2026-11'),
    byCss('[data-tid="call-captions-button"][aria-pressed="false"]', '2026-11'),
  ],
  captionsTurnOff: [
    byCss('#closed-captions-button[aria-checked="true"]', '2026-11'),
    byCss('[data-tid="call-captions-button"][aria-pressed="true"]', '2026-11'),
  ],
  /** The menu item while captions are on. */
  captionsHideItem: [
    byCss('#closed-captions-button[aria-checked="true"]', '2026-11'),
    byText('Hide live captions', '2026-08-21'),
    byText('Turn off live captions', '2026-08-21'),
  ],
  captionsItem: [
    byCss('#closed-captions-button', '2026-08-21'),
    byCss('#captions-button', '2026-08-21'),
    byCss('button[data-tid="cc-toggle-button"]', '2026-07'),
    byCss('[data-tid="call-captions-button"]', '2026-07'),
    byText('Show live captions', '2026-08-21'),
    byText('Turn on live captions', '2026-08-21'),
    byKeyboardShortcut('Alt+Shift+C', '2026-05-10'),
  ],
  /** No public source shows the ids of the caption settings, so the visible texts are tried first. */
  captionSettingsItem: [
    byText('Caption settings', '2026-11'),
    byText('Change spoken language', '2026-11'),
    byCss('#caption-settings-button', '2026-11'),
  ],
  languageChoice: [
    byCss('[role="dialog"] [role="combobox"]', '2026-11'),
    byCss('[role="combobox"][aria-label*="language" i]', '2026-11', 'en'),
  ],
  languageItem: [
    byCss('[role="option"][data-value="{language}" i]', '2026-11'),
    byCss('[role="option"][lang="{language}" i]', '2026-11'),
  ],
  languageConfirm: [
    byButton('Update', '2026-11'),
    byButton('Save', '2026-11'),
    byCss('[role="dialog"] [data-tid$="-update"]', '2026-11'),
  ],
  captionsRegion: [
    byCss('[data-tid="closed-caption-v2-virtual-list-content"]', '2026-07-19'),
    byCss('[data-tid="closed-caption-v2-window-wrapper"]', '2026-08-21'),
    byCss('[data-tid="closed-caption-renderer-wrapper"]', '2026-08-21'),
    byCss('[data-tid="closed-captions-renderer"]', '2025-05'),
    byCss('[data-tid*="closed-caption"]', '2026-02-24'),
  ],
  captionRow: inside(
    'captionsRegion',
    byCss('.fui-ChatMessageCompact', '2026-07-19'),
    byCss('[role="log"]', '2026-07-08'),
    byCss('.ui-chat__item', '2025-05'),
  ),
  captionSpeaker: inside(
    'captionRow',
    byCss('[data-tid="author"]', '2026-08-21'),
    byCss('.fui-ChatMessageCompact__author', '2026-07-19'),
    byCss('.ui-chat__message__author', '2025-05'),
  ),
  captionText: inside(
    'captionRow',
    byCss('[data-tid="closed-caption-text"]', '2026-08-21'),
    byCss('.fui-StyledText', '2025-05'),
  ),

  // Participants, read if the wire has no roster.
  peopleList: [
    byCss('[role="tree"][aria-label="Attendees"]', '2026-03-11', 'en'),
    byCss('[role="tree"]:has([data-cid="roster-participant"])', '2026-03-11'),
  ],
  personItem: inside(
    'peopleList',
    byCss('[data-tid^="participantsInCall-"]', '2026-02-24'),
    byCss('[data-cid="roster-participant"][aria-label]', '2026-03-11'),
  ),
  personName: inside('personItem', byCss('[id^="roster-avatar-img-"]', '2026-02-24')),
  personIsHost: inside(
    'personItem',
    byCss('[data-tid="ts-roster-organizer-status"]', '2026-02-24'),
  ),
  headCount: [
    byCss('span[data-tid="roster-button-tile"]', '2026-08-21'),
    byCss('#roster-title-section-2', '2026-02-24'),
  ],

  // The chat, which is in the page only while its pane is open.
  chatInput: [
    byCss('[contenteditable="true"][aria-label="Type a message"]', '2026-08-19', 'en'),
    byCss('[contenteditable="true"][placeholder="Type a message"]', '2026-08-19', 'en'),
    byCss('[role="textbox"][contenteditable="true"]', '2026-08-19'),
  ],
  chatSend: [byKeyboardShortcut('Enter', '2026-08-19')],
  chatList: [
    byCss('#chat-pane-list', '2026-08-21'),
    byCss('[data-tid="chat-pane"]', '2026-08-21'),
    byCss(':has(> [data-tid="chat-pane-item"])', '2026-08-21'),
  ],
  chatGroup: inside('chatList', byCss('[data-tid="chat-pane-item"]', '2026-08-21')),
  chatMessage: inside('chatList', byCss('[data-tid="chat-pane-message"]', '2026-08-21')),
  chatAuthor: inside('chatGroup', byCss('[data-tid="message-author-name"]', '2026-08-21')),
  chatText: inside(
    'chatMessage',
    byCss('[data-tid="messageBodyContent"]', '2026-08-21'),
    byCss('[id^="content-"]', '2026-08-21'),
  ),
  chatTime: inside('chatGroup', byCss('time[datetime]', '2026-08-21')),

  // Text that participants wrote. It never decides a state.
  captionsWrapper: [byCss('[data-tid*="closed-caption"]', '2026-02-24')],
  chatPanel: [byCss('[data-tid="chat-pane"], #chat-pane-list', '2026-08-21')],
  stageLayout: [byCss('[data-tid="stage-layout"]', '2026-03-11')],

  // End screens.
  retryScreen: [byCss('[data-tid="calling-retry-screen"]', '2026-08-19')],
  retryTitle: [byCss('#calling-retry-screen-title', '2026-08-19')],
  retryDescription: [byCss('#calling-retry-screen-description', '2026-08-19')],
  encryptionScreen: [byCss('[data-tid="calling-e2ee-end-screen"]', '2026-08-19')],
})

export type MicrosoftTeamsPartName = keyof typeof MICROSOFT_TEAMS_PARTS
