import { strict as assert } from 'node:assert'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { onAbort } from './on-abort.ts'

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
