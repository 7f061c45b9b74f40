/** Time limits of a session in milliseconds. Tests use shorter ones. */
export type SessionTimeouts = { readonly [Name in keyof typeof SESSION_TIMEOUTS]: number }

export const SESSION_TIMEOUTS = {
  /** For the first bytes of the page. */
  openMs: 45_000,
  /** Pause between two attempts to open the page. */
  reopenMs: 3_000,
  /** For the page to show the way into the meeting. Slightly below the service's limit. */
  arriveMs: 110_000,
  /** For the page to continue after the request to join, as long as it shows no lobby. */
  enterMs: 110_000,
  /** A page that shows its loading screen for this long is reloaded. */
  loadingMs: 30_000,
  /** Evidence of the lobby is collected after this time. It later explains why the bot was not admitted. */
  lobbyEvidenceMs: 20_000,
  /** For another admission after a page has failed. The service limits the first admission. */
  readmitMs: 900_000,
  /** For captions after admission, if they were never on. */
  captionsMs: 120_000,
  /** For captions to return after they were on. */
  captionsBackMs: 300_000,
  /** Captions are treated as lost if neither page nor wire has delivered any for this time. */
  captionsLostMs: 5_000,
  /** For captions after admission, before speech is recorded instead. */
  firstCaptionsMs: 10_000,
  /**
   * Captions lag behind speech. After this time without sound and without a new caption, none is on its way, so
   * captions can be recorded again instead of speech.
   */
  captionsQuietMs: 3_000,
  /** For a roster on the wire, before the participant list on the page is opened. */
  rosterMs: 5_000,
  /** Pause between two attempts to set the caption language, which a host's client may reset. */
  languageMs: 5_000,
  /** Pause between two attempts to post a chat message. */
  chatRetryMs: 3_000,
  /** For the page to confirm that the bot left. */
  leaveMs: 6_000,
  /** For the browser to close the page. */
  closeMs: 3_000,
  /** A session of this length resets the number of rejoins. */
  stableSessionMs: 60_000,
  /** Pause between two sessions. */
  rejoinMs: 2_000,
} as const

/** The visit ends after this many failed sessions in a row. */
export const MAX_CONSECUTIVE_REJOINS = 3
export const MAX_PAGE_OPEN_TRIES = 3
export const MAX_PAGE_RELOADS = 2
