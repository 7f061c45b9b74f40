import { constants, type Dirent } from 'node:fs'
import {
  cp,
  lstat,
  mkdir,
  open,
  readdir,
  realpath,
  rm,
  stat,
  type FileHandle,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ServiceError } from '../../../errors.ts'
import { errorCode } from '../../../lib/error-code.ts'
import { inheritOwnerSync } from '../../../lib/files/file-owner.ts'
import {
  createOwnedFoldersSync,
  isPathBlocked,
  removeEmptyFolders,
} from '../../../lib/files/folders.ts'
import { flushFolderToDisk } from '../../../projects/document-ref.ts'
import { writeDocumentAtomically } from '../../../projects/files/document-file.ts'
import { SAMPLES_FOLDER } from '../prompt-files.ts'
import { isPromptName, PROMPT_NAME_RULE_TEXT } from '../prompt-name.ts'
import {
  MAX_PROMPT_BYTES,
  TOO_LARGE_MESSAGE,
  type FoundPrompt,
  type PromptFile,
  type PromptFiles,
} from './prompt-storage.ts'

/** O_NONBLOCK: opening a named pipe must not wait for its writer. O_NOFOLLOW: refuses symbolic links. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const LINK_MESSAGE = 'The file or one of its folders is a link; links are not followed'
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR'])
const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  ELOOP: LINK_MESSAGE,
  EMLINK: LINK_MESSAGE,
  EACCES: 'The service has no permission to read it',
  EPERM: 'The service has no permission to read it',
  ENXIO: 'Not a regular file',
  EISDIR: 'Not a regular file',
}

const MAX_WRITE_ATTEMPTS = 3
/** Error codes if a folder has the prompt's name, or a file has the name of one of its folders. */
const PATH_CONFLICT_CODES = new Set(['EISDIR', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST'])

/** Prompts as files in a folder. The folder itself may be a link, but links in it are not followed. */
export function createFolderPrompts(dir: string): PromptFiles {
  const files: PromptFiles = {
    description: dir,
    inTransaction: () => files,
    read: (name) => readPromptFile(dir, name),
    async list() {
      const found: FoundPrompt[] = []
      await walkFolder(dir, '', found)
      return found
    },
    write: (name, text) => writePromptFile(dir, name, text),
    remove: (name) => removePromptFile(dir, name),
    addSamplesIfEmpty: () => copySamplePromptsToEmptyFolder(dir),
  }
  return files
}

async function readPromptFile(dir: string, name: string): Promise<PromptFile> {
  if (!isPromptName(name)) return { state: 'unreadable', message: PROMPT_NAME_RULE_TEXT }
  try {
    const path = `${join(await realpath(dir), ...name.split('/'))}.md`
    await using file = await open(path, READ_FLAGS)
    const bytes = await readVerified(file, path)
    return typeof bytes === 'string'
      ? { state: 'unreadable', message: bytes }
      : { state: 'found', bytes }
  } catch (error) {
    if (NOT_FOUND_CODES.has(errorCode(error))) return { state: 'missing' }
    return { state: 'unreadable', message: messageForError(error) }
  }
}

async function walkFolder(dir: string, folder: string, found: FoundPrompt[]): Promise<void> {
  for (const entry of await readEntries(dir, folder, found)) {
    // Hidden files are not prompts. Editors and operating systems create them in any folder.
    if (entry.name.startsWith('.')) continue
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isSymbolicLink()) found.push({ name: path, problem: LINK_MESSAGE })
    else if (entry.isDirectory()) {
      if (isPromptName(path)) await walkFolder(dir, path, found)
      else found.push({ name: path, problem: PROMPT_NAME_RULE_TEXT })
    } else if (/\.md$/i.test(path)) found.push({ name: path.replace(/\.md$/, ''), problem: null })
  }
}

async function readEntries(dir: string, folder: string, found: FoundPrompt[]): Promise<Dirent[]> {
  try {
    return await readdir(join(dir, folder), { withFileTypes: true })
  } catch (error) {
    if (!NOT_FOUND_CODES.has(errorCode(error)))
      found.push({ name: folder, problem: messageForError(error) })
    return []
  }
}

/** Returns the file's bytes, or a message that says why they cannot be read. */
async function readVerified(file: FileHandle, path: string): Promise<Buffer | string> {
  const opened = await file.stat({ bigint: true })
  if (!opened.isFile()) return 'Not a regular file'
  // Checked after opening, to detect that a folder was replaced with a link in the meantime.
  const current = await stat(path, { bigint: true })
  const isSame = current.ino === opened.ino && current.dev === opened.dev
  if ((await realpath(path)) !== path || !isSame) return LINK_MESSAGE
  const bytes = Buffer.allocUnsafe(MAX_PROMPT_BYTES + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length)
    if (bytesRead === 0) return bytes.subarray(0, length)
    length += bytesRead
  }
  return TOO_LARGE_MESSAGE
}

function messageForError(error: unknown): string {
  const text = MESSAGES_BY_CODE[errorCode(error)]
  if (text === undefined) throw error
  return text
}

async function writePromptFile(dir: string, name: string, text: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const path = await preparePath(dir, name)
      await writeDocumentAtomically(path, [text])
      return
    } catch (error) {
      if (PATH_CONFLICT_CODES.has(errorCode(error))) throw pathTakenError(error)
      // A removal on another node deletes folders that are empty.
      if (errorCode(error) !== 'ENOENT' || attempt >= MAX_WRITE_ATTEMPTS) throw error
    }
  }
}

async function removePromptFile(dir: string, name: string): Promise<void> {
  const root = await realpath(dir)
  const path = toPath(root, name)
  await rm(path, { force: true })
  await flushFolderToDisk(dirname(path))
  await removeEmptyFolders(path, root)
}

/** Creates the prompt's folders and returns the path of its file. None of them may be a link. */
async function preparePath(dir: string, name: string): Promise<string> {
  const root = await realpath(dir)
  let folder = root
  for (const part of name.split('/').slice(0, -1)) {
    folder = join(folder, part)
    try {
      await mkdir(folder, { mode: 0o755 })
      inheritOwnerSync(folder)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error
    }
    if (!(await lstat(folder)).isDirectory()) throw pathTakenError()
  }
  const path = toPath(root, name)
  if (await isPathBlocked(path)) throw pathTakenError()
  return path
}

function toPath(root: string, name: string): string {
  return `${join(root, ...name.split('/'))}.md`
}

function pathTakenError(cause?: unknown): ServiceError {
  return new ServiceError('path_taken', {
    text: 'A link, folder or file that is not a prompt has this name',
    cause,
  })
}

/** Copies the sample prompts into an empty folder. Does not change a folder with any file in it. */
async function copySamplePromptsToEmptyFolder(dir: string): Promise<void> {
  createOwnedFoldersSync(dir, 0o755)
  if ((await readdir(dir)).length > 0) return
  for (const name of await readdir(SAMPLES_FOLDER)) {
    await cp(join(SAMPLES_FOLDER, name), join(dir, name), { force: false, errorOnExist: false })
    inheritOwnerSync(join(dir, name))
  }
}
