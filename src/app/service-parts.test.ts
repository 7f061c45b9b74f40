import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { pino } from 'pino'
import { createShutdown } from '../lib/async/shutdown.ts'
import { createServiceParts } from './service-parts.ts'

const NEVER = new Promise<never>(() => undefined)

function createParts({ closeWithinMs = 60_000 } = {}) {
  const lines: Array<Record<string, unknown>> = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  const abort = new AbortController()
  const shutdown = createShutdown(60_000)
  const log = pino({ base: null, timestamp: false }, { write })
  const parts = createServiceParts({ log, shutdown, signal: abort.signal, closeWithinMs })
  const closed: string[] = []
  const open = (name: string, closing: Promise<void> = Promise.resolve()) =>
    parts.open(name, () => ({
      async [Symbol.asyncDispose]() {
        await closing
        closed.push(name)
      },
    }))
  return { parts, open, closed, abort, shutdown, lines }
}

test('parts are told at once and closed in reverse order', async () => {
  const { parts, open, closed, shutdown } = createParts()
  await open('first')
  await open('second')
  assert.equal(shutdown.begun.aborted, false)
  const moved = parts.move()
  await parts[Symbol.asyncDispose]()
  assert.deepEqual(closed, [])
  await moved[Symbol.asyncDispose]()
  assert.equal(shutdown.begun.aborted, true)
  assert.deepEqual(closed, ['second', 'first'])
})

test('a part that never closes is abandoned and named, and the other parts are closed', async () => {
  const { parts, open, closed, lines } = createParts({ closeWithinMs: 0 })
  await open('storage')
  await open('hung', NEVER)
  await open('server')
  await parts[Symbol.asyncDispose]()
  assert.deepEqual(closed, ['server', 'storage'])
  assert.deepEqual(
    lines.map(({ part, msg }) => [part, msg]),
    [['hung', 'abandoned a part of the service that did not stop in time']],
  )
})

test('a part that fails to close does not keep the others from closing', async () => {
  const { parts, open, closed } = createParts()
  await open('storage')
  await open('broken', Promise.reject(new Error('no database')))
  await assert.rejects(async () => parts[Symbol.asyncDispose](), /no database/)
  assert.deepEqual(closed, ['storage'])
})

test('an aborted start tells the opened parts, waits for the part that opens, and opens no other', async () => {
  const { parts, open, closed, abort, shutdown } = createParts()
  await open('storage')
  const ready = Promise.withResolvers<void>()
  const opening = parts.open('jobs', async () => {
    await ready.promise
    return { [Symbol.dispose]: () => void closed.push('jobs') }
  })
  abort.abort(new Error('stopped by a signal'))
  assert.equal(shutdown.begun.aborted, true)
  ready.resolve()
  await opening
  await assert.rejects(open('tasks'), /stopped by a signal/)
  await parts[Symbol.asyncDispose]()
  assert.deepEqual(closed, ['jobs', 'storage'])
})

test('a part that never opens is abandoned and named after the start was aborted', async () => {
  const { parts, open, closed, abort, lines } = createParts({ closeWithinMs: 0 })
  await open('storage')
  const opening = parts.open('jobs', async (): Promise<Disposable> => NEVER)
  abort.abort(new Error('stopped by a signal'))
  await assert.rejects(opening, /stopped by a signal/)
  await parts[Symbol.asyncDispose]()
  assert.deepEqual(closed, ['storage'])
  assert.deepEqual(
    lines.map(({ part, msg }) => [part, msg]),
    [['jobs', 'abandoned a part of the service that did not open in time']],
  )
})
