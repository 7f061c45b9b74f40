export type SessionLimits = {
  /** Sound of one session that may wait; beyond it the oldest utterance is dropped. */
  waitingMs: number
  /** Sound that a worker has not confirmed. More waits in the service, where it can still be dropped. */
  unconfirmedMs: number
  /** A voice without sound for this time is silent. */
  silenceMs: number
  /**
   * How long `finish` may take. A machine that is behind needs longer for the sound that may wait than that sound lasted,
   * but the browser of the bot is gone by then.
   */
  finishMs: number
}

export const SESSION_LIMITS: SessionLimits = {
  waitingMs: 60_000,
  unconfirmedMs: 4_000,
  silenceMs: 1_500,
  finishMs: 120_000,
}
