export const SECOND_MS = 1_000
export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
/** Milliseconds of a day without a clock change. */
export const DAY_MS = 24 * HOUR_MS
