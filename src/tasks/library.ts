import { constants } from 'node:fs'
import { open, readdir, realpath, stat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { errorCode } from '../lib/error-code.ts'
import { readFrontMatter } from '../projects/front-matter.ts'
import { insideFolder, isProjectId } from '../projects/names.ts'

/** A saved transcript, as far as its header tells. */
export type Transcript = {
  project: string
  /** From `deployed-md-files` on. */
  path: string
  title: string
  /** ISO 8601, when the meeting began. */
  date: string
  meetingId: string
  status: string
  participants: string[]
  /** When it was over, or the file last changed. */
  settledAt: Date
  /** The text after the header. */
  read(): Promise<string>
}

/** The documents of projects, for reading. */
export interface Library {
  /** Ids, sorted. */
  projects(): Promise<string[]>
  /** The newest so many over these projects. */
  transcripts(projects: readonly string[]): Promise<Transcript[]>
  /** Paths of all documents of a project, from its folder on, with when they last changed. */
  documents(project: string): Promise<Array<{ path: string; changedAt: Date; size: number }>>
  /** Null: there is no such document. */
  read(project: string, path: string): Promise<string | null>
}

const PLACE = ['deployed-md-files', 'docs'] as const
const MOST_TRANSCRIPTS = 200
const MOST_DOCUMENTS = 5_000
const MAX_BYTES = 4 * 1024 * 1024
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'EMLINK', 'EISDIR', 'ENXIO', 'EACCES'])

/** `root`: the data folder. */
export function createLibrary(root: string): Library {
  const folder = join(root, ...PLACE)
  const read = async (project: string, path: string): Promise<string | null> => {
    if (!isProjectId(project)) return null
    const home = join(folder, project)
    const inside = insideFolder(home, path)
    if (inside === null || !inside.endsWith('.md')) return null
    return readPlain(home, inside)
  }
  return {
    async projects() {
      const entries = await entriesOf(folder)
      return entries
        .filter((entry) => entry.isDirectory() && isProjectId(entry.name))
        .map(({ name }) => name)
        .toSorted()
    },
    async transcripts(projects) {
      const names = await Promise.all(
        projects.map(async (project) =>
          (await entriesOf(join(folder, project, 'meetings')))
            .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
            .map(({ name }) => ({ project, name })),
        ),
      )
      // Names begin with the date, so the newest are found without a look inside.
      const newest = names
        .flat()
        .toSorted((a, b) => (a.name < b.name ? 1 : -1))
        .slice(0, MOST_TRANSCRIPTS)
      const found = await Promise.all(newest.map(({ project, name }) => describe(project, name)))
      return found
        .filter((transcript) => transcript !== null)
        .toSorted((a, b) => (a.date < b.date ? 1 : -1))
    },
    async documents(project) {
      if (!isProjectId(project)) return []
      const home = join(folder, project)
      const entries = await entriesOf(home, true)
      const files = entries
        .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
        .slice(0, MOST_DOCUMENTS)
      return Promise.all(
        files.map(async (entry) => {
          const path = join(entry.parentPath, entry.name)
          const { mtime, size } = await stat(path)
          const inside = path.slice(home.length + 1).replaceAll('\\', '/')
          return { path: inside, changedAt: mtime, size }
        }),
      )
    },
    read,
  }

  async function describe(project: string, name: string): Promise<Transcript | null> {
    const inside = posix.join('meetings', name)
    const text = await read(project, inside)
    if (text === null) return null
    const header = readFrontMatter(text)
    const fields = header?.fields ?? {}
    const field = (key: string) => (typeof fields[key] === 'string' ? fields[key] : '')
    const { mtime } = await stat(join(folder, project, 'meetings', name))
    const begun = new Date(field('date') || field('startedAt'))
    const ended = new Date(field('endedAt'))
    const people = fields['participants']
    return {
      project,
      path: posix.join(...PLACE, project, inside),
      title: field('title') || name.replace(/\.md$/, ''),
      date: (Number.isNaN(begun.getTime()) ? mtime : begun).toISOString(),
      meetingId: field('meetingId'),
      status: field('status'),
      participants: Array.isArray(people) ? people.filter((one) => typeof one === 'string') : [],
      settledAt: Number.isNaN(ended.getTime()) ? mtime : ended,
      read: async () => ((await read(project, inside)) ?? '').slice(header?.bodyStart ?? 0),
    }
  }
}

async function entriesOf(path: string, recursive = false) {
  try {
    return await readdir(path, { withFileTypes: true, recursive })
  } catch (error) {
    if (NOT_THERE.has(errorCode(error))) return []
    throw error
  }
}

/** A plain file that is really below the folder, without a link on the way. */
async function readPlain(home: string, path: string): Promise<string | null> {
  try {
    const [realHome, realFile] = await Promise.all([realpath(home), realpath(path)])
    if (insideFolder(realHome, realFile) === null) return null
    await using file = await open(path, READ)
    const { size } = await file.stat()
    const bytes = Buffer.alloc(Math.min(size, MAX_BYTES))
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
    return bytes.toString('utf8', 0, bytesRead)
  } catch (error) {
    if (NOT_THERE.has(errorCode(error))) return null
    throw error
  }
}
