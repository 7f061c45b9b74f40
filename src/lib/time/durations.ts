/** Milliseconds of a day without a clock change. */
export const DAY_MS = 24 * 60 * 60 * 1000
