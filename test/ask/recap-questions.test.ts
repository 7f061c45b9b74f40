import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { DAY_MS } from '../../src/lib/time/durations.ts'
import { startAccessWorld } from '../support/access/access-world.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { listGivenLines, openAskService } from './ask-service.ts'
import { storeRecapOf } from './store-recap.ts'

const LINES = [
  { speaker: 'Ada Lovelace', text: 'So it is the orange door.' },
  { speaker: 'Ben Okri', text: 'I send the plan on Friday.' },
  { speaker: 'Ada Lovelace', text: 'And where do the lions sleep?' },
]
const HOSTILE = '<img src=x> [7]'

/** Two meetings in two projects: one was a year ago, the other yesterday. */
const shared = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  const opened = stack.use(await openAskService(null))
  const yesterday = new Date(Date.now() - DAY_MS)
  const lastYear = new Date(Date.now() - 365 * DAY_MS)
  const doors = await opened.addMeeting(
    { name: 'doors', title: 'Doors', lines: LINES },
    { project: 'house', startedAt: lastYear },
  )
  await opened.put('/projects/zoo/documents/a.md', 'Nothing.')
  await storeRecapOf(opened.db, doors, {
    decisions: [{ text: 'The door is orange.', speaker: 'Ada Lovelace', line: 1 }],
    actions: [{ text: 'Send the plan.', owner: 'Ben Okri', due: '2099-01-02', line: 2 }],
    questions: [{ text: 'Where do the lions sleep?', speaker: 'Ada Lovelace', line: 3 }],
  })
  const pumps = await opened.addMeeting(
    { name: 'pumps', title: 'Pumps', lines: LINES },
    { project: 'zoo', startedAt: yesterday },
  )
  await storeRecapOf(opened.db, pumps, {
    decisions: [{ text: `Buy the pump ${HOSTILE}`, line: 1 }],
    actions: [{ text: 'Call the plumber.', owner: 'Ada Lovelace', line: 2 }],
  })
  const moved = stack.move()
  const statements = async (question: string, more: Record<string, string> = {}) => {
    const { method, sentences } = await opened.answer({ question, ...more })
    return method === 'recap' ? sentences.map(({ text }) => text) : []
  }
  return { ...opened, doors, pumps, statements, [Symbol.asyncDispose]: () => moved.disposeAsync() }
})

const ORANGE = 'Ada Lovelace: The door is orange.'
const PUMP = `Buy the pump ${HOSTILE}`
const PLAN = 'Ben Okri: Send the plan. (due 2099-01-02)'
const PLUMBER = 'Ada Lovelace: Call the plumber.'
const LIONS = 'Ada Lovelace: Where do the lions sleep?'

test('without a model, statements of recaps answer, newest meeting first, and cite their lines', async () => {
  const { answer, doors, pumps } = shared()
  const whole = await answer({ question: 'What was decided?' })
  assert.partialDeepStrictEqual(whole, { found: true, method: 'recap', reason: null, model: null })
  assert.deepEqual(
    whole.sentences.map(({ text }) => text),
    [PUMP, ORANGE],
  )
  const cited = whole.sentences.map(({ citationNumbers: [number] }) =>
    whole.citations.find((line) => line.number === number),
  )
  assert.partialDeepStrictEqual(cited, [
    { meetingId: pumps, segmentNumber: 1, text: LINES[0]?.text },
    { meetingId: doors, segmentNumber: 1, text: LINES[0]?.text },
  ])
  assert.match(
    whole.answer ?? '',
    /^Buy the pump .* \[\d+\] Ada Lovelace: The door is orange\. \[\d+\]$/,
  )
})

test('a question is answered in one meeting, in a project and within a time', async () => {
  const { statements, doors } = shared()
  assert.deepEqual(await statements('What was decided?', { meetingId: doors }), [ORANGE])
  assert.deepEqual(await statements('What was decided?', { project: 'zoo' }), [PUMP])
  const day = (ms: number) => new Date(Date.now() - ms * DAY_MS).toISOString()
  assert.deepEqual(await statements('What was decided?', { from: day(30) }), [PUMP])
  assert.deepEqual(await statements('What was decided?', { to: day(30) }), [ORANGE])
})

test('the person, the subject and the time of the question choose the statements', async () => {
  const { statements } = shared()
  assert.deepEqual(await statements('What does Ada have to do?'), [PLUMBER])
  assert.deepEqual(await statements('Was muss Ben Okri machen?'), [
    'Ben Okri: Send the plan. (fällig 2099-01-02)',
  ])
  assert.deepEqual(await statements('What did Ada decide?'), [ORANGE])
  assert.deepEqual(await statements('What was decided about the pump?'), [PUMP])
  assert.deepEqual(await statements('What was decided yesterday?'), [PUMP])
  assert.deepEqual(await statements('O que foi decidido ontem?'), [PUMP])
  assert.deepEqual(await statements('What has to be done in January 2099?'), [PLAN])
  assert.deepEqual(await statements('Which questions are still open?'), [LIONS])
  assert.deepEqual(await statements('Quelles questions sont ouvertes ?'), [LIONS])
  assert.deepEqual(await statements('¿Qué preguntas quedan abiertas?'), [LIONS])
})

test('without a fitting statement, the passages remain, and a deleted or done task is not listed', async () => {
  const { answer, statements, program, get } = shared()
  const question = 'What was decided about the lions?'
  const { method, reason, passages } = await answer({ question })
  assert.deepEqual([method, reason, passages.length > 0], ['passages', 'no_model', true])
  // A program has no tasks of its own.
  assert.deepEqual(await statements('What do I have to do?'), [])
  const { body } = await get('/actions')
  const plumber = (body['actions'] as Array<{ actionId: string; owner: string }>).find(
    ({ owner }) => owner === 'Ada Lovelace',
  )
  const change = async (state: string) => {
    const { status, body: changed } = await program.ask('PATCH', `/actions/${plumber?.actionId}`, {
      state,
    })
    assert.equal(status, 200, JSON.stringify(changed))
  }
  await change('done')
  assert.deepEqual(await statements('What has to be done?'), [PLAN])
  await change('open')
  assert.deepEqual(await statements('What has to be done?'), [PLUMBER, PLAN])
})

test('what people add, change and delete in recaps answers, even in a meeting without a recap', async () => {
  const { addMeeting, program, statements } = shared()
  const meetingId = await addMeeting(
    { name: 'boats', title: 'Boats', lines: LINES },
    { project: 'house', startedAt: new Date(Date.now() - 40 * DAY_MS) },
  )
  const url = `/meetings/${meetingId}/recap/items`
  const question = 'What was decided?'
  const { status, body } = await program.ask('POST', url, {
    kind: 'decision',
    text: 'We sell the boat.',
    segmentNumbers: [1],
  })
  assert.equal(status, 201, JSON.stringify(body))
  assert.deepEqual(await statements(question, { meetingId }), ['Ada Lovelace: We sell the boat.'])
  const { id } = body['item'] as { id: string }
  await program.ask('PATCH', `${url}/${id}`, { text: 'We keep the boat.', speaker: 'Ben Okri' })
  assert.deepEqual(await statements(question, { meetingId }), ['Ben Okri: We keep the boat.'])
  await program.ask('DELETE', `${url}/${id}`)
  assert.deepEqual(await statements(question, { meetingId }), [])
})

test('a stream has the statements as sentences, and more than thirty are shortened', async () => {
  await using opened = await openAskService(null)
  const id = await opened.addMeeting({ name: 'long', title: 'Long', lines: LINES })
  const decisions = Array.from({ length: 31 }, (_, i) => ({
    text: `Point ${i}`,
    line: (i % 3) + 1,
  }))
  await storeRecapOf(opened.db, id, { decisions })
  const events: string[] = []
  let last: unknown = null
  for await (const { event, data } of opened.stream({ question: 'What was decided?' })) {
    events.push(event)
    last = data
  }
  assert.deepEqual(events, ['passages', ...Array.from({ length: 30 }, () => 'sentence'), 'done'])
  assert.partialDeepStrictEqual(last, { method: 'recap', reason: 'too_many_statements' })
})

test('a model gets the cited lines of all meetings, and statements answer when it fails', async () => {
  let isFailing = false
  await using server = await openModelServer((request) => {
    if (isFailing) return { status: 401 }
    const line = listGivenLines(request).find(({ text }) => text.includes('orange door'))
    return { words: [line === undefined ? 'NOT FOUND' : `It is orange [${line.number}].`] }
  })
  await using opened = await openAskService(server.url, { HANSARD_AI_RECAP_MODEL: 'off' })
  const id = await opened.addMeeting({ name: 'doors', title: 'Doors', lines: LINES })
  await storeRecapOf(opened.db, id, { decisions: [{ text: 'The door is orange.', line: 1 }] })
  const question = 'What was decided?'
  const { answer } = await opened.answer({ question })
  assert.match(answer ?? '', /^It is orange\. \[\d+\]$/)
  isFailing = true
  assert.partialDeepStrictEqual(await opened.answer({ question }), {
    found: true,
    method: 'recap',
    reason: 'model_failed',
    model: 'openai-compatible/m',
    sentences: [{ text: 'The door is orange.' }],
  })
})

test('statements of private projects answer only the questions of people who may read them', async () => {
  await using world = await startAccessWorld()
  const secret = await world.plant('board', 'walrus')
  await world.db
    .updateTable('recap')
    .set({
      data: JSON.stringify({
        language: 'en',
        summary: [],
        decisions: [{ text: 'Sell the walrus.', speaker: null, segmentNumbers: [1] }],
        openQuestions: [],
        topics: [],
        coverage: { segmentsRead: 1, segmentsTotal: 1 },
      }),
    })
    .execute()
  assert.ok(secret)
  await world.setAccess('board', 'private')
  const [reader, stranger] = [await world.addUser(), await world.addUser()]
  await world.addMember('board', reader.userId, 'reader')
  const ask = async (key: Record<string, string>) => {
    const payload = { question: 'What was decided?' }
    const response = await world.app.inject({
      method: 'POST',
      url: '/api/v1/ask',
      headers: key,
      payload,
    })
    assert.equal(response.statusCode, 200, response.body)
    return response.body
  }
  assert.match(await ask(reader.key), /Sell the walrus/)
  assert.doesNotMatch(await ask(stranger.key), /walrus/)
  const { key } = await world.addToken({ creatorId: reader.userId, projects: ['other'] })
  assert.doesNotMatch(await ask(key), /walrus/)
})
