import { strict as assert } from 'node:assert'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { runUntilDeadlineOrAbort, onAbort, abortable } from './abort.ts'

const NEVER = () => new Promise<string>(() => undefined)
const neverAborts = () => new AbortController().signal

test('work that settles before its deadline returns its value or throws its error', async () => {
  assert.deepEqual(await runUntilDeadlineOrAbort(60_000, neverAborts(), async () => 'x'), {
    ended: 'done',
    value: 'x',
  })
  const failing = runUntilDeadlineOrAbort(60_000, neverAborts(), async () => {
    throw new Error('broken')
  })
  await assert.rejects(failing, /broken/)
})

test('at the deadline the signal aborts and work that ignores it is abandoned', async () => {
  let innerSignal: AbortSignal | undefined
  const result = await runUntilDeadlineOrAbort(10, neverAborts(), (inner) => {
    innerSignal = inner
    return NEVER()
  })
  assert.deepEqual(result, { ended: 'late' })
  assert.equal(innerSignal?.aborted, true)
})

test('work is abandoned when the outer signal aborts, and not started when it already has', async () => {
  const outer = new AbortController()
  const running = runUntilDeadlineOrAbort(60_000, outer.signal, NEVER)
  outer.abort()
  assert.deepEqual(await running, { ended: 'aborted' })
  let hasStarted = false
  const late = await runUntilDeadlineOrAbort(60_000, outer.signal, async () => {
    hasStarted = true
  })
  assert.deepEqual([late, hasStarted], [{ ended: 'aborted' }, false])
})

test('every callback of a signal runs once, and one registered twice runs twice', () => {
  const { signal, abort } = newSignal()
  const calls: string[] = []
  const callback = () => calls.push('twice')
  onAbort(signal, () => calls.push('a'))
  onAbort(signal, callback)
  onAbort(signal, callback)
  abort()
  assert.deepEqual(calls, ['a', 'twice', 'twice'])
})

test('an unsubscribed abort callback does not run, even when another callback unsubscribes it', () => {
  const { signal, abort } = newSignal()
  const calls: string[] = []
  const unsubscribe = onAbort(signal, () => calls.push('unsubscribed'))
  onAbort(signal, () => unsubscribeLater())
  const unsubscribeLater = onAbort(signal, () => calls.push('late'))
  unsubscribe()
  unsubscribe()
  abort()
  assert.deepEqual(calls, [])
})

test('a signal has one listener for any number of abort callbacks', () => {
  const { signal } = newSignal()
  for (let i = 0; i < 100; i += 1) onAbort(signal, () => undefined)
  assert.equal(getEventListeners(signal, 'abort').length, 1)
})

function newSignal() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

const never = () => new Promise<never>(() => undefined)

test('abortable work gives its result or its error while the signal does not abort', async () => {
  const { signal } = new AbortController()
  assert.equal(await abortable(Promise.resolve(1), signal), 1)
  await assert.rejects(abortable(Promise.reject(new Error('broken')), signal), /broken/)
})

test('abortable work is given up when the signal aborts, or has aborted before', async () => {
  const stop = new AbortController()
  const waiting = abortable(never(), stop.signal)
  stop.abort(new Error('stopped'))
  await assert.rejects(waiting, /stopped/)
  await assert.rejects(abortable(Promise.resolve(1), stop.signal), /stopped/)
  // The error of the work comes after the end, and must not end the process.
  await assert.rejects(abortable(Promise.reject(new Error('late')), stop.signal), /stopped/)
})
