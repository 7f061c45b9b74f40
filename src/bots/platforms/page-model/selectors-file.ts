import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { errorCode } from '../../../lib/error-code.ts'
import type { Log } from '../../../log.ts'
import type { PageModel } from './page-states.ts'
import { prependOperatorSelectors } from './selector-overrides.ts'

const MAX_BYTES = 1024 * 1024

/** The page models in use: the built-in ones with the changes of the operator's selectors file. */
export interface PageModelsLoader<Name extends string> {
  /** Called for each visit; reads the file again when it has changed. */
  modelFor(name: Name): Promise<PageModel>
  /** The problems of the file. A file with problems is ignored completely. */
  problems(): Promise<string[]>
}

type LoadedFile<Name extends string> = {
  version: string
  models: Readonly<Record<Name, PageModel>>
  problems: string[]
}

type Parts<Name extends string> = {
  path: string | undefined
  builtIn: Readonly<Record<Name, PageModel>>
  log: Log
}

export function createPageModelsLoader<Name extends string>(
  parts: Parts<Name>,
): PageModelsLoader<Name> {
  const { path, builtIn, log } = parts
  let last: LoadedFile<Name> = { version: '', models: builtIn, problems: [] }

  const load = async (): Promise<LoadedFile<Name>> => {
    if (path === undefined) return last
    const version = await fileVersion(path)
    if (version === last.version) return last
    const read = await loadModels(path, builtIn)
    last = { version, ...read }
    if (read.problems.length === 0) log.info({ file: path }, 'loaded selectors file')
    else {
      log.warn(
        { file: path, setting: 'HANSARD_SELECTORS_FILE', problems: read.problems },
        'ignored selectors file because of its problems',
      )
    }
    return last
  }
  return {
    modelFor: async (name) => (await load()).models[name],
    problems: async () => (await load()).problems,
  }
}

/** A text that is different for each version of the file. */
async function fileVersion(path: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(path)
    return [mtimeMs, ctimeMs, size, ino].join(' ')
  } catch (error) {
    return `not there: ${errorCode(error)}`
  }
}

async function loadModels<Name extends string>(
  path: string,
  builtIn: Readonly<Record<Name, PageModel>>,
): Promise<Omit<LoadedFile<Name>, 'version'>> {
  const given = await readJson(path)
  if ('problem' in given) return { models: builtIn, problems: [given.problem] }
  const parsed = z.record(z.string(), z.unknown()).safeParse(given.value)
  if (!parsed.success) return { models: builtIn, problems: ['it is not an object'] }
  const problems: string[] = []
  const models: Record<string, PageModel> = { ...builtIn }
  for (const [name, overrides] of Object.entries(parsed.data)) {
    const pageModel = Object.hasOwn(builtIn, name) ? builtIn[name as Name] : undefined
    if (pageModel === undefined) {
      problems.push(`${name.slice(0, 50)}: no such platform`)
      continue
    }
    const changed = prependOperatorSelectors(pageModel, overrides)
    if (changed.isValid) models[name] = changed.pageModel
    else problems.push(...changed.problems.map((problem) => `${name}: ${problem}`))
  }
  // A file that is valid only in part is ignored completely, as its author did not intend half of it.
  return problems.length > 0
    ? { models: builtIn, problems }
    : { models: { ...builtIn, ...models }, problems }
}

async function readJson(path: string): Promise<{ value: unknown } | { problem: string }> {
  try {
    const bytes = await readFile(path)
    if (bytes.length > MAX_BYTES) return { problem: 'it is larger than 1 MB' }
    return { value: JSON.parse(bytes.toString('utf8')) }
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: 'it is not JSON' }
    const code = errorCode(error)
    if (code !== '') return { problem: `it cannot be read (${code})` }
    throw error
  }
}
