export type SessionLimits = {
  /** Sound of one session that may wait; beyond it the oldest is dropped. */
  waitingMs: number
  /** Sound that a worker has not confirmed. More waits in the service, where it can still be dropped. */
  unconfirmedMs: number
  /** A voice without sound for this time is silent. */
  silenceMs: number
  /** How long `finish` waits: less than the service waits for a platform to close. */
  finishMs: number
}

export const SESSION_LIMITS: SessionLimits = {
  waitingMs: 60_000,
  unconfirmedMs: 4_000,
  silenceMs: 1_500,
  finishMs: 8_000,
}
