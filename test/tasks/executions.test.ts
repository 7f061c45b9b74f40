import { strict as assert } from 'node:assert'
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { FEWEST_CONNECTIONS } from '../support/service/start-service.ts'
import { openForFile } from '../support/open-for-file.ts'
import { openModelServer } from '../support/tasks/model-server.ts'
import { eventually } from '../support/time/eventually.ts'
import { createTaskDataFolder, startTaskService } from '../support/tasks/task-service.ts'

const env = (url: string, more: Record<string, string> = {}) => ({
  HANSARD_AI_MODEL: 'openai-compatible/m',
  HANSARD_AI_BASE_URL: url,
  ...more,
})

/** A gate that holds its callers until the test opens it. */
function createGate() {
  let waiting: Array<() => void> = []
  let isOpen = false
  return {
    pass: () =>
      isOpen ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve)),
    waiting: () => waiting.length,
    /** Releases the waiting callers and, with `isPermanent`, also all later ones. */
    open(isPermanent = false) {
      isOpen ||= isPermanent
      const released = waiting
      waiting = []
      for (const resolve of released) resolve()
    },
  }
}

/** A service that runs one execution at a time, with a model whose answers the test chooses. */
const opened = openForFile(async () => {
  await using stack = new AsyncDisposableStack()
  let answer: Parameters<typeof openModelServer>[0] = () => ({})
  const server = stack.use(await openModelServer((...request) => answer(...request)))
  const tasks = stack.use(
    await startTaskService(
      {
        plain: '---\ntools: []\n---\nGo',
        projects: '---\ntools: [list_projects]\n---\nGo',
        unsaved: '---\ntools: []\noutput:\n  save: false\n---\nGo',
        stats: '---\nbuiltin: stats\nmodel: builtin/rules-1\n---\n',
      },
      env(server.url, { HANSARD_TASKS_CONCURRENCY: '1', ...FEWEST_CONNECTIONS }),
    ),
  )
  const moved = stack.move()
  return {
    tasks,
    server,
    answerWith(next: typeof answer) {
      answer = next
    },
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
})

/** A service without a model. */
const withoutModel = openForFile(() => startTaskService({}))

type StreamEvent = { id?: string; event?: string; data: string }

/** Reads server-sent events until the response ends. */
async function* readEvents(url: string, headers: Record<string, string>) {
  const answer = await fetch(url, { headers })
  assert.equal(answer.status, 200)
  assert.ok(answer.body)
  let text = ''
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s).slice(0, 2)))
      if ('data' in fields) yield fields as StreamEvent
    }
  }
}

/** The text that a reader has at the end of the stream, starting with its earlier text. */
async function readFinalText(events: AsyncIterable<StreamEvent>, before: string): Promise<string> {
  let text = before
  for await (const { event, data } of events) {
    if (event === 'reset') text = ''
    if (event === 'text') text += (JSON.parse(data) as { text: string }).text
  }
  return text
}

test('an output stream sends text as it arrives, can be resumed, and ends with the final status', async () => {
  const gate = createGate()
  const { tasks, answerWith } = opened()
  answerWith(() => ({ words: ['One', ' two', ' three'], beforeEachWord: gate.pass }))
  await tasks.create({ name: 'streamed', promptName: 'plain' })
  const id = await tasks.run('streamed')
  const url = `${tasks.url}/api/v1/executions/${id}/stream`
  const first = readEvents(url, tasks.key)
  const next = async (events: typeof first) => {
    const { value } = await events.next()
    assert.ok(value)
    return [value.event, (JSON.parse(value.data) as { text?: string }).text ?? value.data]
  }
  await eventually(() => (gate.waiting() > 0 ? true : null))
  gate.open()
  assert.deepEqual(await next(first), ['text', 'One'])
  await eventually(() => (gate.waiting() > 0 ? true : null))
  gate.open()
  assert.deepEqual(await next(first), ['text', ' two'])
  // A second reader connects later, and a third resumes from a position.
  const late = readEvents(url, tasks.key)
  assert.deepEqual(await next(late), ['text', 'One two'])
  const back = readEvents(url, { ...tasks.key, 'last-event-id': '3' })
  assert.deepEqual(await next(back), ['text', ' two'])
  gate.open(true)
  for (const events of [first, late, back]) {
    assert.deepEqual(await next(events), ['text', ' three'])
    const [event, data] = await next(events)
    assert.equal(event, 'end')
    assert.deepEqual(JSON.parse(String(data)), {
      status: 'completed',
      resultSummary: 'One two three',
    })
    assert.equal((await events.next()).done, true)
  }
  // After the end, a new reader gets the complete output in one event.
  const after = readEvents(url, tasks.key)
  assert.deepEqual(await next(after), ['text', 'One two three'])
})

test('a resumed output stream is reset when the earlier output was replaced', async () => {
  const gate = createGate()
  const { tasks, answerWith } = opened()
  let hasLooked = false
  answerWith(() => {
    if (hasLooked)
      return { words: ['Answer: forty-two, as the plan says'], beforeEachWord: gate.pass }
    hasLooked = true
    return { words: ['Let me look.'], toolCall: { name: 'list_projects', arguments: {} } }
  })
  await tasks.create({ name: 'replaced', promptName: 'projects' })
  const id = await tasks.run('replaced')
  const url = `${tasks.url}/api/v1/executions/${id}/stream`
  const live = readEvents(url, tasks.key)
  const first = (await live.next()).value
  assert.deepEqual(first?.data, '{"text":"Let me look."}')
  const position = first?.id ?? ''
  await eventually(() => (gate.waiting() > 0 ? true : null))
  gate.open(true)
  const answer = 'Answer: forty-two, as the plan says'
  assert.equal(await readFinalText(live, 'Let me look.'), answer)
  for (const again of [
    readEvents(url, { ...tasks.key, 'last-event-id': position }),
    readEvents(`${url}?after=${position}`, tasks.key),
  ]) {
    assert.equal((await again.next()).value?.event, 'reset')
    const { value } = await again.next()
    assert.equal(value?.data, JSON.stringify({ text: answer }))
    // Resuming from this position yields only the end event.
    const rest = readEvents(url, { ...tasks.key, 'last-event-id': value?.id ?? '' })
    assert.equal((await rest.next()).value?.event, 'end')
  }
  const bad = await fetch(`${url}?after=12-x`, { headers: tasks.key })
  assert.equal(bad.status, 400)
})

test('cancelling an execution ends it immediately, closes its connection and frees its slot', async () => {
  const gate = createGate()
  const { tasks, server, answerWith } = opened()
  answerWith(() => ({ words: ['Never'], beforeEachWord: gate.pass }))
  const [requests, aborted] = [server.requests.length, server.countAbortedResponses()]
  await tasks.create({ name: 'a', promptName: 'plain' })
  await tasks.create({ name: 'b', promptName: 'stats' })
  const running = await tasks.run('a')
  await eventually(() => (gate.waiting() > 0 ? true : null))
  const waiting = await tasks.run('a')
  const behind = await tasks.run('b')
  const cancel = (name: string, id: string) =>
    tasks.ask('POST', `/tasks/${name}/executions/${id}/cancel`)

  assert.equal((await cancel('b', waiting)).status, 404)
  const withdrawn = await cancel('a', waiting)
  assert.equal(withdrawn.status, 200)
  const ended = (await cancel('a', running)).body['execution'] as Record<string, unknown>
  assert.deepEqual([ended['status'], ended['resultSummary']], ['failed', 'Cancelled'])
  assert.equal((await cancel('a', running)).body.code, 'execution_over')
  await eventually(() => (server.countAbortedResponses() === aborted + 1 ? true : null))
  assert.equal((await tasks.waitForEnd('b', behind)).status, 'completed')
  const [second, first] = await tasks.history('a')
  assert.deepEqual([first?.status, second?.status], ['failed', 'failed'])
  assert.equal(server.requests.length, requests + 1)
})

test('deleting a task stops its executions, and its name can be used again', async () => {
  const gate = createGate()
  const { tasks, server, answerWith } = opened()
  answerWith(() => ({ words: ['x'], beforeEachWord: gate.pass }))
  const aborted = server.countAbortedResponses()
  await tasks.create({ name: 'deleted', promptName: 'plain' })
  const id = await tasks.run('deleted')
  await eventually(() => (gate.waiting() > 0 ? true : null))
  assert.equal((await tasks.ask('DELETE', '/tasks/deleted')).status, 200)
  await eventually(() => (server.countAbortedResponses() === aborted + 1 ? true : null))
  assert.equal((await tasks.ask('GET', `/executions/${id}`)).status, 404)
  await tasks.create({ name: 'deleted', promptName: 'plain' })
  assert.deepEqual(await tasks.history('deleted'), [])
})

test('while 100 executions are queued, a further run is refused', async () => {
  const gate = createGate()
  const { tasks, answerWith } = opened()
  answerWith(() => ({ words: ['x'], beforeEachWord: gate.pass }))
  await tasks.create({ name: 'queued', promptName: 'unsaved' })
  await tasks.run('queued')
  await eventually(() => (gate.waiting() > 0 ? true : null))
  const runs = await Promise.all(
    Array.from({ length: 110 }, () => tasks.ask('POST', '/tasks/queued/run')),
  )
  // Concurrent requests may pass the limit check before any of them is queued.
  while ((await tasks.ask('POST', '/tasks/queued/run')).status === 200) continue
  const refused = await tasks.ask('POST', '/tasks/queued/run')
  assert.equal(refused.status, 429)
  assert.equal(refused.body.code, 'too_many_executions')
  assert.ok(Number(refused.headers.get('retry-after')) > 0)
  assert.ok(runs.filter(({ status }) => status === 200).length >= 99)
  gate.open(true)
  await eventually(async () =>
    (await tasks.ask('POST', '/tasks/queued/run')).status === 200 ? true : null,
  )
  assert.equal((await tasks.ask('DELETE', '/tasks/queued')).status, 200)
})

test('a prompt that breaks after its task was created fails the execution with the reason', async () => {
  const tasks = withoutModel()
  for (const name of ['gone', 'typo', 'unknown', 'include']) tasks.data.writePrompt(name, 'Hello')
  const cases: Array<[name: string, text: string, reason: RegExp]> = [
    ['typo', '---\nmodle: x\n---\nHi', /modle: Unknown key; did you mean model/],
    ['unknown', '---\nbuiltin: stats\n---\n{{ secrets }}', /undefined variable: secrets/],
    ['include', '---\nbuiltin: stats\n---\n{% include "../../.env" %}', /cannot include/],
  ]
  for (const [name] of cases) await tasks.create({ name, promptName: name })
  await tasks.create({ name: 'gone', promptName: 'gone' })
  for (const [name, text, reason] of cases) {
    tasks.data.writePrompt(name, text)
    const run = await tasks.ask('POST', `/tasks/${name}/run`)
    if (name === 'typo') {
      assert.equal(run.status, 400)
      assert.match(JSON.stringify(run.body['details']), reason)
      continue
    }
    const ended = await tasks.waitForEnd(name, run.body['executionId'] as string)
    assert.equal(ended.status, 'failed')
    assert.match(ended.resultSummary ?? '', reason)
  }
  tasks.data.removePrompt('gone')
  const run = await tasks.ask('POST', '/tasks/gone/run')
  assert.equal(run.status, 404)
  assert.equal(run.body.error, 'Prompt not found: gone')
  assert.deepEqual(await tasks.history('gone'), [])
})

test('a result is saved as a new file, replaces a file or is appended, as the prompt says', async () => {
  const prompt = (output: string) => `---\nbuiltin: stats\nproject: Sales\noutput:\n${output}---\n`
  const tasks = withoutModel()
  const outputs = {
    overwrite: '  path: reports/now.md\n  mode: overwrite\n',
    append: '  path: log.md\n  mode: append\n',
    new: '  path: reports/one.md\n',
    none: '  save: false\n',
  }
  for (const [name, output] of Object.entries(outputs)) tasks.data.writePrompt(name, prompt(output))
  const paths: Record<string, unknown[]> = {}
  for (const name of ['overwrite', 'append', 'new', 'none']) {
    await tasks.create({ name, promptName: name })
    for (let i = 0; i < 2; i += 1) {
      const { documentPath } = await tasks.waitForEnd(name, await tasks.run(name))
      paths[name] = [...(paths[name] ?? []), documentPath]
    }
  }
  const at = (path: string) => `deployed-md-files/docs/Sales/${path}`
  assert.deepEqual(paths, {
    overwrite: [at('reports/now.md'), at('reports/now.md')],
    append: [at('log.md'), at('log.md')],
    new: [at('reports/one.md'), at('reports/one (2).md')],
    none: [undefined, undefined],
  })
  const notes = (path: string) => tasks.data.read(path).match(/No language model/g)?.length
  assert.deepEqual([notes(at('reports/now.md')), notes(at('log.md'))], [1, 2])
  assert.equal(tasks.data.read(at('log.md')).match(/^title:/gm)?.length, 1)
})

test('a result is never written through a symbolic link', async () => {
  const tasks = withoutModel()
  tasks.data.writePrompt('p', '---\nbuiltin: stats\noutput:\n  path: out/evil.md\n---\n')
  const prompts = join(tasks.data.path, 'scheduled-prompts')
  const before = readdirSync(prompts)
  mkdirSync(join(tasks.data.path, 'deployed-md-files/docs/api'), { recursive: true })
  symlinkSync('../../../scheduled-prompts', join(tasks.data.path, 'deployed-md-files/docs/api/out'))
  await tasks.create({ name: 'a', promptName: 'p' })
  const { status, resultSummary } = await tasks.waitForEnd('a', await tasks.run('a'))
  assert.deepEqual(
    [status, resultSummary],
    ['failed', 'deployed-md-files/docs/api/out is not a folder; links are not followed'],
  )
  assert.deepEqual(readdirSync(prompts), before)
})

test('a cancelled run counts estimated tokens and cost, and a used-up budget refuses only runs with a model', async () => {
  await using server = await openModelServer((_, number) =>
    number === 1 ? { words: ['Whole'] } : { words: ['Half an'], breaksBy: 'hang' },
  )
  using folder = createTaskDataFolder({})
  const pricesFile = join(folder.path, 'prices.yaml')
  writeFileSync(pricesFile, 'openai-compatible/m: { input: 1, output: 2 }')
  await using tasks = await startTaskService(
    { p: '---\ntools: []\n---\nGo', s: '---\nbuiltin: stats\nmodel: builtin/rules-1\n---\n' },
    env(server.url, {
      HANSARD_AI_PRICES_FILE: pricesFile,
      // A little more than the first run uses.
      HANSARD_AI_DAILY_TOKENS: '155',
    }),
  )
  await tasks.create({ name: 'a', promptName: 'p' })
  await tasks.create({ name: 'b', promptName: 's' })
  await tasks.waitForEnd('a', await tasks.run('a'))
  const id = await tasks.run('a')
  await eventually(async () => {
    const { body } = await tasks.ask('GET', `/executions/${id}`)
    return (body['execution'] as Record<string, unknown>)['output'] === 'Half an' ? true : null
  })
  await tasks.ask('POST', `/tasks/a/executions/${id}/cancel`)
  // The tokens are stored when the node has stopped the run.
  const ended = await eventually(async () => {
    const [execution] = await tasks.history('a')
    return execution !== undefined && execution.inputTokens > 0 ? execution : null
  })
  assert.deepEqual(
    [ended.status, ended['tokensEstimated'], ended.outputTokens],
    ['failed', true, 2],
  )
  const cost = (ended.inputTokens + 2 * ended.outputTokens) / 1e6
  assert.equal(ended['costUsd'], cost)
  const { body } = await tasks.ask('GET', '/usage')
  const [row] = body['usage'] as Array<Record<string, unknown>>
  assert.deepEqual([row?.['inputTokens'], row?.['estimated']], [120 + ended.inputTokens, 1])
  const refused = await tasks.ask('POST', '/tasks/a/run')
  assert.deepEqual([refused.status, refused.body.code], [429, 'over_budget'])
  assert.equal((await tasks.waitForEnd('b', await tasks.run('b'))).status, 'completed')
})
