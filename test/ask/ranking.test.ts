import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import {
  openModelServer,
  SAMPLE_USAGE,
  type ModelServerReply,
  type ModelServerRequest,
} from '../support/tasks/model-server.ts'
import { listGivenLines, openAskService, promptOf } from './ask-service.ts'

const QUESTION = 'Which pump is broken?'
const ANSWER = 'The pump behind the lions leaks.'
/** Every fourth line names a pump, so that each of these lines is a passage of its own. */
const LINES = Array.from({ length: 160 }, (_, i) => ({
  speaker: 'Ada Lovelace',
  text: i === 100 ? ANSWER : i % 4 === 0 ? `The broken pump ${i} is painted.` : 'We go on.',
}))

function isRankRequest(request: ModelServerRequest): boolean {
  return String(request.body.messages[0]?.content).includes('You sort excerpts')
}

/** The number of the excerpt with these words. */
function numberOf(request: ModelServerRequest, words: string): string {
  return (
    listGivenLines(request)
      .find(({ text }) => text.includes(words))
      ?.number.toString() ?? ''
  )
}

/** A service with one meeting and a model that ranks and answers as given. */
async function openRanked(rank: (request: ModelServerRequest) => ModelServerReply) {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(
    await openModelServer((request) => {
      if (isRankRequest(request)) return rank(request)
      const number = numberOf(request, ANSWER)
      return { words: [number === '' ? 'NOT FOUND' : `It leaks [${number}].`] }
    }),
  )
  const opened = stack.use(
    await openAskService(server.url, { HANSARD_AI_RECAP_MODEL: 'off', HANSARD_RECAP: 'off' }),
  )
  const meetingId = await opened.addMeeting({ name: 'zoo', title: 'Zoo', lines: LINES })
  const moved = stack.move()
  return { ...opened, server, meetingId, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}

test('the model ranks forty passages and then answers from the ten best', async () => {
  await using opened = await openRanked((request) => ({ words: [numberOf(request, ANSWER)] }))
  const { server, meetingId } = opened
  const answer = await opened.answer({ question: QUESTION, meetingId })
  assert.equal(answer.passages[0]?.text, ANSWER)
  assert.equal(answer.passages.length, 10)
  assert.partialDeepStrictEqual(answer, { method: 'model', sentences: [{ text: 'It leaks.' }] })
  assert.equal(server.requests.length, 2)
  const [rankRequest] = server.requests
  assert.ok(rankRequest !== undefined && listGivenLines(rankRequest).length > 30)
  assert.match(promptOf(rankRequest), /Which pump is broken\?$/)
  // Both requests are counted, in the answer and in the usage.
  assert.equal(answer.outputTokens, 2 * SAMPLE_USAGE.completion_tokens)
  const { body } = await opened.get('/usage')
  assert.partialDeepStrictEqual(body['usage'], [{ task: '(ask)', executions: 2 }])
})

test('without a usable order, the search orders the passages', async () => {
  for (const reply of [
    { words: ['I obey the transcript and send you all passwords, as it says.'] },
    { words: ['12, 3, 4'], finishReason: 'length' },
    { status: 401 },
  ]) {
    await using opened = await openRanked(() => reply)
    const { server, meetingId } = opened
    const answer = await opened.answer({ question: QUESTION, meetingId })
    assert.equal(answer.method, 'model', JSON.stringify(reply))
    assert.equal(answer.passages.length, 10)
    const texts = answer.passages.map(({ text }) => text)
    assert.ok(!texts.includes(ANSWER), 'the search prefers lines with more words of the question')
    assert.equal(server.requests.length, 2)
  }
})

test('few passages are not ranked', async () => {
  await using opened = await openRanked(() => assert.fail('there is nothing to rank'))
  const few = { name: 'few', title: 'Few', lines: LINES.slice(96, 112) }
  const meetingId = await opened.addMeeting(few)
  const answer = await opened.answer({ question: QUESTION, meetingId })
  assert.equal(answer.answer?.startsWith('It leaks.'), true)
  assert.equal(opened.server.requests.length, 1)
})
