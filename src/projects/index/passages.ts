/** A piece of a text that is shown when something in it is found. */
export type Passage = {
  /** Of the file, from 1. */
  line: number
  text: string
}

/** A paragraph that is shorter goes together with the next. */
const MIN_PASSAGE_CHARS = 300
const MAX_PASSAGE_CHARS = 1_000
const MAX_PASSAGES = 2_000

/** Cuts a text where paragraphs end; `firstLine` is the line of the file in which it begins. */
export function splitIntoPassages(text: string, firstLine = 1): Passage[] {
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
    if (
      isBlank
        ? length >= MIN_PASSAGE_CHARS
        : length + found.length > MAX_PASSAGE_CHARS || isHeading(found)
    )
      close()
    if (lines.length === 0) {
      if (isBlank) continue
      begin = line
    }
    for (const piece of splitLongLine(found)) {
      if (length + piece.length > MAX_PASSAGE_CHARS) close()
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
function* splitLongLine(line: string): Generator<string> {
  if (line.length <= MAX_PASSAGE_CHARS) return yield line
  let rest = line
  while (rest.length > MAX_PASSAGE_CHARS) {
    const space = rest.lastIndexOf(' ', MAX_PASSAGE_CHARS)
    const end = space > MAX_PASSAGE_CHARS / 2 ? space + 1 : MAX_PASSAGE_CHARS
    const cut = rest.slice(0, end).isWellFormed() ? end : end - 1
    yield rest.slice(0, cut)
    rest = rest.slice(cut)
  }
  if (rest !== '') yield rest
}
