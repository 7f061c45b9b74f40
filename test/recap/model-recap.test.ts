import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { openModelServer, type ModelServerRequest } from '../support/tasks/model-server.ts'
import { openRecapService } from './recap-client.ts'

/** Answers with one statement that quotes the first line of the transcript and one that quotes nothing that was said. */
function answerWithRecap({ body }: ModelServerRequest) {
  const prompt = String(body.messages.at(-1)?.content)
  const [, number = '', words = ''] = /\n(\d+) [^:\n]+: ([^\n]+)/.exec(prompt) ?? []
  const proven = { text: 'They met.', segmentNumbers: [Number(number)], quote: words }
  const invented = { text: 'Sold!', segmentNumbers: [Number(number)], quote: 'we sold the company' }
  const recap = {
    summary: [proven, invented],
    decisions: [],
    actions: [{ ...proven, text: 'Write it down', owner: '', dueText: '', dueDate: '' }],
    openQuestions: [],
    topics: [],
  }
  return { words: [JSON.stringify(recap)] }
}

const openWithModel = (url: string, more: Record<string, string> = {}) =>
  openRecapService({ HANSARD_AI_MODEL: 'openai-compatible/m', HANSARD_AI_BASE_URL: url, ...more })

test('a model replaces the recap by rules, and unproven statements are dropped and counted', async () => {
  await using server = await openModelServer(answerWithRecap)
  await using opened = await openWithModel(server.url)
  const { program, runMeeting, waitForRecap, readDocument } = opened
  const id = await runMeeting()
  const recap = await waitForRecap(id)
  assert.partialDeepStrictEqual(recap, {
    status: 'completed',
    method: 'model',
    model: 'openai-compatible/m',
    error: null,
    droppedStatements: 1,
    tokens: 150,
  })
  assert.deepEqual(
    [
      recap.summary.map(({ text }) => text),
      recap.actions.map(({ text, source }) => [text, source]),
    ],
    [['They met.'], [['Write it down', 'model']]],
  )
  assert.match(await readDocument(id), /\n## Recap\n\n- They met\. \(00:/)
  const prompt = String(server.requests[0]?.body.messages.at(-1)?.content)
  assert.match(prompt, /<document path="transcript">\n1 [\s\S]*\n<\/document>$/)
  const { body } = await program.ask('GET', '/usage')
  const [row] = body['usage'] as Array<Record<string, unknown>>
  assert.deepEqual([row?.['task'], row?.['inputTokens']], ['(recap)', 120])
})

test('the recap by rules stands and says why when the model answers garbage, half JSON or nothing', async () => {
  const answers = ['No.', '{"summary": [{"text": "half', '']
  let answer = ''
  await using server = await openModelServer(() => ({ words: [answer] }))
  await using opened = await openWithModel(server.url)
  for (answer of answers) {
    const recap = await opened.waitForRecap(await opened.runMeeting())
    assert.partialDeepStrictEqual(recap, { status: 'completed', method: 'rules', model: null })
    assert.match(recap.error ?? '', /model/)
    assert.ok(recap.summary.length > 0 && recap.actions.length > 0)
    assert.equal(recap.documentState, 'written')
  }
})

test('no model is asked when the budget is used up or recaps are made by rules only', async () => {
  await using server = await openModelServer(answerWithRecap)
  await using poor = await openWithModel(server.url, { HANSARD_AI_DAILY_TOKENS: '0' })
  const recap = await poor.waitForRecap(await poor.runMeeting())
  assert.deepEqual(
    [recap.method, recap.error],
    ['rules', 'The budget for language models is used up'],
  )
  await using plain = await openWithModel(server.url, { HANSARD_AI_RECAP_MODEL: 'off' })
  const byRules = await plain.waitForRecap(await plain.runMeeting())
  assert.deepEqual([byRules.method, byRules.error], ['rules', null])
  assert.equal(server.requests.length, 0)
})
