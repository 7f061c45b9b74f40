import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { OperatorError } from '../../src/lib/operator-error.ts'
import { startService } from '../support/service/start-service.ts'

type Status = { state: string; installation: { phase: string; detail: string; fix: string } }

test('an admin starts an installation, sees its steps and why it failed; removing waits for its end', async () => {
  const fetching = Promise.withResolvers<never>()
  const started = Promise.withResolvers<void>()
  await using service = await startService(
    { HANSARD_SPEECH_URL: 'http://127.0.0.1:9/v1' },
    {
      fetchSpeechPackage: () => {
        started.resolve()
        return fetching.promise
      },
    },
  )
  const ada = await service.adminClient()
  const read = async () => (await ada.get('/web/system/speech')).body as Status
  assert.deepEqual(await read(), {
    isOn: true,
    state: 'absent',
    runtime: null,
    sizeBytes: 0,
    problem: null,
    endpointUrl: 'http://127.0.0.1:9/v1',
    installation: { phase: 'none', detail: null, fix: null },
  })
  assert.equal((await ada.post('/web/system/speech/install')).status, 200)
  await started.promise
  // A second request shares the installation.
  const running = (await ada.post('/web/system/speech/install')).body as Status
  assert.equal(running.installation.phase, 'running')
  assert.match(running.installation.detail, /^Fetching .+ \(1 of \d\)$/)
  const refused = await ada.post('/web/system/speech/remove')
  assert.deepEqual([refused.status, refused.body['code']], [409, 'speech_installing'])

  fetching.reject(new OperatorError('npm could not reach its registry', 'Check the network'))
  let status = await read()
  while (status.installation.phase === 'running') status = await read()
  assert.deepEqual(status.installation, {
    phase: 'failed',
    detail: 'npm could not reach its registry',
    fix: 'Check the network',
  })
  assert.equal((await ada.post('/web/system/speech/remove')).status, 200)
  const { body } = await ada.get('/web/audit')
  const actions = (body['entries'] as Array<{ action: string }>).map(({ action }) => action)
  assert.deepEqual(
    actions.filter((action) => action.startsWith('speech')),
    ['speech recognition removed', 'speech installation started', 'speech installation started'],
  )
  const check = await ada.post('/web/system/checks/speech')
  assert.equal(check.body['ok'], false)
  assert.match(String(check.body['detail']), /endpoint could not be reached/)
})
