import { constants } from 'node:fs'
import { open, opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../../lib/error-code.ts'

/** The rooms of the data folder that hold people's files. The database, keys and logs are not among them. */
export const FILE_FOLDERS = ['deployed-md-files', 'scheduled-prompts'] as const

/** A file by its path from the data folder on, with `/` on every system; or what is there and is no file. */
export type FileEntry = { path: string; isFile: boolean }

/** Every name under the rooms, folder by folder; links are named and never followed. */
export async function* walkDataFiles(root: string): AsyncGenerator<FileEntry, void, undefined> {
  for (const room of FILE_FOLDERS) yield* walk(root, room)
}

export async function hasFiles(root: string, room: string): Promise<boolean> {
  return !(await walk(root, room).next()).done
}

/** A file that is being written by us, and gets its name when it is whole. */
const TEMPORARY_FILE = /^\.[\da-f-]{36}\.tmp$/

async function* walk(root: string, folder: string): AsyncGenerator<FileEntry, void, undefined> {
  try {
    for await (const entry of await opendir(join(root, folder))) {
      const path = `${folder}/${entry.name}`
      // A name that is no text cannot be written down.
      const isText = !entry.name.includes('\uFFFD')
      if (entry.isDirectory() && isText) yield* walk(root, path)
      else if (!TEMPORARY_FILE.test(entry.name)) yield { path, isFile: entry.isFile() && isText }
    }
  } catch (error) {
    // Gone in the meantime, or never there.
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

const NO_FOLLOW = constants.O_NOFOLLOW ?? 0
const CHUNK_BYTES = 256 * 1024

export type FileSnapshot = AsyncDisposable & {
  size: number
  mtime: Date
  chunks(): AsyncGenerator<Buffer>
}

/** A file as it is now, to its present size: what is appended meanwhile does not count. Null: it is gone. */
export async function openFileSnapshot(path: string): Promise<FileSnapshot | null> {
  try {
    const handle = await open(path, constants.O_RDONLY | NO_FOLLOW)
    const { size, mtime } = await handle.stat()
    return {
      size,
      mtime,
      async *chunks() {
        for (let position = 0; position < size;) {
          const buffer = Buffer.alloc(Math.min(CHUNK_BYTES, size - position))
          const { bytesRead } = await handle.read(buffer, 0, buffer.length, position)
          // Cut short under our hands: the rest is blank, so that all that follows keeps its place.
          const piece = bytesRead === 0 ? buffer.fill('\n') : buffer.subarray(0, bytesRead)
          position += piece.length
          yield piece
        }
      },
      [Symbol.asyncDispose]: () => handle.close(),
    }
  } catch (error) {
    if (['ENOENT', 'ELOOP', 'EMLINK'].includes(errorCode(error))) return null
    throw error
  }
}

/** Whether a path that a backup names may be written: inside a room, and nowhere else. */
export function isRestorablePath(path: string): boolean {
  const parts = path.split('/')
  const isRoom = FILE_FOLDERS.some((room) => room === parts[0]) && parts.length > 1
  return isRoom && parts.every((part) => !/^\.{0,2}$/.test(part) && !/[\0\\\uFFFD]/.test(part))
}

/** In portions, so that the database is asked about many at once. */
export async function* inBatches<T>(
  source: AsyncIterable<T>,
  size: number,
): AsyncGenerator<T[], void, undefined> {
  let portion: T[] = []
  for await (const item of source) {
    portion.push(item)
    if (portion.length < size) continue
    yield portion
    portion = []
  }
  if (portion.length > 0) yield portion
}
