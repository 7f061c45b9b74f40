import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServiceOverrides } from '../../../src/app/service.ts'
import type { Log } from '../../../src/log.ts'
import { requireEnv } from '../database/test-database.ts'
import { eventually } from '../time/eventually.ts'
import type { ApiResponse } from '../http/http-client.ts'
import { startService, type TestService } from '../service/start-service.ts'

export type ApiExecution = {
  executionId: string
  executionType: string
  triggerType: string
  name: string
  status: string
  startedAt: string
  completedAt?: string
  durationMs?: number
  inputTokens: number
  outputTokens: number
  resultSummary?: string
  [field: string]: unknown
}

/** A data folder with prompts, created before the service starts. Disposing removes it. */
export function createTaskDataFolder(
  prompts: Record<string, string>,
  path = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'tasks-')),
): Disposable & {
  path: string
  writePrompt(name: string, text: string): void
  removePrompt(name: string): void
  /** Writes a file into the folder of the projects. */
  writeDocument(path: string, text: string): void
  /** Reads a file of the data folder. */
  read(path: string): string
} {
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  const writePrompt = (name: string, text: string) => write(`scheduled-prompts/${name}.md`, text)
  for (const [name, text] of Object.entries(prompts)) writePrompt(name, text)
  return {
    path,
    writePrompt,
    removePrompt: (name) => rmSync(join(path, 'scheduled-prompts', `${name}.md`)),
    writeDocument: (name, text) => write(`deployed-md-files/docs/${name}`, text),
    read: (name) => readFileSync(join(path, name), 'utf8'),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** Starts a complete service with these prompts, and an API client with a key. */
export async function startTaskService(
  prompts: Record<string, string>,
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
  log?: Log,
) {
  await using stack = new AsyncDisposableStack()
  const data = stack.use(createTaskDataFolder(prompts))
  const service = stack.use(await startService({ HANSARD_DATA: data.path, ...env }, extras, log))
  const program = await openTasksClient(service)
  const opened = stack.move()
  return {
    ...program,
    data,
    service,
    /** Writes project files directly to disk and waits until the service has indexed them. */
    async addDocuments(files: Record<string, string>): Promise<void> {
      for (const [path, text] of Object.entries(files)) data.writeDocument(path, text)
      const projects = new Set(Object.keys(files).map((path) => path.split('/')[0] ?? ''))
      await eventually(async () => {
        const known = new Set<string>()
        for (const project of projects) {
          const { body } = await program.ask('GET', `/projects/${project}/documents?limit=100`)
          const documents = (body['documents'] ?? []) as Array<{ path: string }>
          for (const { path } of documents) known.add(`${project}/${path}`)
        }
        return Object.keys(files).every((path) => known.has(path)) ? true : null
      })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** An API client with a new key, and its calls about tasks. */
export async function openTasksClient(service: TestService) {
  const { apiKey } = await (await service.adminClient()).createToken()
  return {
    apiKey,
    ...createTaskCalls(`http://127.0.0.1:${service.port}`, service.anonymousClient(), apiKey),
  }
}

type HttpRequester = {
  request(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<ApiResponse>
}

export function createTaskCalls(url: string, client: HttpRequester, apiKey: string) {
  const key = { 'x-api-key': apiKey }
  const ask = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<ApiResponse> => client.request(method, `/api/v1${path}`, body, { ...key, ...headers })
  const history = async (name: string, query = ''): Promise<ApiExecution[]> =>
    (await ask('GET', `/tasks/${name}/history${query}`)).body['executions'] as ApiExecution[]
  return {
    url,
    key,
    ask,
    history,
    create: (body: Record<string, unknown>) => ask('POST', '/tasks', body),
    async run(name: string): Promise<string> {
      const answer = await ask('POST', `/tasks/${name}/run`)
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      return answer.body['executionId'] as string
    },
    async waitForEnd(name: string, executionId: string, limitMs = 120_000): Promise<ApiExecution> {
      return eventually(async () => {
        const all = await history(name)
        const found = all.find((execution) => execution.executionId === executionId)
        return found === undefined || found.status === 'running' ? null : found
      }, limitMs)
    },
  }
}

/** A transcript document in the service's format. */
export function transcriptMarkdown(
  title: string,
  date: string,
  turns: Array<[string, string]>,
): string {
  const lines = turns.map(
    ([speaker, text], i) => `**${speaker}** 00:00:${String(i).padStart(2, '0')} ${text}`,
  )
  return [
    '---',
    `title: ${JSON.stringify(title)}`,
    `date: "${date}"`,
    'meetingId: "meeting_1_abc"',
    'status: "completed"',
    `endedAt: "${date}"`,
    'participants:',
    '  - "Ada"',
    '---',
    '',
    `# ${title}`,
    '',
    lines.join('\n\n'),
    '',
  ].join('\n')
}
