import type { Recap, RecapSource } from '../recap.ts'
import type { LabelledMeeting } from './labelled-meetings.ts'

/** `right` entries have a label, `wrong` entries have none, and `missed` labels have no entry. */
export type LabelScore = { right: number; wrong: number; missed: number }

export type ActionScore = LabelScore & { rightOwner: number; rightDue: number }

/** Each label is used for at most one entry. An entry is right if it cites a segment of the label. */
export function scoreActions(meeting: LabelledMeeting, recap: Recap): ActionScore {
  const open = [...meeting.actions]
  const score = { right: 0, wrong: 0, missed: 0, rightOwner: 0, rightDue: 0 }
  for (const { owner, dueDate, segmentNumbers } of recap.actions) {
    const matching = open.filter(({ segments }) =>
      segments.some((number) => segmentNumbers.includes(number)),
    )
    // Several tasks of one sentence have the same segment. The one with the same owner is meant.
    const label = matching.find((candidate) => candidate.owner === owner) ?? matching[0]
    if (label === undefined) score.wrong += 1
    else {
      open.splice(open.indexOf(label), 1)
      score.right += 1
      if (label.owner === owner) score.rightOwner += 1
      if (label.due === dueDate) score.rightDue += 1
    }
  }
  return { ...score, missed: open.length }
}

export function scoreStatements(
  labels: ReadonlyArray<{ segments: number[] }>,
  found: ReadonlyArray<{ segmentNumbers: number[] }>,
): LabelScore {
  const open = [...labels]
  const score = { right: 0, wrong: 0, missed: 0 }
  for (const { segmentNumbers } of found) {
    const index = open.findIndex(({ segments }) =>
      segments.some((number) => segmentNumbers.includes(number)),
    )
    if (index === -1) score.wrong += 1
    else {
      open.splice(index, 1)
      score.right += 1
    }
  }
  return { ...score, missed: open.length }
}

/** How far an entry may be from a line that people linked, because labels begin and end at arbitrary lines. */
export const NEAR_LINES = 2

/** Of the entries of a part of a recap, how many are `right`, and of its labels, how many are `found`. */
export type PartScore = { entries: number; right: number; labels: number; found: number }

/** An entry is right if it cites a line that is at most `distance` lines away from one of a label, and vice versa. */
export function scorePart(
  labels: ReadonlyArray<{ segments: readonly number[] }>,
  entries: ReadonlyArray<{ segmentNumbers: readonly number[] }>,
  distance: number,
): PartScore {
  const labelled = labels.map(({ segments }) => segments)
  const cited = entries.map(({ segmentNumbers }) => segmentNumbers)
  return {
    entries: cited.length,
    right: countNear(cited, labelled, distance),
    labels: labelled.length,
    found: countNear(labelled, cited, distance),
  }
}

type Lines = readonly number[]

function countNear(all: readonly Lines[], others: readonly Lines[], distance: number): number {
  const near = new Set<number>()
  for (const line of others.flat()) {
    for (let step = -distance; step <= distance; step += 1) near.add(line + step)
  }
  return all.filter((lines) => lines.some((line) => near.has(line))).length
}

/** Precision and recall; – where there is nothing to compare. */
export function formatPartScore({ entries, right, labels, found }: PartScore): string {
  const share = (part: number, whole: number) => (whole === 0 ? '–' : (part / whole).toFixed(2))
  return `${share(right, entries)}, ${share(found, labels)}`
}

export function addScores<Score extends Record<string, number>>(scores: readonly Score[]): Score {
  const [first, ...others] = scores
  if (first === undefined) throw new Error('no scores to add')
  const sum: Record<string, number> = { ...first }
  for (const score of others) {
    for (const [key, value] of Object.entries(score)) sum[key] = (sum[key] ?? 0) + value
  }
  return sum as Score
}

export function precisionOf({ right, wrong }: LabelScore): number {
  return right + wrong === 0 ? 1 : right / (right + wrong)
}

export function recallOf({ right, missed }: LabelScore): number {
  return right + missed === 0 ? 1 : right / (right + missed)
}

/** A recap's citations, and how many of them name an existing segment whose words contain those of the entry, in order. */
export function checkCitations(
  { segments }: RecapSource,
  recap: Recap,
): { all: number; found: number } {
  const wordsOf = new Map(segments.map(({ number, text }) => [number, listWords(text)]))
  const entries = [...recap.summary, ...recap.decisions, ...recap.actions, ...recap.openQuestions]
  const found = entries.filter(({ text, segmentNumbers }) => {
    const cited = segmentNumbers.map((number) => wordsOf.get(number))
    const quoted = listWords(text.replace(/\S*…$/, ''))
    return (
      cited.length > 0 &&
      cited.every((words) => words !== undefined) &&
      isInOrder(quoted, cited.flat())
    )
  })
  return { all: entries.length, found: found.length }
}

function listWords(text: string): string[] {
  return text.toLocaleLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function isInOrder(words: readonly string[], within: readonly string[]): boolean {
  let next = 0
  for (const word of within) if (word === words[next]) next += 1
  return next === words.length
}
