import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { runWithDeadline } from './deadline.ts'

const NEVER = () => new Promise<string>(() => undefined)
const ever = () => new AbortController().signal

test('work that is done in time is answered, and its failure too', async () => {
  assert.deepEqual(await runWithDeadline(60_000, ever(), async () => 'x'), {
    ended: 'done',
    value: 'x',
  })
  const failing = runWithDeadline(60_000, ever(), async () => {
    throw new Error('broken')
  })
  await assert.rejects(failing, /broken/)
})

test('work that ignores the signal is left when the time is up, and was told', async () => {
  let told: AbortSignal | undefined
  const raced = await runWithDeadline(10, ever(), (inner) => {
    told = inner
    return NEVER()
  })
  assert.deepEqual(raced, { ended: 'late' })
  assert.equal(told?.aborted, true)
})

test('work that ignores the signal is left when the outer signal aborts, also before it begins', async () => {
  const outer = new AbortController()
  const racing = runWithDeadline(60_000, outer.signal, NEVER)
  outer.abort()
  assert.deepEqual(await racing, { ended: 'aborted' })
  let isBegun = false
  const late = await runWithDeadline(60_000, outer.signal, async () => {
    isBegun = true
  })
  assert.deepEqual([late, isBegun], [{ ended: 'aborted' }, false])
})
