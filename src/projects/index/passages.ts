/** A piece of a document that is indexed and shown as one search result. */
export type Passage = {
  /** The line of the file in which the passage begins, counted from 1. */
  line: number
  text: string
}

/** Minimum length of a passage; a shorter paragraph is joined with the next one. */
const MIN_PASSAGE_CHARS = 300
const MAX_PASSAGE_CHARS = 1_000
const MAX_PASSAGES = 2_000

/** Splits a text at paragraph ends. `firstLine` is the line of the file in which the text begins. */
export function splitIntoPassages(text: string, firstLine = 1): Passage[] {
  const passages: Passage[] = []
  let lines: string[] = []
  let length = 0
  let beginLine = firstLine
  const endPassage = () => {
    const passage = lines.join('\n').trimEnd()
    if (passage.trim() !== '') passages.push({ line: beginLine, text: passage })
    lines = []
    length = 0
  }
  let line = firstLine - 1
  for (const lineText of text.split(/\r\n|\n|\r/)) {
    line += 1
    if (passages.length >= MAX_PASSAGES) return passages
    const isBlank = lineText.trim() === ''
    if (
      isBlank
        ? length >= MIN_PASSAGE_CHARS
        : length + lineText.length > MAX_PASSAGE_CHARS || isHeading(lineText)
    )
      endPassage()
    if (lines.length === 0) {
      if (isBlank) continue
      beginLine = line
    }
    for (const piece of splitLongLine(lineText)) {
      if (length + piece.length > MAX_PASSAGE_CHARS) endPassage()
      if (lines.length === 0) beginLine = line
      lines.push(piece)
      length += piece.length + 1
    }
  }
  endPassage()
  return passages.slice(0, MAX_PASSAGES)
}

function isHeading(line: string): boolean {
  return /^#{1,6} /.test(line)
}

/** Splits a line that is longer than a passage, at a space if possible and never inside a character. */
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
