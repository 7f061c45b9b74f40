/** The longest name that a response repeats, and the longest for which a similar one is suggested. */
export const MAX_SHOWN_NAME_LENGTH = 64

/** Shortens a caller's name so that a response can repeat it. */
export function shortenName(name: string): string {
  return name.length > MAX_SHOWN_NAME_LENGTH
    ? `${name.slice(0, MAX_SHOWN_NAME_LENGTH).toWellFormed()}…`
    : name
}
