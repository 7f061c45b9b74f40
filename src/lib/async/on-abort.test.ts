import { strict as assert } from 'node:assert'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { onAbort } from './on-abort.ts'

test('everybody who waits for a signal is told, each once', () => {
  const { signal, abort } = newEnd()
  const told: string[] = []
  const tell = () => told.push('twice')
  onAbort(signal, () => told.push('a'))
  onAbort(signal, tell)
  onAbort(signal, tell)
  abort()
  assert.deepEqual(told, ['a', 'twice', 'twice'])
})

test('who does not wait any more is not told, also when another one says so at the end', () => {
  const { signal, abort } = newEnd()
  const told: string[] = []
  const forget = onAbort(signal, () => told.push('gone'))
  onAbort(signal, () => forgetLater())
  const forgetLater = onAbort(signal, () => told.push('late'))
  forget()
  forget()
  abort()
  assert.deepEqual(told, [])
})

test('a signal has one listener, however many wait', () => {
  const { signal } = newEnd()
  for (let i = 0; i < 100; i += 1) onAbort(signal, () => undefined)
  assert.equal(getEventListeners(signal, 'abort').length, 1)
})

function newEnd() {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
