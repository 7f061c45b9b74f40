/** The longest meeting that can be imported, like the longest that a bot attends. */
const MAX_HOURS = 7 * 24

const CLOCK = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{2})(?:[.,](\d{1,9}))?$/

/** A time since the start of a meeting, or the reason why a text is not one. */
export type ClockTime = { ms: number } | { problem: string }

/** Parses `H:MM:SS` or `MM:SS`, with or without fractions of a second after a point or a comma. */
export function parseClockTime(text: string): ClockTime {
  const parts = CLOCK.exec(text.trim())
  if (parts === null) return { problem: `“${shorten(text)}” is not a time such as 00:01:23` }
  const [, hours, minutes = '', seconds = '', fraction = ''] = parts
  if (hours !== undefined && Number(minutes) >= 60) {
    return { problem: `“${shorten(text)}” has ${minutes} minutes, and an hour has 60` }
  }
  if (Number(seconds) >= 60) {
    return { problem: `“${shorten(text)}” has ${seconds} seconds, and a minute has 60` }
  }
  const ms =
    (Number(hours ?? 0) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 +
    Number(fraction.padEnd(3, '0').slice(0, 3))
  if (ms > MAX_HOURS * 3_600_000) {
    return { problem: `“${shorten(text)}” is more than ${MAX_HOURS} hours after the start` }
  }
  return { ms }
}

/** A text of the file as part of an error message. */
export function shorten(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  const characters = Array.from(line.slice(0, 200))
  return characters.length <= 40 ? line : `${characters.slice(0, 40).join('')}…`
}
