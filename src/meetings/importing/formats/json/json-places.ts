import { errorMessageOf } from '../../../../lib/error-code.ts'
import { failAt } from '../found-transcript.ts'

const MAX_DEPTH = 64

/** Parses JSON. Fails with the line of the first mistake, or of the place where it is nested too deeply. */
export function parseJson(text: string): unknown {
  refuseDeepNesting(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const message = errorMessageOf(error)
    const [, line] = /\(line (\d+) column \d+\)/.exec(message) ?? []
    const [, position] = /at position (\d+)/.exec(message) ?? []
    const found = Number(
      line ?? lineAt(text, position === undefined ? text.length : Number(position)),
    )
    return failAt(found, 'The JSON is not valid here. Was the file cut off?')
  }
}

/** The line of an element of the first array that the key names, or of the outermost array without a key. */
export function findElementLine(text: string, key: string | null, index: number): number {
  const start = key === null ? text.indexOf('[') : findKey(text, key)
  let depth = 0
  let element = 0
  /** Where the element begins; null until its first character. */
  let position: number | null = null
  const isSpace = (character: number) =>
    character === 0x20 || (character >= 0x09 && character <= 0x0d)
  walkJson(text, start, (character, at) => {
    const isSeparator = character === 0x2c && depth === 1
    if (depth === 1 && element === index && !isSeparator && !isSpace(character)) position = at
    if (character === 0x5b || character === 0x7b) depth += 1
    else if (character === 0x5d || character === 0x7d) depth -= 1
    else if (isSeparator) element += 1
    return position !== null || depth === 0
  })
  return lineAt(text, position ?? start)
}

function findKey(text: string, key: string): number {
  const match = new RegExp(`"${key}"\\s*:\\s*\\[`).exec(text)
  return match === null ? 0 : match.index + match[0].length - 1
}

function refuseDeepNesting(text: string): void {
  let depth = 0
  walkJson(text, 0, (character, at) => {
    if (character === 0x5b || character === 0x7b) depth += 1
    else if (character === 0x5d || character === 0x7d) depth -= 1
    if (depth > MAX_DEPTH)
      failAt(lineAt(text, at), `The JSON has more than ${MAX_DEPTH} levels of nesting`)
    return false
  })
}

/** Visits every character outside of strings, and the quote before each, until `visit` returns true. */
function walkJson(text: string, from: number, visit: (code: number, at: number) => boolean): void {
  let isInString = false
  for (let i = from; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (isInString) {
      if (code === 0x5c) i += 1
      else if (code === 0x22) isInString = false
    } else {
      if (visit(code, i)) return
      isInString = code === 0x22
    }
  }
}

function lineAt(text: string, position: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < position; at = text.indexOf('\n', at + 1))
    line += 1
  return line
}
