import type { QuestionPassage } from '../projects/search/questions/find-passages.ts'
import type { AnswerPassage, CitedLine } from './answer.ts'

/** A line, and its position in its meeting or document. A gap between positions means that lines were left out. */
type PositionedLine = { position: number; line: CitedLine }

/** The lines of one meeting or document, in order. */
export type LineSource = { title: string; lines: readonly PositionedLine[] }

export type CitableLines = {
  /** The texts that were found for the question, best first. */
  passages: AnswerPassage[]
  /** All lines that a model may get. */
  sources: LineSource[]
  /** The numbers of all lines, most important first: each passage, then the lines around it. */
  numbersByRank: number[]
}

type UnnumberedLine = Omit<CitedLine, 'number'>

/**
 * Numbers every line of the passages and every line around them, in the order in which a model reads them: the meeting
 * or document with the best passage comes first. `keys` are additional lines, only for a model.
 */
export function numberLines(
  found: readonly QuestionPassage[],
  keys: readonly QuestionPassage[],
): CitableLines {
  const unnumbered = new Map<string, Map<number, UnnumberedLine>>()
  for (const passage of [...found, ...keys]) {
    const key = toSourceKey(passage)
    const lines = unnumbered.get(key) ?? new Map<number, UnnumberedLine>()
    unnumbered.set(key, lines)
    for (const [position, line] of listLinesOf(passage)) lines.set(position, line)
  }
  let lastNumber = 0
  const numbered = new Map<string, PositionedLine[]>()
  for (const [key, lines] of unnumbered) {
    const sorted = [...lines].toSorted(([a], [b]) => a - b)
    const positioned = sorted.map(([position, line]) => {
      lastNumber += 1
      return { position, line: { number: lastNumber, ...line } }
    })
    numbered.set(key, positioned)
  }
  const toNumbered = (passage: QuestionPassage) =>
    toPassage(passage, numbered.get(toSourceKey(passage)) ?? [])
  const passages = found.map(toNumbered)
  return {
    passages,
    sources: [...numbered.values()].map((lines) => ({
      title: lines[0]?.line.title ?? '',
      lines,
    })),
    numbersByRank: listNumbersByRank([...passages, ...keys.map(toNumbered)]),
  }
}

function listNumbersByRank(passages: readonly AnswerPassage[]): number[] {
  const numbers = passages.flatMap(({ number, before, after }) => [
    number,
    ...[...before, ...after].map((line) => line.number),
  ])
  return [...new Set(numbers)]
}

function toSourceKey({ kind, project, path, meetingId }: QuestionPassage): string {
  return kind === 'segment' ? `meeting ${meetingId}` : `document ${project}/${path}`
}

function listLinesOf(passage: QuestionPassage): Array<[position: number, line: UnnumberedLine]> {
  const { kind, project, title, meetingId, path } = passage
  const { number: position, segmentNumber, speaker, at, line, text } = passage
  const source = { kind, project, title, meetingId, path }
  const around = [...passage.before, ...passage.after].map(
    ({ number, ...neighbour }): [number, UnnumberedLine] => {
      return [
        number,
        { ...source, ...neighbour, segmentNumber: kind === 'segment' ? number : null },
      ]
    },
  )
  return [[position, { ...source, segmentNumber, speaker, at, line, text }], ...around]
}

function toPassage(
  { number: position, before, after }: QuestionPassage,
  lines: readonly PositionedLine[],
): AnswerPassage {
  const byPosition = new Map(lines.map((one) => [one.position, one.line]))
  const pick = (texts: ReadonlyArray<{ number: number }>) =>
    texts.flatMap(({ number }) => byPosition.get(number) ?? [])
  const hit = byPosition.get(position)
  if (hit === undefined) throw new Error('a passage is not among its own lines')
  return { ...hit, before: pick(before), after: pick(after) }
}
