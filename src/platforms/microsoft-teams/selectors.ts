import { button, css, keys, text, type Parts } from '../page/strategy.ts'

/** The parts of Microsoft Teams' pages. Its ids and `data-tid` are the same in every language. */
export const MICROSOFT_TEAMS_PARTS = {
  // Before the call.
  joinOnWeb: {
    strategies: [
      css('button[data-tid="joinOnWeb"]', '2026-08-21'),
      button('Join meeting from this browser', '2025-09-30'),
      button('Continue on this browser', '2026-08-21'),
      button('Join on this browser', '2026-08-21'),
    ],
  },
  loadingScreen: { strategies: [css('#loading-screen', '2026-07')] },
  devicesDismiss: {
    strategies: [
      css('[data-focus-target="gum-continue"]', '2026-08-21'),
      button('Continue without audio or video', '2026-08-21'),
    ],
  },
  nameInput: {
    strategies: [
      css('input[data-tid="prejoin-display-name-input"]', '2026-08-19'),
      css('input[placeholder="Type your name"]', '2026-08-21', 'en'),
    ],
  },
  /** Greyed out once it was clicked; clickable again when the lobby has lost us. */
  joinButton: {
    strategies: [
      css('#prejoin-join-button', '2026-05-10'),
      css('button[data-tid="prejoin-join-button"]', '2026-08-19'),
      button('Join now', '2026-08-21'),
    ],
  },
  cancelButton: {
    strategies: [
      css('[data-tid="prejoin-cancel-button"]', '2026-08-19'),
      button('Cancel', '2026-08-19'),
    ],
  },
  microphoneSwitch: { strategies: [css('[data-tid="toggle-mute"]', '2026-08-19')] },
  cameraSwitch: { strategies: [css('[data-tid="toggle-video"]', '2026-08-19')] },
  lobbyScreen: { strategies: [css('[data-tid="lobby-screen"]', '2026-08-21')] },
  /** Too wide to prove anything while there is a button for leaving. */
  lobbyTrace: { strategies: [css('[data-tid*="lobby"]', '2026-08-21')] },
  loginForm: { strategies: [css('input[name="loginfmt"][type="email"]', '2026-08-19')] },

  // In the call.
  hangupButton: {
    strategies: [
      css('button#hangup-button:not([aria-disabled="true"])', '2026-08-21'),
      css('div#hangup-button button:not([aria-disabled="true"])', '2026-05-10'),
      css('button[data-tid="hangup-main-btn"]:not([aria-disabled="true"])', '2026-08-21'),
      css('[data-inp="hangup-button"]:not([aria-disabled="true"])', '2026-07-19'),
      css('button[aria-label="Leave"]:not([aria-disabled="true"])', '2026-08-21', 'en'),
    ],
  },
  callDuration: { strategies: [css('[data-tid="call-duration"]', '2026-08-21')] },
  moreButton: {
    strategies: [
      css('#callingButtons-showMoreBtn', '2026-08-21'),
      css('button[data-tid="more-button"]', '2026-02-24'),
      button('More', '2026-08-21'),
    ],
  },
  languageMenu: { strategies: [css('#LanguageSpeechMenuControl-id', '2026-08-21')] },
  rosterButton: {
    strategies: [
      css('#roster-button', '2026-08-21'),
      css('[data-tid="calling-toolbar-people-button"]', '2026-07'),
      button('People', '2026-03-11', 'starts'),
    ],
  },
  chatButton: { strategies: [css('#chat-button', '2026-08-19')] },

  // Captions. The renderer may come only with the first words.
  captionsItem: {
    strategies: [
      css('#closed-captions-button', '2026-08-21'),
      css('#captions-button', '2026-08-21'),
      css('button[data-tid="cc-toggle-button"]', '2026-07'),
      css('[data-tid="call-captions-button"]', '2026-07'),
      text('Show live captions', '2026-08-21'),
      text('Turn on live captions', '2026-08-21'),
      keys('Alt+Shift+C', '2026-05-10'),
    ],
  },
  /** Names and places of these settings have been seen by nobody in public: words first. */
  captionSettingsItem: {
    strategies: [
      text('Caption settings', '2026-11'),
      text('Change spoken language', '2026-11'),
      css('#caption-settings-button', '2026-11'),
    ],
  },
  languageChoice: {
    strategies: [
      css('[role="dialog"] [role="combobox"]', '2026-11'),
      css('[role="combobox"][aria-label*="language" i]', '2026-11', 'en'),
    ],
  },
  languageItem: {
    strategies: [
      css('[role="option"][data-value="{language}" i]', '2026-11'),
      css('[role="option"][lang="{language}" i]', '2026-11'),
    ],
  },
  languageConfirm: {
    strategies: [
      button('Update', '2026-11'),
      button('Save', '2026-11'),
      css('[role="dialog"] [data-tid$="-update"]', '2026-11'),
    ],
  },
  captionsRegion: {
    strategies: [
      css('[data-tid="closed-caption-v2-virtual-list-content"]', '2026-07-19'),
      css('[data-tid="closed-caption-v2-window-wrapper"]', '2026-08-21'),
      css('[data-tid="closed-caption-renderer-wrapper"]', '2026-08-21'),
      css('[data-tid="closed-captions-renderer"]', '2025-05'),
      css('[data-tid*="closed-caption"]', '2026-02-24'),
    ],
  },
  captionRow: {
    within: 'captionsRegion',
    strategies: [
      css('.fui-ChatMessageCompact', '2026-07-19'),
      css('[role="log"]', '2026-07-08'),
      css('.ui-chat__item', '2025-05'),
    ],
  },
  captionSpeaker: {
    within: 'captionRow',
    strategies: [
      css('[data-tid="author"]', '2026-08-21'),
      css('.fui-ChatMessageCompact__author', '2026-07-19'),
      css('.ui-chat__message__author', '2025-05'),
    ],
  },
  captionText: {
    within: 'captionRow',
    strategies: [
      css('[data-tid="closed-caption-text"]', '2026-08-21'),
      css('.fui-StyledText', '2025-05'),
    ],
  },

  // People, where the wire does not tell of them.
  peopleList: {
    strategies: [
      css('[role="tree"][aria-label="Attendees"]', '2026-03-11', 'en'),
      css('[role="tree"]:has([data-cid="roster-participant"])', '2026-03-11'),
    ],
  },
  personItem: {
    within: 'peopleList',
    strategies: [
      css('[data-tid^="participantsInCall-"]', '2026-02-24'),
      css('[data-cid="roster-participant"][aria-label]', '2026-03-11'),
    ],
  },
  personName: {
    within: 'personItem',
    strategies: [css('[id^="roster-avatar-img-"]', '2026-02-24')],
  },
  personIsHost: {
    within: 'personItem',
    strategies: [css('[data-tid="ts-roster-organizer-status"]', '2026-02-24')],
  },
  headCount: {
    strategies: [
      css('span[data-tid="roster-button-tile"]', '2026-08-21'),
      css('#roster-title-section-2', '2026-02-24'),
    ],
  },

  // Words that are people's, not the platform's: nothing is decided by them.
  captionsWrapper: { strategies: [css('[data-tid*="closed-caption"]', '2026-02-24')] },
  chatPanel: { strategies: [css('[data-tid="chat-pane"], #chat-pane-list', '2026-08-21')] },
  stageLayout: { strategies: [css('[data-tid="stage-layout"]', '2026-03-11')] },

  // Ends.
  retryScreen: { strategies: [css('[data-tid="calling-retry-screen"]', '2026-08-19')] },
  retryTitle: { strategies: [css('#calling-retry-screen-title', '2026-08-19')] },
  retryDescription: { strategies: [css('#calling-retry-screen-description', '2026-08-19')] },
  encryptionScreen: { strategies: [css('[data-tid="calling-e2ee-end-screen"]', '2026-08-19')] },
} satisfies Parts

export type MicrosoftTeamsPart = keyof typeof MICROSOFT_TEAMS_PARTS
