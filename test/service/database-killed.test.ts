import { strict as assert } from 'node:assert'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { preventUnhandledRejection } from '../../src/lib/async/await-later.ts'
import { readPostmasterPidFileIfExists } from '../../src/db/embedded/postmaster.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  signInAsAdmin,
  waitForNoProcesses,
  startServiceProcess,
} from '../support/service/service-process.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

const KILLS = IS_FULL_SIZE ? 3 : 1
const WRITERS = 6
const LIMIT_MS = 60_000

test('a busy service survives kills of PostgreSQL and restarts it', async (t) => {
  await using folder = await createInitializedDataFolder()
  await using service = await startServiceProcess(folder.env)
  const ada = await signInAsAdmin(service)
  const { apiKey } = await ada.createToken()
  const seen = new Map<string, number>()
  const record = ({ status, body }: Awaited<ReturnType<HttpClient['get']>>) => {
    const what = status === 503 ? `503 ${body.code}` : String(status)
    seen.set(what, (seen.get(what) ?? 0) + 1)
    return status
  }
  const ask = () => new HttpClient(service.url).get('/api/v1/token', { 'x-api-key': apiKey })
  const postmaster = () => readPostmasterPidFileIfExists(join(folder.data, 'pg18'))?.pid ?? null

  const stopped = new AbortController()
  const writers = Array.from({ length: WRITERS }, async () => {
    while (!stopped.signal.aborted) record(await ada.post('/web/tokens', { name: 'load' }))
  })
  const work = Promise.all(writers)
  void preventUnhandledRejection(work)
  try {
    for (let kill = 0; kill < KILLS; kill += 1) await killAndAwaitReturn()
    stopped.abort()
    await work
  } catch (error) {
    stopped.abort()
    // fetch throws a TypeError if the connection is lost.
    if (!(error instanceof TypeError)) throw error
    throw new Error(`the service exited: ${service.stderr().slice(-1_500)}`, { cause: error })
  }

  const expected = new Set(['200', '201', '503 database_unavailable'])
  assert.deepEqual(
    [...seen].filter(([what]) => !expected.has(what)),
    [],
  )
  assert.equal((await new HttpClient(service.url).get('/readyz')).status, 200)
  const { code } = await service.stop('SIGTERM')
  assert.equal(code, 0, service.stderr().slice(-2_000))
  await waitForNoProcesses(folder.data)

  await t.test('the log does not contain the keys that can cancel database statements', () => {
    assert.equal(service.stderr().includes('"secretKey"'), false)
  })

  async function killAndAwaitReturn(): Promise<void> {
    const startedAt = performance.now()
    const killed = postmaster()
    assert.ok(killed !== null)
    process.kill(killed, 'SIGKILL')
    for (;;) {
      const current = postmaster()
      const status = record(await ask())
      if (current !== null && current !== killed && status === 200) return
      const waitedMs = performance.now() - startedAt
      assert.ok(waitedMs < LIMIT_MS, `no 200 in time; seen ${JSON.stringify([...seen])}`)
      await sleep(50)
    }
  }
})
