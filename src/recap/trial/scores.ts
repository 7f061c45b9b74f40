import type { Recap, RecapSource } from '../recap.ts'
import type { LabelledMeeting } from './labelled-meetings.ts'

/** `right` entries have a label, `wrong` entries have none, and `missed` labels have no entry. */
export type LabelScore = { right: number; wrong: number; missed: number }

export type ActionScore = LabelScore & { rightOwner: number; rightDue: number }

/** Lines that are so close to a label are near enough for the second measure. */
export const NEAR_LINES = 2

export type RecapScores = {
  actions: ActionScore
  decisions: LabelScore
  openQuestions: LabelScore
}

/** `within`: how many lines an entry may be away from its label. */
export function scoreRecap(meeting: LabelledMeeting, recap: Recap, within = 0): RecapScores {
  return {
    actions: scoreActions(meeting, recap, within),
    decisions: scoreStatements(meeting.decisions, recap.decisions, within),
    openQuestions: scoreStatements(meeting.openQuestions, recap.openQuestions, within),
  }
}

/** Each label is used for at most one entry. An entry is right if it cites a segment of the label. */
export function scoreActions(meeting: LabelledMeeting, recap: Recap, within = 0): ActionScore {
  const open = [...meeting.actions]
  const score = { right: 0, wrong: 0, missed: 0, rightOwner: 0, rightDue: 0 }
  for (const { owner, dueDate, segmentNumbers } of recap.actions) {
    const matching = open.filter(({ segments }) => areNear(segments, segmentNumbers, within))
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
  within = 0,
): LabelScore {
  const open = [...labels]
  const score = { right: 0, wrong: 0, missed: 0 }
  for (const { segmentNumbers } of found) {
    const index = open.findIndex(({ segments }) => areNear(segments, segmentNumbers, within))
    if (index === -1) score.wrong += 1
    else {
      open.splice(index, 1)
      score.right += 1
    }
  }
  return { ...score, missed: open.length }
}

function areNear(label: readonly number[], cited: readonly number[], within: number): boolean {
  return label.some((number) => cited.some((other) => Math.abs(other - number) <= within))
}

export function addScores<Score extends LabelScore>(scores: readonly Score[]): Score {
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
