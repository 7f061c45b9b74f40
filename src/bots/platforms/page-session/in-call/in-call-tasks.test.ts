import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { selectTasksToRun } from './in-call-tasks.ts'

test('no task runs when the page shows the end of the call, and only captions are checked while it reconnects', () => {
  const keepCaptionsOn = () => Promise.resolve(null)
  const tasks = [() => Promise.resolve(null), keepCaptionsOn]
  assert.equal(selectTasksToRun({ because: null, conditions: [] }, tasks, keepCaptionsOn), tasks)
  const conditions = ['reconnecting'] as const
  for (const [because, expected] of [
    [null, [keepCaptionsOn]],
    ['host_ended', []],
  ] as const)
    assert.deepEqual(
      selectTasksToRun({ because, conditions: [...conditions] }, tasks, keepCaptionsOn),
      expected,
    )
  assert.deepEqual(
    selectTasksToRun({ because: 'removed', conditions: [] }, tasks, keepCaptionsOn),
    [],
  )
})
