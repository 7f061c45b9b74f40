import { looksLikeName, removeDash } from './speaker-prefix.ts'

const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?`
/** `**Ada:** text`, as a line of its own or in a list. */
const EMPHASIS = /^(?:[-*•] +|#{1,6} +)?(\*\*|__|\*|_)(\S[^*_]{0,200}?)\1(?!\w)(.*)$/su
/** More spaces between a name and its time would take long to compare. */
const SPACES = String.raw`\s{0,9}`
/** The time after a name, and the text after it. */
const TIME = new RegExp(
  `^${SPACES}[-–—|,]?${SPACES}[[(]?(${CLOCK})[\\])]?(?=[\\s:]|$)${SPACES}:?\\s*(.*)$`,
  'su',
)
/** A time in front of the rest of a line. */
const LEADING_TIME = new RegExp(
  `^([[(]?${CLOCK}[\\])]?${SPACES}[-–—:]?${SPACES})(?=[*_])(.*)$`,
  'su',
)

/** Markdown writes `\[laughter\]` so that it is no link. */
const ESCAPED = /\\(?=[[\]*_])/g

/** Writes the start of a turn in markdown as in plain text: `Ada: text` or `Ada (0:15): text`. Other lines stay. */
export function toPlainTurn(given: string): string {
  const line = given.replaceAll(ESCAPED, '')
  const [, time, text] = LEADING_TIME.exec(line) ?? []
  return time === undefined || text === undefined ? plainStart(line) : `${time}${plainStart(text)}`
}

function plainStart(line: string): string {
  const [, , inside, rest] = EMPHASIS.exec(line) ?? []
  if (inside === undefined || rest === undefined) return removeDash(line)
  if (/:\s*$/u.test(inside)) return `${inside.trimEnd()} ${rest.trimStart()}`
  if (/^\s*:/u.test(rest)) return `${inside}${rest.trimStart()}`
  const [, clock, said] = TIME.exec(rest) ?? []
  return clock !== undefined && looksLikeName(inside) ? `${inside} (${clock}): ${said}` : line
}

/** Removes the marks of a heading and of bold text. */
export function removeHeadingMarks(line: string): string {
  return line
    .trim()
    .replace(/^#{1,6} +/, '')
    .replaceAll('**', '')
}
