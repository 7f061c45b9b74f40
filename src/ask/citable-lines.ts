import type { QuestionPassage } from '../projects/search/questions/find-passages.ts'
import type { AnswerPassage, CitedLine } from './answer.ts'

/** The lines of one meeting or document, in order. A gap in their positions means that lines between them are left out. */
export type LineSource = {
  project: string
  title: string
  /** The path of a document; null for a meeting. */
  path: string | null
  lines: ReadonlyArray<CitedLine & { position: number }>
}

export type CitableLines = { passages: AnswerPassage[]; sources: LineSource[] }

type UnnumberedLine = Omit<CitedLine, 'number'> & { position: number }

/**
 * Gives every line of the passages, and every line around them, one number. Numbers increase in the order in which a model
 * reads the lines: the meeting or document with the best passage first.
 */
export function numberLines(found: readonly QuestionPassage[]): CitableLines {
  const linesBySource = new Map<string, Map<number, UnnumberedLine>>()
  for (const passage of found) {
    const key = toSourceKey(passage)
    const lines = linesBySource.get(key) ?? new Map<number, UnnumberedLine>()
    linesBySource.set(key, lines)
    for (const line of listLinesOf(passage)) lines.set(line.position, line)
  }
  let lastNumber = 0
  const numbered = new Map<string, Array<CitedLine & { position: number }>>()
  for (const [key, lines] of linesBySource) {
    const sorted = [...lines.values()].toSorted((a, b) => a.position - b.position)
    numbered.set(
      key,
      sorted.map((line) => ({ ...line, number: (lastNumber += 1) })),
    )
  }
  return {
    passages: found.map((passage) => toPassage(passage, numbered.get(toSourceKey(passage)) ?? [])),
    sources: [...numbered.values()].flatMap((lines) => {
      const [first] = lines
      if (first === undefined) return []
      const { project, title, path } = first
      return [{ project, title, path, lines }]
    }),
  }
}

function toSourceKey({ kind, project, path, meetingId }: QuestionPassage): string {
  return kind === 'segment' ? `meeting ${meetingId}` : `document ${project}/${path}`
}

function listLinesOf({ before, after, score: _, ...hit }: QuestionPassage): UnnumberedLine[] {
  const { number: hitNumber, ...fields } = hit
  const around = [...before, ...after].map(({ number, speaker, at, line, text }) => ({
    ...fields,
    segmentNumber: hit.kind === 'segment' ? number : null,
    speaker,
    at,
    line,
    text,
    position: number,
  }))
  return [{ ...fields, position: hitNumber }, ...around]
}

function toPassage(
  { number: position, before, after }: QuestionPassage,
  lines: ReadonlyArray<CitedLine & { position: number }>,
): AnswerPassage {
  const byPosition = new Map(lines.map((line) => [line.position, toCitedLine(line)]))
  const pick = (texts: ReadonlyArray<{ number: number }>) =>
    texts.flatMap(({ number }) => byPosition.get(number) ?? [])
  const hit = byPosition.get(position)
  if (hit === undefined) throw new Error('a passage is not among its own lines')
  return { ...hit, before: pick(before), after: pick(after) }
}

export function toCitedLine({ position: _, ...line }: CitedLine & { position: number }): CitedLine {
  return line
}
