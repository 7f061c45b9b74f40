import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Extras } from '../../src/service.ts'
import { required } from './database.ts'
import { eventually } from './eventually.ts'
import type { Answer } from './person.ts'
import { openProgram } from './practice.ts'
import { startService, type TestService } from './service.ts'
import { send } from './wire.ts'

export type Found = Record<string, unknown> & {
  kind: string
  text: string
  matches: Array<{ start: number; end: number }>
}

/** A service whose folder of projects the test can reach into, as a person would by hand. */
export async function openLibrary(env: Record<string, string> = {}, extras: Extras = {}) {
  await using stack = new AsyncDisposableStack()
  const data = env['HANSARD_DATA'] ?? mkdtempSync(join(required('TEST_SCRATCH'), 'library-'))
  // A folder that the test names is the test's to put away.
  if (env['HANSARD_DATA'] === undefined) {
    stack.defer(() => rmSync(data, { recursive: true, force: true }))
  }
  const service = stack.use(await startService({ HANSARD_DATA: data, ...env }, extras))
  const program = await openProgram(service)
  const opened = stack.move()
  return {
    service,
    program,
    data,
    ...reader(service, program.key),
    docs: join(data, 'deployed-md-files/docs'),
    /** Puts a file there, past the service. */
    drop: (path: string, text: string | Buffer) => drop(data, path, text),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

export type Library = Awaited<ReturnType<typeof openLibrary>>

/** How a program reads the projects of a node. */
export function reader(service: TestService, key: Record<string, string>) {
  const get = (path: string) => send(service.url, { path: `/api/v1${path}`, headers: key })
  const search = async (query: Record<string, string>): Promise<Found[]> => {
    const { body } = await get(`/search?${new URLSearchParams(query).toString()}`)
    return body['results'] as Found[]
  }
  const paths = async (project: string): Promise<string[]> => {
    const { body } = await get(`/projects/${encodeURIComponent(project)}/documents?limit=100`)
    return ((body['documents'] ?? []) as Array<{ path: string }>).map(({ path }) => path)
  }
  return {
    get,
    search,
    paths,
    /** Waits until a project holds exactly these documents. */
    holds: (project: string, wanted: string[]): Promise<true> =>
      eventually(async () => (String(await paths(project)) === String(wanted) ? true : null)),
    /** Waits until a search for the words finds so many. */
    finds: (q: string, count: number): Promise<Found[]> =>
      eventually(async () => {
        const results = await search({ q })
        return results.length === count ? results : null
      }),
    put: (
      path: string,
      text: string | Buffer,
      headers: Record<string, string> = {},
    ): Promise<Answer> =>
      send(service.url, {
        method: 'PUT',
        path: `/api/v1${path}`,
        headers: { ...key, 'content-type': 'text/markdown', ...headers },
        body: text,
      }),
    remove: (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      send(service.url, {
        method: 'DELETE',
        path: `/api/v1${path}`,
        headers: { ...key, ...headers },
      }),
  }
}

export function drop(data: string, path: string, text: string | Buffer): void {
  const file = join(data, 'deployed-md-files/docs', path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** The passage with what was found in brackets. */
export function marked({ text, matches }: Found): string {
  return matches.reduceRight(
    (shown, { start, end }) =>
      `${shown.slice(0, start)}[${shown.slice(start, end)}]${shown.slice(end)}`,
    text,
  )
}
