import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServiceOverrides } from '../../src/app/service.ts'
import { requireEnv } from './database/test-database.ts'
import { eventually } from './time/eventually.ts'
import type { ApiResponse } from './http/http-client.ts'
import { openForFile } from './open-for-file.ts'
import { openMeetingsClient } from './meetings/meetings-client.ts'
import { startService, type TestService } from './service/start-service.ts'
import { sendRequest } from './http/raw-requests.ts'

export type SearchHit = Record<string, unknown> & {
  kind: string
  text: string
  matches: Array<{ start: number; end: number }>
}

/** A service whose project files the test can change directly, like a person on disk. */
export async function openProjectsService(
  env: Record<string, string> = {},
  extras: ServiceOverrides = {},
) {
  await using stack = new AsyncDisposableStack()
  const data = env['HANSARD_DATA'] ?? mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'library-'))
  // If the test passes in a folder, the test removes it.
  if (env['HANSARD_DATA'] === undefined) {
    stack.defer(() => rmSync(data, { recursive: true, force: true }))
  }
  const service = stack.use(await startService({ HANSARD_DATA: data, ...env }, extras))
  const program = await openMeetingsClient(service)
  const opened = stack.move()
  return {
    service,
    program,
    data,
    ...createProjectsClient(service, program.key),
    docs: join(data, 'deployed-md-files/docs'),
    /** Writes a project file directly to disk. */
    writeFile: (path: string, text: string | Buffer) => writeProjectFile(data, path, text),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/** One service for all tests of a file. Each test gets it without documents. Only for tests that start no meetings. */
export function openProjectsServiceForFile(): () => Promise<ProjectsService> {
  const opened = openForFile(() => openProjectsService())
  return async () => {
    const library = opened()
    for (const name of existsSync(library.docs) ? readdirSync(library.docs) : [])
      rmSync(join(library.docs, name), { recursive: true })
    await eventually(async () => {
      const { body } = await library.get('/projects')
      return (body['projects'] as unknown[]).length === 0 ? true : null
    })
    return library
  }
}

export type ProjectsService = Awaited<ReturnType<typeof openProjectsService>>

/** An API client for a node's projects. */
export function createProjectsClient(service: TestService, key: Record<string, string>) {
  const get = (path: string) => sendRequest(service.url, { path: `/api/v1${path}`, headers: key })
  const search = async (query: Record<string, string>): Promise<SearchHit[]> => {
    const { body } = await get(`/search?${new URLSearchParams(query).toString()}`)
    return body['results'] as SearchHit[]
  }
  const paths = async (project: string): Promise<string[]> => {
    const { body } = await get(`/projects/${encodeURIComponent(project)}/documents?limit=100`)
    return ((body['documents'] ?? []) as Array<{ path: string }>).map(({ path }) => path)
  }
  return {
    get,
    search,
    paths,
    /** Waits until a project has exactly these documents. */
    waitForDocuments: (project: string, wanted: string[]): Promise<true> =>
      eventually(async () => (String(await paths(project)) === String(wanted) ? true : null)),
    /** Waits until a search finds this number of results. */
    waitForResults: (q: string, count: number): Promise<SearchHit[]> =>
      eventually(async () => {
        const results = await search({ q })
        return results.length === count ? results : null
      }),
    put: (
      path: string,
      text: string | Buffer,
      headers: Record<string, string> = {},
    ): Promise<ApiResponse> =>
      sendRequest(service.url, {
        method: 'PUT',
        path: `/api/v1${path}`,
        headers: { ...key, 'content-type': 'text/markdown', ...headers },
        body: text,
      }),
    remove: (path: string, headers: Record<string, string> = {}): Promise<ApiResponse> =>
      sendRequest(service.url, {
        method: 'DELETE',
        path: `/api/v1${path}`,
        headers: { ...key, ...headers },
      }),
  }
}

export function writeProjectFile(data: string, path: string, text: string | Buffer): void {
  const file = join(data, 'deployed-md-files/docs', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The passage with the matches in brackets. */
export function bracketMatches({ text, matches }: SearchHit): string {
  return matches.reduceRight(
    (shown, { start, end }) =>
      `${shown.slice(0, start)}[${shown.slice(start, end)}]${shown.slice(end)}`,
    text,
  )
}
