import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { startAccessWorld } from '../support/access/access-world.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { eventually } from '../support/time/eventually.ts'

test('an answer that is being made is not shown to a caller who loses access to its lines', async () => {
  const answers = Array.from({ length: 3 }, () => Promise.withResolvers<void>())
  let asked = 0
  await using server = await openModelServer(() => {
    const answer = answers[asked++]
    return { words: ['It is about walrus [1].'], beforeEachWord: async () => answer?.promise }
  })
  await using world = await startAccessWorld({
    HANSARD_AI_ASK_MODEL: 'openai-compatible/m',
    HANSARD_AI_BASE_URL: server.url,
  })
  await world.plant('board', 'walrus')
  await world.setAccess('board', 'private')
  const reader = await world.addUser()
  const ask = async (accept: string) => {
    await world.addMember('board', reader.userId, 'reader')
    const requests = server.requests.length
    // Names no project, so that only the lines that were found belong to one.
    const response = fetch(`http://127.0.0.1:${world.port}/api/v1/ask`, {
      method: 'POST',
      headers: { ...reader.key, accept, 'content-type': 'application/json' },
      body: JSON.stringify({ question: 'Who talked about walrus today?' }),
    })
    await eventually(() => (server.requests.length > requests ? true : null))
    await world.removeMember('board', reader.userId)
    return response
  }

  const streamed = await ask('text/event-stream')
  assert.equal(streamed.status, 200)
  assert.doesNotMatch(await streamed.text(), /^event: (?:sentence|done|error)$/m)
  await eventually(() => (server.countAbortedResponses() === 1 ? true : null))

  const waiting = ask('application/json')
  await eventually(() => (server.requests.length === 2 ? true : null))
  const members = () =>
    world.db.selectFrom('project_member').select('user_id').where('project', '=', 'board').execute()
  await eventually(async () => ((await members()).length === 0 ? true : null))
  answers[1]?.resolve()
  const whole = await waiting
  const body = await whole.text()
  assert.equal(whole.status, 404, body)
  assert.doesNotMatch(body, /walrus/)

  await world.addMember('board', reader.userId, 'reader')
  const { id, key } = await world.addToken({ creatorId: reader.userId })
  const revoked = world.app.inject({
    method: 'POST',
    url: '/api/v1/ask',
    headers: key,
    payload: { question: 'Who talked about walrus today?' },
  })
  await eventually(() => (server.requests.length === 3 ? true : null))
  const url = `/web/tokens/${id}`
  await world.app.inject({ method: 'DELETE', url, headers: reader.session })
  answers[2]?.resolve()
  const refused = await revoked
  assert.equal(refused.statusCode, 401, refused.body)
})
