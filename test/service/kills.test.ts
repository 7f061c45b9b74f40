import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSeededRandom } from '../support/meetings/caption-streams.ts'
import { eventually } from '../support/time/eventually.ts'
import { HttpClient } from '../support/http/http-client.ts'
import {
  signInAsAdmin,
  createTestDataFolder,
  CURRENT_NODE,
  waitForNoProcesses,
  findOlderNode,
  LAUNCHER,
  startServiceProcess,
} from '../support/service/service-process.ts'
import { startProgram } from '../support/service/run-program.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

/** In a normal run, only the launcher is killed. `deliveries/kills` kills the service. */
const ROUNDS = IS_FULL_SIZE ? 20 : 1
const WRITERS = 4
/** Only a safeguard against hanging. */
const TIME_LIMIT_MS = 900_000

test(
  `every acknowledged API key survives ${ROUNDS} kill -9 of the service or of its launcher during key creation`,
  { timeout: TIME_LIMIT_MS },
  async () => {
    // Too long a path for a Unix socket address.
    await using folder = await createInitializedDataFolder('x'.repeat(100))
    const random = createSeededRandom(20)
    const olderNode = findOlderNode()
    const acknowledged: string[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const isLauncherKilled = round % 2 === 0
      const node = isLauncherKilled ? olderNode : CURRENT_NODE
      await using service = await startServiceProcess(folder.env, { node })
      assert.equal(service.servicePid() !== service.pid, isLauncherKilled)
      const ada = await signInAsAdmin(service)
      const before = acknowledged.length
      const writers = Array.from({ length: WRITERS }, () =>
        createTokens(ada, acknowledged, isLauncherKilled),
      )
      await eventually(() => (acknowledged.length > before ? true : null))
      await sleep(random.between(0, 150))
      // The service of a launcher on an older Node must not outlive it.
      process.kill(isLauncherKilled ? service.pid : service.servicePid(), 'SIGKILL')
      await Promise.all(writers)
      assert.equal((await service.waitForExit()).signal, 'SIGKILL')
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

const ALL_MOMENTS = [
  [150, 'SIGKILL'],
  [300, 'SIGKILL'],
  [500, 'SIGKILL'],
  [700, 'SIGTERM'],
  [900, 'SIGKILL'],
  [1_200, 'SIGKILL'],
] as const
const MOMENTS = IS_FULL_SIZE ? ALL_MOMENTS : ALL_MOMENTS.filter(([ms]) => ms === 900)

test('a first start that is interrupted at any time leaves a usable data folder', async () => {
  await using folder = createTestDataFolder()
  for (const [afterMs, signal] of MOMENTS) {
    await using program = startProgram([...CURRENT_NODE, LAUNCHER, 'serve'], { env: folder.env })
    await sleep(afterMs)
    program.kill(signal)
    const ended = await program.waitForExit()
    assert.ok(ended.signal === signal || ended.code === 0, `code ${ended.code} after ${afterMs} ms`)
    // The next start follows immediately, while initdb of the previous one may still be running.
  }
  await using service = await startServiceProcess(folder.env)
  assert.equal((await new HttpClient(service.url).get('/readyz')).status, 200)
  assert.notEqual((await signInAsAdmin(service)).csrfToken, null)
})

/** Creates tokens until the service has ended. If its launcher is killed, it stops in order and refuses requests. */
async function createTokens(
  person: HttpClient,
  acknowledged: string[],
  mayRefuse: boolean,
): Promise<void> {
  for (;;) {
    try {
      const { status, body } = await person.post('/web/tokens', { name: 'load' })
      if (mayRefuse && status === 503) return
      assert.equal(status, 201)
      acknowledged.push(String(body['apiKey']))
    } catch (error) {
      // fetch throws a TypeError if the connection is lost, even during a response.
      if (error instanceof TypeError) return
      throw error
    }
  }
}
