import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { readOwnMeetings } from '../../bench/support/spoken-meetings.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import { listGivenLines, openAskService } from './ask-service.ts'

type Segment = {
  segmentNumber: number
  speaker: string
  text: string
  timestamp: string
  source: string
}

/** `test/projects/question-recall.test.ts` asks all of them, without a model. */
const EACH = IS_FULL_SIZE ? 1 : 5

test('every citation in the answers to the labelled questions is a line of the transcript', async () => {
  // This model cites every line that it is given.
  await using server = await openModelServer((request) => ({
    words: [
      listGivenLines(request)
        .map(({ number }) => `Line ${number} says so [${number}].`)
        .join('\n'),
    ],
  }))
  await using opened = await openAskService(server.url)
  const meetings = readOwnMeetings()
  const transcripts = new Map<string, Map<number, Segment>>()
  for (const meeting of meetings) {
    const id = await opened.addMeeting(meeting)
    const { body } = await opened.program.get(`/${id}/transcript`)
    const segments = body['segments'] as Segment[]
    transcripts.set(id, new Map(segments.map((segment) => [segment.segmentNumber, segment])))
  }
  let [questions, citedCount, answered] = [0, 0, 0]
  for (const { name, questions: asked } of meetings) {
    for (const { question, evidence } of asked.filter((_, i) => i % EACH === 0)) {
      const answer = await opened.answer({ question })
      questions += 1
      citedCount += answer.citations.length
      assert.equal(answer.droppedSentences, 0)
      for (const { meetingId, segmentNumber, speaker, text, timestamp } of answer.citations) {
        const segment = transcripts.get(meetingId ?? '')?.get(segmentNumber ?? 0)
        const { source: _, ...line } = segment ?? { source: null }
        assert.deepEqual({ segmentNumber, speaker, text, timestamp }, line, question)
      }
      const isCited = answer.citations.some(
        ({ meetingId, segmentNumber }) =>
          meetingId === `meeting_${name}` && evidence.has(segmentNumber ?? 0),
      )
      if (isCited) answered += 1
    }
  }
  assert.ok(questions >= 120 / EACH && citedCount >= 10 * questions)
  assert.ok(answered >= 0.9 * questions, `${answered} of ${questions}`)
})
