import { strict as assert } from 'node:assert'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { INSTALLATION_FOLDER } from '../../src/config/load-config.ts'
import { createSeededRandom } from '../support/meetings/caption-streams.ts'
import { eventually } from '../support/time/eventually.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  signInAsAdmin,
  createTestDataFolder,
  CURRENT_NODE,
  waitForNoProcesses,
  findOlderNode,
  startServiceProcess,
} from '../support/service/service-process.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'

/** `TEST_SIZE=full` takes a minute more. */
const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 20 : 2
const WRITERS = 4
/** Generous limit for the starts, each after a crash. */
const TIME_LIMIT_MS = 900_000

test(
  `every acknowledged API key survives ${ROUNDS} kill -9 of the service during key creation`,
  { timeout: TIME_LIMIT_MS },
  async () => {
    // Too long a path for a Unix socket address.
    await using folder = await createInitializedDataFolder('x'.repeat(100))
    const random = createSeededRandom(20)
    const olderNode = findOlderNode()
    const acknowledged: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const node = round % 2 === 0 ? CURRENT_NODE : olderNode
      await using service = await startServiceProcess(folder.env, { node })
      const ada = await signInAsAdmin(service)
      const before = acknowledged.length
      const writers = Array.from({ length: WRITERS }, () => createTokens(ada, acknowledged))
      await eventually(() => (acknowledged.length > before ? true : null))
      await sleep(random.between(0, 150))
      process.kill(service.servicePid(), 'SIGKILL')
      await Promise.all(writers)
      assert.equal((await service.exited).signal, 'SIGKILL')
      await waitForNoProcesses(folder.data)
    }

    await using service = await startServiceProcess(folder.env)
    const program = new HttpClient(service.url)
    const refused: string[] = []
    while (acknowledged.length > 0) {
      const some = acknowledged.splice(0, 20)
      const answers = await Promise.all(
        some.map((apiKey) => program.get('/api/v1/token', { 'x-api-key': apiKey })),
      )
      refused.push(...some.filter((_, i) => answers[i]?.status !== 200))
    }
    assert.deepEqual(refused, [])
  },
)

test('kill -9 of a launcher on an older Node stops the service it started', async () => {
  await using folder = await createInitializedDataFolder()
  const node = findOlderNode()
  await using service = await startServiceProcess(folder.env, { node })
  assert.notEqual(service.servicePid(), service.pid)
  service.kill('SIGKILL')
  await service.exited
  await waitForNoProcesses(folder.data)

  await using next = await startServiceProcess(folder.env, { node })
  assert.equal((await new HttpClient(next.url).get('/readyz')).status, 200)
})

const MOMENTS = [
  [150, 'SIGKILL'],
  [300, 'SIGKILL'],
  [500, 'SIGKILL'],
  [700, 'SIGTERM'],
  [900, 'SIGKILL'],
  [1_200, 'SIGKILL'],
] as const

test('a first start that is interrupted at any time leaves a usable data folder', async () => {
  await using folder = createTestDataFolder()
  for (const [afterMs, signal] of MOMENTS) {
    const child = spawn(process.execPath, [join(INSTALLATION_FOLDER, 'bin/hansard.mjs'), 'serve'], {
      env: folder.env,
      stdio: 'ignore',
    })
    const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
    await sleep(afterMs)
    child.kill(signal)
    const [code, endedBy] = await exited
    assert.ok(endedBy === signal || code === 0, `code ${code} after ${afterMs} ms`)
    // The next start follows immediately, while initdb of the previous one may still be running.
  }
  await using service = await startServiceProcess(folder.env)
  assert.equal((await new HttpClient(service.url).get('/readyz')).status, 200)
  assert.notEqual((await signInAsAdmin(service)).csrfToken, null)
})

/** Creates tokens until the service has ended. */
async function createTokens(person: HttpClient, acknowledged: string[]): Promise<void> {
  for (;;) {
    try {
      const { status, body } = await person.post('/web/tokens', { name: 'load' })
      assert.equal(status, 201)
      acknowledged.push(String(body['apiKey']))
    } catch (error) {
      // fetch throws a TypeError when the connection is lost, also during a response.
      if (error instanceof TypeError) return
      throw error
    }
  }
}
