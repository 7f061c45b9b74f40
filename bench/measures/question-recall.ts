import { INSTANCE_VIEWER } from '../../src/access/viewer.ts'
import type { Db } from '../../src/db/database.ts'
import { findPassagesForQuestion } from '../../src/projects/search/questions/find-passages.ts'
import type { SpokenMeeting } from '../support/spoken-meetings.ts'

export type RecallFigures = {
  questions: number
  /** The share of questions for which one of the first five results is a line of the evidence. */
  hitAt5: number
  /** The same, but the returned text around a result may also contain the line. */
  passageHitAt5: number
  /** The mean of 1 divided by the position of the first such result; 0 for a question without one. */
  meanReciprocalRank: number
}

const RESULTS = 5

/** Asks all questions, each about its own meeting or, with `isEverywhere`, about all meetings. */
export async function measureRecall(
  db: Db,
  meetings: readonly SpokenMeeting[],
  { isEverywhere = false } = {},
): Promise<RecallFigures> {
  let [questions, hits, passageHits, reciprocals] = [0, 0, 0, 0]
  for (const { name, questions: asked } of meetings) {
    const meetingId = `meeting_${name}`
    for (const { question, evidence } of asked) {
      const found = await findPassagesForQuestion(db, INSTANCE_VIEWER, {
        question,
        limit: RESULTS,
        ...(isEverywhere ? {} : { meetingId }),
      })
      const rank = found.findIndex(
        (passage) => passage.meetingId === meetingId && evidence.has(passage.segmentNumber ?? 0),
      )
      const isInPassage = found.some(
        ({ meetingId: id, segmentNumber, before, after }) =>
          id === meetingId &&
          [segmentNumber ?? 0, ...[...before, ...after].map(({ number }) => number)].some(
            (number) => evidence.has(number),
          ),
      )
      questions += 1
      if (isInPassage) passageHits += 1
      if (rank >= 0) {
        hits += 1
        reciprocals += 1 / (rank + 1)
      }
    }
  }
  return {
    questions,
    hitAt5: hits / Math.max(1, questions),
    passageHitAt5: passageHits / Math.max(1, questions),
    meanReciprocalRank: reciprocals / Math.max(1, questions),
  }
}
