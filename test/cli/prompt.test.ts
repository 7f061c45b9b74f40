import { strict as assert } from 'node:assert'
import { test } from 'node:test'
import { runLoadedCommand } from '../support/service/loaded-commands.ts'
import { createTestDataFolder } from '../support/service/service-process.ts'
import { createTaskDataFolder } from '../support/tasks/task-service.ts'

test('prompt check lists the problems of prompts as text or JSON and fails if there are any', async () => {
  await using folder = createTestDataFolder()
  const data = createTaskDataFolder(
    { good: '---\nbuiltin: digest\n---\nHello {{ task.name }}' },
    folder.data,
  )
  const fine = await runLoadedCommand(['prompt', 'check'], folder.env)
  assert.deepEqual([fine.code, fine.stdout], [0, 'ok    good\n'])

  data.writePrompt('team/bad', '---\nmodle: x\n---\nHello')
  data.writePrompt('worse', '---\nbuiltin: digest\n---\nHello {{ nobody }}')
  const bad = await runLoadedCommand(['prompt', 'check'], folder.env)
  assert.equal(bad.code, 1)
  assert.match(
    bad.stdout,
    /^ok {4}good\nFAIL {2}team\/bad\n {6}modle: Unknown key; did you mean model\?\nFAIL {2}worse\n {6}Template: undefined variable: nobody \(line 4\)\n$/,
  )
  const json = await runLoadedCommand(['prompt', 'check', 'worse', '--json'], folder.env)
  assert.equal(json.code, 1)
  assert.deepEqual(JSON.parse(json.stdout), [
    {
      name: 'worse',
      problems: [{ path: '', message: 'Template: undefined variable: nobody (line 4)' }],
    },
  ])
  const none = await runLoadedCommand(['prompt', 'check', 'nope'], folder.env)
  assert.equal(none.code, 1)
  assert.match(none.stderr, /There is no prompt nope/)
})

test('prompt check fails a prompt whose model is not configured', async () => {
  await using folder = createTestDataFolder()
  createTaskDataFolder(
    { any: 'Hello', named: '---\nmodel: anthropic/claude-x\n---\nHello' },
    folder.data,
  )
  const none = await runLoadedCommand(['prompt', 'check'], folder.env)
  assert.equal(none.code, 1)
  assert.equal(
    none.stdout,
    `FAIL  any
      model: No language model configured: set HANSARD_AI_MODEL
FAIL  named
      model: No API key for anthropic: set ANTHROPIC_API_KEY
`,
  )
  const configured = {
    HANSARD_AI_MODEL: 'openai-compatible/m',
    HANSARD_AI_BASE_URL: 'http://127.0.0.1:1/v1',
    ANTHROPIC_API_KEY: 'sk-test',
  }
  const fine = await runLoadedCommand(['prompt', 'check'], { ...folder.env, ...configured })
  assert.deepEqual([fine.code, fine.stdout], [0, 'ok    any\nok    named\n'])
})
