import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { runUntilDeadlineOrAbort } from './deadline.ts'

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
