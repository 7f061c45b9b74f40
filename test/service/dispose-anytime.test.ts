import { strict as assert } from 'node:assert'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createGoogleMeet } from '../../src/bots/platforms/google-meet/google-meet.ts'
import { readScript } from '../../src/bots/platforms/practice/script-reading/script-library.ts'
import { preventUnhandledRejection } from '../../src/lib/async/await-later.ts'
import { createLog } from '../../src/log.ts'
import { openStage } from '../../stage/stage.ts'
import { openTestPool, stageNetworkOptions } from '../browser/open-test-pool.ts'
import { newMeetUrl } from '../stage/stage-browser.ts'
import { startFeedServer } from '../support/calendars/feed-server.ts'
import { formatFeed } from '../support/calendars/feed-text.ts'
import { createTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import { openForFile } from '../support/open-for-file.ts'
import { trackLiveResources, type LiveResources } from '../support/service/live-resources.ts'
import { startWithRoutes } from '../support/service/start-nodes.ts'
import { startService, type TestService } from '../support/service/start-service.ts'
import { eventually } from '../support/time/eventually.ts'
import { createToneRecognition } from '../support/speech/tone-recognition.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { IS_FULL_SIZE } from '../support/test-size.ts'

/** Milliseconds after the start has finished. */
const MOMENTS = IS_FULL_SIZE ? [0, 5, 20, 50, 200, 500, 1_000, 2_000, 4_000, 8_000] : [50, 4_000]
/** A step that leaves something open is also found by later steps, unless only its own failure leaves it. */
const STRIDE = IS_FULL_SIZE ? 1 : 4
/** More than the steps of a start. */
const MOST_STEPS = 100
/** Sockets and processes need a moment to report that they are closed. */
const CLOSING_MS = 10_000

const log = createLog('silent')

/** Everything that the service communicates with, and work in its database that a start continues. */
async function openWorld() {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await createTestDatabase())
  const data = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'data-'))
  stack.defer(() => rmSync(data, { recursive: true, force: true }))
  const feeds = stack.use(await startFeedServer())
  const start = new Date(Date.now() + 3_600_000)
  feeds.answer('/team', formatFeed([{ uid: 'u1', start }]))
  feeds.answer('/silent', () => undefined)
  // Sends a few words and then nothing.
  const model = stack.use(
    await openModelServer(() => ({ words: ['One', ' two'], breaksBy: 'hang' })),
  )
  const stage = stack.use(await openStage())
  const env = {
    DATABASE_URL: database.url,
    HANSARD_DATA: data,
    HANSARD_AI_MODEL: 'openai-compatible/m',
    HANSARD_AI_BASE_URL: model.url,
    HANSARD_SPEECH_URL: model.url,
    HANSARD_RECAP: 'on',
    HANSARD_RATE_LIMIT: 'off',
    HANSARD_MAX_BOTS: '4',
  }
  const scripted = createScriptedPlatform('microsoft_teams')
  await using service = await startService(env, { platforms: [scripted] })
  const { apiKey } = await (await service.adminClient()).createToken()
  const key = { 'x-api-key': apiKey }
  const client = createWork(service, key)
  await client.must('POST', '/calendars', { name: 'team', url: feeds.urlOf('/team') })
  await client.must('POST', '/tasks', {
    name: 'daily',
    promptName: 'daily-digest',
    cronExpression: '0 0 29 2 *',
  })
  await client.startMeeting('stage://one')
  const text = 'The budget is due on Friday.'
  scripted
    .room('one')
    .emit({ kind: 'admitted' }, { kind: 'caption', captionId: 'c1', speaker: 'Ada', text })
  const silentFeed = feeds.urlOf('/silent')
  const opened = stack.move()
  const dispose = () => opened.disposeAsync()
  return { env, key, stage, scripted, silentFeed, [Symbol.asyncDispose]: dispose }
}

type World = Awaited<ReturnType<typeof openWorld>>

/** Requests of a program. The requests of `begin` are still open when the service stops. */
function createWork(service: TestService, key: Record<string, string>) {
  const client = service.anonymousClient()
  const ask = (method: string, path: string, body?: unknown) =>
    client.request(method, `/api/v1${path}`, body, key)
  const must = async (method: string, path: string, body?: unknown) => {
    const answer = await ask(method, path, body)
    assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const startMeeting = async (url: string) =>
    (
      await must('POST', '/meetings/start', {
        url,
        callbackUrl: 'http://127.0.0.1:9/hook',
        language: 'de',
        speech: 'always',
      })
    )['meetingId'] as string
  return { ask, must, startMeeting }
}

/** Requests that are still open when the service stops. The stop ends them with an error or a last answer. */
function beginRequests(service: TestService, { key, stage, silentFeed }: World) {
  const { ask, startMeeting } = createWork(service, key)
  const address = newMeetUrl()
  void preventUnhandledRejection(stage.perform({ address, script: readScript('standup') }).finished)
  const inMeeting = async () => {
    const meetingId = await startMeeting(address)
    await ask('GET', `/meetings/${meetingId}/events/stream`)
  }
  return Promise.allSettled([
    inMeeting(),
    ask('POST', '/tasks/daily/run'),
    ask('POST', '/ask', { question: 'When is the budget due?' }),
    ask('GET', '/meetings?limit=10'),
    ask('POST', '/calendars/preview', { url: silentFeed }),
  ])
}

/** Bots with real browsers, which reach only the stage. */
async function openBrowserBots({ stage, scripted }: World) {
  const pool = await openTestPool(stageNetworkOptions(stage))
  const speech = createToneRecognition()
  const platforms = [scripted, createGoogleMeet({ pool, log, speech })]
  return { platforms, [Symbol.asyncDispose]: () => pool[Symbol.asyncDispose]() }
}

async function assertNothingIsLeft(live: LiveResources, when: string): Promise<void> {
  const deadline = performance.now() + CLOSING_MS
  while (live.list().length > 0 && performance.now() < deadline) await sleep(20)
  const left = live.list().join('\n')
  assert.equal(left, '', `left after a service was disposed ${when}:\n${left}`)
}

const world = openForFile(openWorld)

for (const ms of MOMENTS) {
  test(`a service that is disposed ${ms} ms after its start leaves nothing`, async () => {
    using live = trackLiveResources()
    {
      await using bots = await openBrowserBots(world())
      const service = await startService(world().env, bots)
      const requests = beginRequests(service, world())
      await sleep(ms)
      await service[Symbol.asyncDispose]()
      await requests
    }
    await assertNothingIsLeft(live, `after ${ms} ms`)
  })
}

/** Aborts at the check with this number. `count` returns the number of checks. */
function createCountingSignal(abortAt: number) {
  const controller = new AbortController()
  const { signal } = controller
  let checks = 0
  const throwIfAborted = signal.throwIfAborted.bind(signal)
  signal.throwIfAborted = () => {
    checks += 1
    if (checks === abortAt) controller.abort(new Error('the start was aborted'))
    throwIfAborted()
  }
  return { signal, count: () => checks }
}

test('the memory of a service that was disposed is freed', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  const app = await (async () => {
    await using service = await startWithRoutes()
    await service.adminClient()
    return new WeakRef(service.app)
  })()
  await eventually(() => {
    collectGarbage()
    return app.deref() === undefined ? true : null
  })
})

test('a start that is aborted at any of its steps leaves nothing', async () => {
  for (let step = 1; step < MOST_STEPS; step += STRIDE) {
    using live = trackLiveResources()
    const { signal, count } = createCountingSignal(step)
    try {
      await using bots = await openBrowserBots(world())
      await using _ = await startService(world().env, bots, undefined, { signal })
      assert.ok(step > 15, `the start has only ${count()} steps`)
      return
    } catch (error) {
      assert.equal(error, signal.reason)
    }
    await assertNothingIsLeft(live, `at step ${step} of its start`)
  }
})
