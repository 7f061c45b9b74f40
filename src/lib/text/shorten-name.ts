/** The longest name that is repeated in an answer, and the longest for which a similar one is suggested. */
export const MAX_SHOWN_NAME_LENGTH = 64

/** A name that a caller sent, short enough to be repeated in an answer. */
export function shortenName(name: string): string {
  return name.length > MAX_SHOWN_NAME_LENGTH
    ? `${name.slice(0, MAX_SHOWN_NAME_LENGTH).toWellFormed()}…`
    : name
}
