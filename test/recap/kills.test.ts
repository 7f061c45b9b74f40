import { strict as assert } from 'node:assert'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openRecordingReceiver } from '../support/callbacks/recording-receiver.ts'
import { createTestDatabase } from '../support/database/test-database.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  createTestDataFolder,
  signInAsAdmin,
  startServiceProcess,
} from '../support/service/service-process.ts'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { eventually } from '../support/time/eventually.ts'
import { answerWithRecap } from './model-answers.ts'
import type { ApiRecap } from './recap-client.ts'

const MEETINGS = 3

/** Requests to the API of any node of the instance, with a key. */
function createCalls(url: string, apiKey: string) {
  const client = new HttpClient(url)
  const key = { 'x-api-key': apiKey }
  return {
    get: async (path: string) => client.get(`/api/v1/meetings${path}`, key),
    change: (method: string, id: string, item: string, body?: object) =>
      client.request(method, `/api/v1/meetings/${id}/recap/items${item}`, body, key),
    async start(body: object): Promise<string> {
      const answer = await client.post('/api/v1/meetings/start', body, key)
      assert.equal(answer.status, 201)
      return String(answer.body['meetingId'])
    },
  }
}

test('recaps of a service that is killed are made once by the restarted one, with what people changed and one recap_ready each', async () => {
  await using database = await createTestDatabase()
  await using folder = createTestDataFolder()
  await using receiver = await openRecordingReceiver()
  let isHanging = true
  await using model = await openModelServer((request) =>
    isHanging ? { breaksBy: 'hang' } : answerWithRecap(request),
  )
  const env = {
    ...folder.env,
    DATABASE_URL: database.url,
    HANSARD_MASTER_KEY: MASTER_KEY,
    HANSARD_LOG_LEVEL: 'error',
    HANSARD_AI_MODEL: 'openai-compatible/m',
    HANSARD_AI_BASE_URL: model.url,
  }
  await using killed = await startServiceProcess(env)
  const { apiKey, signingSecret } = await (await signInAsAdmin(killed)).createToken()
  receiver.trustSecrets(signingSecret)
  const ids: string[] = []
  for (let i = 0; i < MEETINGS; i += 1) {
    const events = ['meeting_status', 'recap_ready']
    const body = { url: 'practice://standup?speed=1000', callbackUrl: receiver.url, events }
    ids.push(await createCalls(killed.url, apiKey).start(body))
  }
  // The recaps by rules are stored, and the model is being asked.
  await eventually(() => (model.requests.length >= MEETINGS ? true : null), 120_000)
  const byRules = (await createCalls(killed.url, apiKey).get(`/${ids[0]}/recap`)).body as ApiRecap
  assert.partialDeepStrictEqual(byRules, { status: 'in_progress', method: 'rules', version: 1 })
  const changed = ids[0] ?? ''
  const added = { kind: 'decision', text: 'Blue it is', segmentNumbers: [1] }
  const { change } = createCalls(killed.url, apiKey)
  assert.equal((await change('POST', changed, '', added)).status, 201)
  assert.equal((await change('DELETE', changed, `/${byRules.summary[0]?.id}`)).status, 204)
  killed.kill('SIGKILL')
  assert.equal((await killed.exited).signal, 'SIGKILL')
  isHanging = false

  await using restarted = await startServiceProcess(env)
  const { get } = createCalls(restarted.url, apiKey)
  for (const id of ids) {
    const recap = await eventually(async () => {
      const { body } = await get(`/${id}/recap`)
      return body['documentState'] === 'written' ? (body as ApiRecap) : null
    }, 120_000)
    assert.partialDeepStrictEqual(recap, { method: 'model', error: null })
    assert.deepEqual(
      recap.actions.map(({ text }) => text),
      ['Write it down'],
    )
    const { body } = await get(`/${id}`)
    const { documentPath } = body['meeting'] as { documentPath: string }
    const text = readFileSync(join(folder.data, documentPath), 'utf8')
    assert.equal(text.split('\n## Recap\n').length, 2)
    assert.equal(/### Decisions\n\n- Blue it is/.test(text), id === changed)
    await receiver.waitUntil((calls) =>
      calls.some(({ event }) => event.type === 'recap_ready' && event.meetingId === id),
    )
    const { body: stored } = await get(`/${id}/events?limit=1000`)
    const types = (stored['events'] as Array<{ type: string }>).map(({ type }) => type)
    assert.equal(types.filter((type) => type === 'recap_ready').length, 1)
  }
  // The last request of the killed service was not answered, so there is exactly one more for each meeting.
  assert.equal(model.requests.length, 2 * MEETINGS)
  assert.deepEqual(receiver.problems, [])
})
