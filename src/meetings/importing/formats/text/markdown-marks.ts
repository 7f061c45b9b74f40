import { looksLikeName, removeDash } from './speaker-prefix.ts'

const CLOCK = String.raw`(?:\d{1,3}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?`
/** `**Ada:** text`, as a line of its own or in a list. */
const EMPHASIS = /^(?:[-*•] +|#{1,6} +)?(\*\*|__|\*|_)(\S[^*_]{0,200}?)\1(?!\w)(.*)$/su
/** The time after a name, and the text after it. */
const TIME = new RegExp(`^\\s*[-–—|,]?\\s*[[(]?(${CLOCK})[\\])]?(?=[\\s:]|$)\\s*:?\\s*(.*)$`, 'su')

/** Writes the start of a turn in markdown as in plain text: `Ada: text` or `Ada (0:15): text`. Other lines stay. */
export function toPlainTurn(line: string): string {
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
