/** One line of iCalendar, after folded lines were joined. Names are in upper case. */
export type ContentLine = {
  name: string
  parameters: ReadonlyMap<string, string>
  value: string
}

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [0x09, 0x0a, 0x0d, 0x20]

/** Before the first line: a byte order mark and empty lines, and the spaces that it is indented by. */
const INDENT = /^(?:\u00ef\u00bb\u00bf)?(?:[ \t]*\r?\n)*([ \t]+)(?=BEGIN:)/i

const MAX_BEFORE_BEGIN = 10_000

/** Removes what keeps a feed from being read as lines: line ends of old Macs, and spaces before its first line or before all. */
export function normalizeLines(bytes: Uint8Array): Uint8Array {
  const lines = bytes.includes(LINE_FEED)
    ? bytes
    : bytes.map((byte) => (byte === CARRIAGE_RETURN ? LINE_FEED : byte))
  const found = INDENT.exec(toLatin1(lines.subarray(0, MAX_BEFORE_BEGIN)))
  if (found === null) return lines
  const [before, indent = ''] = found
  const rest = toLatin1(lines.subarray(before.length)).split('\n')
  // If only the first line has spaces before it, those of other lines join them to the line before.
  const isIndented = rest.every(
    (line, i) => i === 0 || line.trim() === '' || line.startsWith(indent),
  )
  const unindented = rest.map((line, i) =>
    i === 0 || !isIndented ? line : line.slice(indent.length),
  )
  return Buffer.from(unindented.join('\n'), 'latin1')
}

/** One character for each byte, because the bytes need not be valid text. */
function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
}

/**
 * Joins folded lines. Works on bytes, because a feed may fold a line between the bytes of one character.
 */
export function unfold(bytes: Uint8Array): Uint8Array {
  const joined = new Uint8Array(bytes.length)
  let length = 0
  let copiedTo = 0
  for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) {
    const next = bytes[at + 1]
    if (next !== SPACE && next !== TAB) continue
    // Some programs double line ends, so that an empty line is between the parts.
    let lineEnd = at
    while (lineEnd > copiedTo && isLineEnd(bytes[lineEnd - 1])) lineEnd -= 1
    if (lineEnd > copiedTo) {
      joined.set(bytes.subarray(copiedTo, lineEnd), length)
      length += lineEnd - copiedTo
    }
    copiedTo = at + 2
  }
  joined.set(bytes.subarray(copiedTo), length)
  return joined.subarray(0, length + bytes.length - copiedTo)
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN
}

/** The lines of a text, without empty ones. */
export function* splitLines(text: string): Generator<string> {
  let start = 0
  while (start < text.length) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    const line = text.slice(start, text[end - 1] === '\r' ? end - 1 : end)
    if (line.trim() !== '') yield line
    start = end + 1
  }
}

const NAME = /^[A-Za-z0-9-]{1,100}/
const PARAMETER_NAME = /;([A-Za-z0-9-]{1,100})=/y
const NO_PARAMETERS: ReadonlyMap<string, string> = new Map()

/** Parses a line, or returns null when it has not the form `NAME;PARAMETER=value:value`. */
export function parseContentLine(line: string): ContentLine | null {
  const name = NAME.exec(line)?.[0]
  if (name === undefined) return null
  let position = name.length
  if (line[position] === ':') {
    return {
      name: name.toUpperCase(),
      parameters: NO_PARAMETERS,
      value: line.slice(position + 1),
    }
  }
  const parameters = new Map<string, string>()
  while (line[position] === ';') {
    PARAMETER_NAME.lastIndex = position
    const found = PARAMETER_NAME.exec(line)
    if (found === null) return null
    const [start, parameter = ''] = found
    const end = findParameterEnd(line, position + start.length)
    if (end === -1) return null
    const value = line.slice(position + start.length, end)
    parameters.set(parameter.toUpperCase(), value.replaceAll('"', ''))
    position = end
  }
  if (line[position] !== ':') return null
  return { name: name.toUpperCase(), parameters, value: line.slice(position + 1) }
}

/** Where the value of a parameter ends; -1 when it has no end. Between quotes, `:` and `;` are part of the value. */
function findParameterEnd(line: string, start: number): number {
  for (let position = start; position < line.length; position += 1) {
    const character = line[position]
    if (character === ':' || character === ';') return position
    if (character !== '"') continue
    position = line.indexOf('"', position + 1)
    if (position === -1) return -1
  }
  return -1
}
