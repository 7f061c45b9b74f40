import type { QuestionPassage } from '../../src/projects/search/questions/find-passages.ts'

/** A passage of a meeting, as a question finds it. */
export function createPassage(fields: Partial<QuestionPassage> = {}): QuestionPassage {
  const number = fields.number ?? 1
  return {
    kind: 'segment',
    project: 'zoo',
    title: 'Zoo',
    meetingId: 'meeting_1_a',
    number,
    segmentNumber: number,
    speaker: 'Ada',
    at: new Date('2026-11-15T08:30:00Z'),
    path: null,
    line: null,
    text: `Line ${number}`,
    score: 1,
    before: [],
    after: [],
    ...fields,
  }
}
