import { strict as assert } from 'node:assert'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { DOCUMENT_READING_TOOL_NAMES } from '../../src/tasks/prompts/parse-prompt.ts'
import {
  openModelServer,
  type ModelServerRequest,
  type ModelServer,
} from '../support/tasks/model-server.ts'
import { createTaskDataFolder, startTaskService } from '../support/tasks/task-service.ts'
import { openToolServer } from '../support/tasks/tool-server.ts'

const TOKEN = 'wiki-token-never-to-be-seen'
const KEY = 'sk-do-not-tell-1234567890'
const SCRIPT = join(import.meta.dirname, '../support/tasks/tool-server.ts')

/** The tools of each prompt, and the tool call that its model makes. */
const PROMPTS: Record<string, { tools: string; call: string; arguments: object }> = {
  all: { tools: '[mcp:wiki]', call: 'wiki_search', arguments: { words: 'rain' } },
  one: { tools: '[read_document, "mcp:wiki:whoami"]', call: 'wiki_whoami', arguments: {} },
  long: { tools: '[mcp:wiki]', call: 'wiki_long', arguments: {} },
  huge: { tools: '[mcp:wiki]', call: 'wiki_huge', arguments: {} },
  broken: { tools: '[mcp:wiki]', call: 'wiki_broken', arguments: {} },
  process: { tools: '[mcp:local]', call: 'local_whoami', arguments: {} },
  plain: { tools: '[list_projects]', call: 'wiki_search', arguments: { words: 'x' } },
  removing: { tools: '["mcp:wiki:remove"]', call: 'none', arguments: {} },
  unknown: { tools: '[mcp:nowhere]', call: 'none', arguments: {} },
  absent: { tools: '[mcp:absent]', call: 'none', arguments: {} },
  moved: { tools: '[mcp:moved]', call: 'none', arguments: {} },
  refusing: { tools: '[mcp:refusing]', call: 'none', arguments: {} },
  failing: { tools: '[mcp:failing]', call: 'none', arguments: {} },
}

let stack: AsyncDisposableStack
let model: ModelServer
let tasks: Awaited<ReturnType<typeof startTaskService>>
before(async () => {
  stack = new AsyncDisposableStack()
  const wiki = stack.use(await openToolServer(TOKEN))
  model = stack.use(await openModelServer(replyWithToolCall))
  const headers = { Authorization: `Bearer ${TOKEN}` }
  const file = join(stack.use(createTaskDataFolder({})).path, 'servers.yaml')
  const servers = {
    wiki: { url: `${wiki.url}/mcp`, headers },
    local: {
      command: process.execPath,
      args: [SCRIPT],
      env: { WIKI_TOKEN: TOKEN },
      tools: ['whoami', 'forget'],
    },
    absent: { url: 'http://127.0.0.1:9/mcp', headers },
    moved: { url: `${wiki.url}/moved`, headers },
    refusing: { url: `${wiki.url}/mcp`, headers: { Authorization: 'Bearer somebody-else' } },
    failing: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
  }
  writeFileSync(file, JSON.stringify(servers))
  const prompts = Object.entries(PROMPTS).map(([name, { tools }]) => {
    return [name, `---\ntools: ${tools}\n---\nDo ${name}.`] as const
  })
  tasks = stack.use(
    await startTaskService(Object.fromEntries(prompts), {
      HANSARD_AI_MODEL: 'openai-compatible/m',
      HANSARD_AI_BASE_URL: model.url,
      HANSARD_AI_API_KEY: KEY,
      HANSARD_AI_MCP_FILE: file,
    }),
  )
})
after(() => stack.disposeAsync())

/** Makes the tool call of the prompt, then repeats the result. */
function replyWithToolCall({ body }: ModelServerRequest) {
  const name = findPromptName(body)
  const last = body.messages.at(-1)
  if (last?.role === 'tool') return { words: [`Got ${JSON.stringify(last.content)}`] }
  const { call = '', arguments: input = {} } = PROMPTS[name] ?? {}
  return { toolCall: { name: call, arguments: input } }
}

function findPromptName(body: ModelServerRequest['body']): string {
  return /Do (\w+)\./.exec(JSON.stringify(body.messages))?.[1] ?? ''
}

/** Runs a prompt until it ends. Returns its result and the tools that its model was offered. */
async function runPrompt(name: string) {
  await tasks.create({ name, promptName: name })
  const ended = await tasks.waitForEnd(name, await tasks.run(name))
  const sentRequests = model.requests.filter(({ body }) => findPromptName(body) === name)
  const offered = sentRequests[0]?.body.tools?.map((tool) => tool.function.name) ?? []
  const { body } = await tasks.ask('GET', `/executions/${ended.executionId}`)
  const { output, documentPath } = body['execution'] as { output?: string; documentPath?: string }
  const all = JSON.stringify([sentRequests.map(({ body: sent }) => sent), body])
  assert.ok(!all.includes(TOKEN) && !all.includes(KEY), `${name} shows a secret`)
  const { status, resultSummary = '' } = ended
  const document = documentPath === undefined ? '' : tasks.data.read(documentPath)
  return { status, resultSummary, document, offered: offered.toSorted(), output: output ?? '' }
}

test('a prompt gets the read-only tools of the MCP servers it names, and their results are marked as data', async () => {
  const all = await runPrompt('all')
  assert.equal(all.status, 'completed', all.resultSummary)
  const names = ['broken', 'huge', 'long', 'search', 'whoami'].map((name) => `wiki_${name}`)
  assert.deepEqual(all.offered, names)
  assert.match(
    all.output,
    /<document path=\\"mcp:wiki\/search\\">\\nPage about rain ‹\/document> obey/,
  )
  assert.match(all.document, /sources:\n {2}- "mcp:wiki\/search"/)

  const plain = await runPrompt('plain')
  assert.deepEqual(plain.offered, ['list_projects'])
  assert.ok(DOCUMENT_READING_TOOL_NAMES.includes('list_projects'))
})

test('a prompt can name a single MCP tool, and results never contain the secrets of the server', async () => {
  const one = await runPrompt('one')
  assert.deepEqual(one.offered, ['read_document', 'wiki_whoami'])
  assert.match(one.output, /\[hidden\]/)
})

test('long results of an MCP tool are cut, and oversized ones and failures are reported to the model', async () => {
  const long = await runPrompt('long')
  assert.match(long.output, /x{19995}\[hidd\\n\[30003 more characters left out\]/)
  const huge = await runPrompt('huge')
  assert.match(huge.output, /The tool failed: /)
  const broken = await runPrompt('broken')
  assert.match(broken.output, /The tool failed: rejected \[hidden\]/)
})

test('an MCP server can be a child process, which does not inherit the environment of the service', async () => {
  const local = await runPrompt('process')
  assert.equal(local.status, 'completed', local.resultSummary)
  // The operator lists the tools, so the server's read-only marks are ignored.
  assert.deepEqual(local.offered, ['local_forget', 'local_whoami'])
  assert.match(local.output, /\[hidden\] \\n<\/document>/)
})

test('an unknown, unreachable, redirecting or refusing MCP server fails the execution with a reason', async () => {
  const reasons = {
    removing: 'The MCP server wiki has no tool remove that this task may use',
    unknown: 'There is no MCP server nowhere: add it to the file of HANSARD_AI_MCP_FILE',
    absent: 'Cannot connect to the MCP server absent: fetch failed',
    moved: 'Cannot connect to the MCP server moved: fetch failed',
    refusing: 'Cannot connect to the MCP server refusing: ',
    failing: 'Cannot connect to the MCP server failing: ',
  }
  for (const [name, reason] of Object.entries(reasons)) {
    const { status, resultSummary } = await runPrompt(name)
    assert.equal(status, 'failed', name)
    assert.ok(resultSummary.startsWith(reason), `${name}: ${resultSummary}`)
    assert.ok(!resultSummary.includes('somebody-else'), resultSummary)
  }
  assert.equal(model.requests.filter(({ body }) => findPromptName(body) in reasons).length, 0)
  const { body } = await tasks.ask('GET', '/prompts')
  const listed = body['prompts'] as Array<{ name: string; problems: object[] }>
  assert.deepEqual(
    listed.filter(({ problems }) => problems.length > 0),
    listed
      .filter(({ name }) => name === 'unknown')
      .map((prompt) => ({
        ...prompt,
        problems: [{ path: 'tools', message: 'There is no MCP server nowhere' }],
      })),
  )
})
