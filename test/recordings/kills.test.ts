import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createTestDatabase } from '../support/database/test-database.ts'
import { openMeetingsClient, startService } from '../support/meetings/meetings-client.ts'
import {
  createTestDataFolder,
  CURRENT_NODE,
  startServiceProcess,
} from '../support/service/service-process.ts'
import { MASTER_KEY } from '../support/service/start-nodes.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'
import { eventually } from '../support/time/eventually.ts'
import { createWav, openToneEndpoint } from './support/tones.ts'

/** `resume.test.ts` tests the same without processes. */
const skip = IS_FULL_SIZE ? false : 'only with TEST_SIZE=full'

/** One tone in each portion. */
const TONES = [400, 800].map((hertz, index) => ({
  channel: 0,
  hertz,
  from: 10 + index * 90,
  to: 11 + index * 90,
}))

test(
  'a service that is killed while it recognizes a recording continues where it was',
  { skip },
  async () => {
    await using endpoint = await openToneEndpoint()
    await using database = await createTestDatabase()
    await using folder = createTestDataFolder()
    const shared = {
      DATABASE_URL: database.url,
      HANSARD_MASTER_KEY: MASTER_KEY,
      HANSARD_DATA: folder.data,
      HANSARD_LOG_LEVEL: 'error',
      HANSARD_RECAP: 'off',
      HANSARD_SPEECH_URL: endpoint.url,
    }
    // This node only answers requests, so it recognizes nothing.
    await using api = await startService({ ...shared, HANSARD_ROLES: 'api' })
    const client = await openMeetingsClient(api)
    const env = { ...folder.env, ...shared }

    endpoint.fail(503, 1)
    await using killed = await startServiceProcess(env, { node: CURRENT_NODE })
    const bytes = createWav(120, TONES, 1)
    const created = await client.ask('POST', '/recordings', {
      fileName: 'a.wav',
      bytes: bytes.length,
    })
    assert.equal(created.status, 201, JSON.stringify(created.body))
    const path = `/recordings/${String(created.body['recordingId'])}`
    const sent = await fetch(`${api.url}/api/v1${path}/parts/1`, {
      method: 'PUT',
      headers: { ...client.key, 'content-type': 'application/octet-stream' },
      body: new Uint8Array(bytes),
    })
    assert.equal(sent.status, 200, await sent.text())
    await eventually(() => (endpoint.count() > 1 ? true : null), 60_000)
    killed.kill('SIGKILL')
    await killed.exited
    const { body: left } = await client.ask('GET', path)
    const position = Number(left['positionSeconds'])
    assert.ok(position > TONES[0]!.to && position < TONES[1]!.from, String(position))

    endpoint.fail(null)
    const requests = endpoint.count()
    await using last = await startServiceProcess(env, { node: CURRENT_NODE })
    assert.notEqual(last.pid, killed.pid)
    const { body } = await eventually(async () => {
      const answer = await client.ask('GET', path)
      return ['imported', 'failed'].includes(String(answer.body['state'])) ? answer : null
    }, 120_000)
    assert.equal(body['state'], 'imported', String(body['detail']))
    assert.equal(endpoint.count(), requests + 1)
    const { body: transcript } = await client.get(`/${String(body['meetingId'])}/transcript`)
    assert.deepEqual(
      (transcript['segments'] as Array<{ text: string }>).map(({ text }) => text),
      TONES.map(({ hertz }) => `Tone of ${hertz} hertz.`),
    )
  },
)
