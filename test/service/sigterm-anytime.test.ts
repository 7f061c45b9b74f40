import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSeededRandom } from '../support/meetings/caption-streams.ts'
import { HttpClient } from '../support/http/http-client.ts'
import { createInitializedDataFolder } from '../support/service/initialized-data-folder.ts'
import { startProgram } from '../support/service/run-program.ts'
import {
  CURRENT_NODE,
  LAUNCHER,
  signInAsAdmin,
  startServiceProcess,
  waitForNoProcesses,
  type TestDataFolder,
} from '../support/service/service-process.ts'
import { eventually } from '../support/time/eventually.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

const ROUNDS = 100
/** Part of the title. `TEST_SEED` repeats a run. */
const SEED = Number(process.env['TEST_SEED'] ?? Date.now() % 1_000_000)
/** Generous limit for the starts. */
const TIME_LIMIT_MS = 7_200_000
/** About the time of a start on an idle machine. */
const START_MS = 2_000
const WORK_MS = 1_500
/** About the time of a stop on an idle machine. */
const STOP_MS = 1_000

const random = createSeededRandom(SEED)

/** Ends a start at a random time. */
async function stopDuringStart({ env, data }: TestDataFolder): Promise<void> {
  await using program = startProgram([...CURRENT_NODE, LAUNCHER, 'serve'], { env })
  await sleep(random.between(0, START_MS))
  program.kill('SIGTERM')
  const { code, signal, stderr: output } = await program.waitForEnd()
  // Before the program is loaded, the signal itself ends the process.
  const isLoaded = output.includes('service stopping')
  assert.deepEqual([code, signal], isLoaded ? [0, null] : [null, 'SIGTERM'], output)
  if (isLoaded) assert.match(output, /service stopped/)
  assert.doesNotMatch(output, /abandoned/)
  await waitForNoProcesses(data)
}

/** Stops a service while it records a meeting, sometimes with a second signal during the stop. Adds the stored segments. */
async function stopDuringWork(
  { env, data }: TestDataFolder,
  recorded: Map<string, unknown[]>,
): Promise<void> {
  await using service = await startServiceProcess(env)
  const { apiKey } = await (await signInAsAdmin(service)).createToken()
  const key = { 'x-api-key': apiKey }
  const program = new HttpClient(service.url)
  const meeting = { url: 'practice://standup?speed=10', callbackUrl: 'http://127.0.0.1:9/hook' }
  const { body } = await program.post('/api/v1/meetings/start', meeting, key)
  const meetingId = String(body['meetingId'])
  const read = async (): Promise<unknown[]> => readSegments(program, key, meetingId)
  await eventually(async () => ((await read()).length > 0 ? true : null))
  await sleep(random.between(0, WORK_MS))
  recorded.set(meetingId, await read())
  const stopped = service.stop('SIGTERM')
  if (random.between(0, 1) === 1) {
    await sleep(random.between(0, STOP_MS))
    service.kill('SIGTERM')
  }
  const { code, signal } = await stopped
  // After everything has stopped, the process handles no signals while it ends.
  assert.ok(code === 0 || signal === 'SIGTERM', service.stderr())
  assert.match(service.stderr(), /service stopped/)
  assert.doesNotMatch(service.stderr(), /abandoned/)
  await waitForNoProcesses(data)
}

async function readSegments(
  program: HttpClient,
  key: Record<string, string>,
  meetingId: string,
): Promise<unknown[]> {
  const { body } = await program.get(`/api/v1/meetings/${meetingId}/transcript`, key)
  return (body['segments'] ?? []) as unknown[]
}

/** `dispose-anytime`, `stop-in-time` and `start-and-stop` test each part of this once. */
const skip = IS_FULL_SIZE ? false : 'only with TEST_SIZE=full'

test(
  `a service that gets SIGTERM at ${ROUNDS} random times always stops and loses nothing (seed ${SEED})`,
  { timeout: TIME_LIMIT_MS, skip },
  async () => {
    await using folder = await createInitializedDataFolder()
    const recorded = new Map<string, unknown[]>()
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round % 3 === 0) await stopDuringWork(folder, recorded)
      else await stopDuringStart(folder)
    }

    await using service = await startServiceProcess(folder.env)
    const { apiKey } = await (await signInAsAdmin(service)).createToken()
    const program = new HttpClient(service.url)
    for (const [meetingId, segments] of recorded) {
      const now = await readSegments(program, { 'x-api-key': apiKey }, meetingId)
      assert.deepEqual(now.slice(0, segments.length), segments)
    }
  },
)
