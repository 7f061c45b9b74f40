import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { createTestDataFolder, runCommand } from '../support/service/service-process.ts'
import { createTaskDataFolder } from '../support/tasks/task-service.ts'

test('prompt check lists the problems of prompts as text or JSON and fails if there are any', async () => {
  await using folder = createTestDataFolder()
  const data = createTaskDataFolder({ good: 'Hello {{ task.name }}' }, folder.data)
  const fine = await runCommand(['prompt', 'check'], folder.env)
  assert.deepEqual([fine.code, fine.stdout], [0, 'ok    good\n'])

  data.writePrompt('team/bad', '---\nmodle: x\n---\nHello')
  data.writePrompt('worse', 'Hello {{ nobody }}')
  const bad = await runCommand(['prompt', 'check'], folder.env)
  assert.equal(bad.code, 1)
  assert.match(
    bad.stdout,
    /^ok {4}good\nFAIL {2}team\/bad\n {6}modle: Unknown key; did you mean model\?\nFAIL {2}worse\n {6}Template: undefined variable: nobody, line:1, col:10\n$/,
  )
  const json = await runCommand(['prompt', 'check', 'worse', '--json'], folder.env)
  assert.equal(json.code, 1)
  assert.deepEqual(JSON.parse(json.stdout), [
    {
      name: 'worse',
      problems: [{ path: '', message: 'Template: undefined variable: nobody, line:1, col:10' }],
    },
  ])
  const none = await runCommand(['prompt', 'check', 'nope'], folder.env)
  assert.equal(none.code, 1)
  assert.match(none.stderr, /There is no prompt nope/)
})
