import { strict as assert } from 'node:assert'
import { test, type TestContext } from 'node:test'
import { createEventStream } from './event-stream.ts'

/**
 * A browser whose server accepts a connection only when the test tells it to. Its time passes only when the test lets
 * it, so that no attempt ends by itself.
 */
function openBrowser({ mock }: TestContext) {
  mock.timers.enable({ apis: ['setInterval', 'setTimeout', 'Date'] })
  const attempts: Array<{ accept(): void }> = []
  let onAttempt = () => {}
  const fetch = (_: string, { signal }: RequestInit) => {
    const response = Promise.withResolvers<Response>()
    const body = new ReadableStream({
      start: (controller) =>
        signal?.addEventListener('abort', () => {
          response.reject(signal.reason)
          controller.error(signal.reason)
        }),
    })
    attempts.push({ accept: () => response.resolve(new Response(body)) })
    onAttempt()
    return response.promise
  }
  const document = Object.assign(new EventTarget(), { visibilityState: 'visible' as const })
  const browser = { fetch, window: new EventTarget(), document }
  const stream = createEventStream({ path: '/stream', onSignedOut: () => {}, browser })
  return {
    browser,
    stream,
    attempts,
    accept: () => attempts.at(-1)?.accept(),
    /** Resolves when this many attempts have begun. */
    async reach(count: number) {
      while (attempts.length < count)
        await new Promise<void>((resolve) => {
          onAttempt = resolve
        })
    },
    state: (wanted: string) =>
      new Promise<void>((resolve) => {
        const check = () => stream.state() === wanted && resolve()
        stream.onState(check)
        check()
      }),
  }
}

const TRIGGERS = {
  'the user retries': ({ stream }: ReturnType<typeof openBrowser>) => stream.retry(),
  'the network is back': ({ browser }: ReturnType<typeof openBrowser>) =>
    browser.window.dispatchEvent(new Event('online')),
  'the page is shown again': ({ browser }: ReturnType<typeof openBrowser>) =>
    browser.document.dispatchEvent(new Event('visibilitychange')),
}

for (const [name, trigger] of Object.entries(TRIGGERS))
  test(`an attempt to connect that hangs is replaced when ${name}`, async (context) => {
    const world = openBrowser(context)
    const stop = world.stream.start()
    trigger(world)
    await world.reach(2)
    trigger(world)
    await world.reach(3)
    world.accept()
    await world.state('open')
    stop()
    assert.equal(world.attempts.length, 3)
  })

test('an open connection is replaced when the network is back, and kept when the page is shown', async (context) => {
  const world = openBrowser(context)
  const stop = world.stream.start()
  world.accept()
  await world.state('open')
  TRIGGERS['the page is shown again'](world)
  assert.equal(world.stream.state(), 'open')
  TRIGGERS['the network is back'](world)
  await world.reach(2)
  stop()
  world.stream.retry()
  assert.equal(world.attempts.length, 2)
})

test('an attempt to connect that hangs for long is given up without any event', async (context) => {
  const world = openBrowser(context)
  const stop = world.stream.start()
  context.mock.timers.tick(45_000)
  await world.state('lost')
  stop()
  assert.equal(world.attempts.length, 1)
})
