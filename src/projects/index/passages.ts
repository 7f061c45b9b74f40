/** A piece of a text that is shown when something in it is found. */
export type Passage = {
  /** Of the file, from 1. */
  line: number
  text: string
}

/** A paragraph that is shorter goes together with the next. */
const ENOUGH = 300
const MOST = 1_000
const MAX_PASSAGES = 2_000

/** Cuts a text where paragraphs end; `firstLine` is the line of the file in which it begins. */
export function passagesOf(text: string, firstLine = 1): Passage[] {
  const passages: Passage[] = []
  let lines: string[] = []
  let length = 0
  let begin = firstLine
  const close = () => {
    const passage = lines.join('\n').trimEnd()
    if (passage.trim() !== '') passages.push({ line: begin, text: passage })
    lines = []
    length = 0
  }
  let line = firstLine - 1
  for (const found of text.split(/\r\n|\n|\r/)) {
    line += 1
    if (passages.length >= MAX_PASSAGES) return passages
    const isBlank = found.trim() === ''
    if (isBlank ? length >= ENOUGH : length + found.length > MOST || isHeading(found)) close()
    if (lines.length === 0) {
      if (isBlank) continue
      begin = line
    }
    for (const piece of piecesOf(found)) {
      if (length + piece.length > MOST) close()
      if (lines.length === 0) begin = line
      lines.push(piece)
      length += piece.length + 1
    }
  }
  close()
  return passages.slice(0, MAX_PASSAGES)
}

function isHeading(line: string): boolean {
  return /^#{1,6} /.test(line)
}

/** A line without end is cut as well, but never in the middle of a character. */
function* piecesOf(line: string): Generator<string> {
  if (line.length <= MOST) return yield line
  let rest = line
  while (rest.length > MOST) {
    const space = rest.lastIndexOf(' ', MOST)
    const end = space > MOST / 2 ? space + 1 : MOST
    const cut = rest.slice(0, end).isWellFormed() ? end : end - 1
    yield rest.slice(0, cut)
    rest = rest.slice(cut)
  }
  if (rest !== '') yield rest
}
