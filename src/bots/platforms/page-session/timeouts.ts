/** How long each thing is waited for, in milliseconds; a test may be shorter of it. */
export type SessionTimeouts = { readonly [Name in keyof typeof SESSION_TIMEOUTS]: number }

export const SESSION_TIMEOUTS = {
  /** For the first bytes of the page. */
  openMs: 45_000,
  /** Between two tries to open it. */
  reopenMs: 3_000,
  /** For the page to become the way into a meeting: just below the limit that the service itself sets. */
  arriveMs: 110_000,
  /** A splash that stays is loaded again. */
  loadingMs: 30_000,
  /** The lobby is shown to whoever asks later why nobody opened. */
  lobbyEvidenceMs: 20_000,
  /** For being let in again after a page has failed; the service's own limits are for the first time. */
  readmitMs: 900_000,
  /** For captions after admission, when they have never been on. */
  captionsMs: 120_000,
  /** For captions that were there and went. */
  captionsBackMs: 300_000,
  /** Nothing shown and nothing heard for so long: captions are lost. */
  captionsLostMs: 5_000,
  /** For a roster on the wire, before the list on the page is opened. */
  rosterMs: 5_000,
  /** A host's client may set the language back at once; so often it is set again. */
  languageMs: 5_000,
  /** For the page after leaving. */
  leaveMs: 6_000,
  /** For the browser to close the page. */
  closeMs: 3_000,
  /** A stay of that length starts the count of rejoins anew. */
  stableSessionMs: 60_000,
  /** Between two stays. */
  rejoinMs: 2_000,
} as const

/** Pages that crash or wander off so often in a row will do so again. */
export const MAX_REJOINS = 3
export const MAX_OPEN_TRIES = 3
export const MAX_RELOADS = 2
