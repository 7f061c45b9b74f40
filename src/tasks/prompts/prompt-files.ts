import { constants, type Dirent } from 'node:fs'
import { open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 as computeSha256 } from '../../lib/crypto/digest.ts'
import { errorCode } from '../../lib/error-code.ts'
import { isPromptName, PROMPT_NAME_RULE_TEXT } from './prompt-name.ts'
import { parsePrompt, createPromptFileProblem, type ParsedPrompt } from './parse-prompt.ts'
import type { PromptProblem, PromptSettings } from './prompt-settings.ts'

export type Prompt = ParsedPrompt & {
  name: string
  /** The SHA-256 hash of the file, in hexadecimal digits. */
  sha256: string
}

export type PromptReadResult =
  | { state: 'ready'; prompt: Prompt }
  | { state: 'missing' }
  | { state: 'broken'; problems: PromptProblem[] }

export type ListedPrompt = {
  name: string
  /** The SHA-256 hash of the file; null when it cannot be read or has problems. */
  sha256: string | null
  /** Null when the prompt cannot be read or has invalid settings. */
  settings: PromptSettings | null
  problems: PromptProblem[]
}

export const MAX_PROMPT_BYTES = 256 * 1024
/** O_NONBLOCK: opening a named pipe must not wait for its writer. O_NOFOLLOW: symbolic links are refused. */
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

/** Reads a prompt from its file. Nothing is cached, so a change applies to the next run. */
export async function readPrompt(dir: string, name: string): Promise<PromptReadResult> {
  const file = await readPromptFile(dir, name)
  if (file.state === 'missing') return file
  if (file.state === 'unreadable') return brokenPrompt([createPromptFileProblem(file.message)])
  const text = parsePrompt(file.bytes)
  if (Array.isArray(text)) return brokenPrompt(text)
  return { state: 'ready', prompt: { name, sha256: hashPrompt(file.bytes), ...text } }
}

export type PromptFile =
  | { state: 'found'; bytes: Buffer }
  | { state: 'missing' }
  /** `message` says why, such as that the file is a link. */
  | { state: 'unreadable'; message: string }

/** Reads the bytes of a prompt's file, also of one whose text has problems. */
export async function readPromptFile(dir: string, name: string): Promise<PromptFile> {
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

export function hashPrompt(bytes: Buffer): string {
  return computeSha256(bytes).toString('hex')
}

/** Finds further problems of a prompt whose file is valid. */
export type PromptChecker = (prompt: Prompt) => Promise<PromptProblem[]>

/** Lists all prompts in the folder and its subfolders, sorted by name, with the problems that prevent a run. */
export async function listPrompts(
  dir: string,
  check: PromptChecker = async () => [],
): Promise<ListedPrompt[]> {
  const listed: ListedPrompt[] = []
  await walkFolder({ dir, listed, check }, '')
  return listed.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

type PromptWalk = { dir: string; listed: ListedPrompt[]; check: PromptChecker }

async function walkFolder({ dir, listed, check }: PromptWalk, folder: string): Promise<void> {
  for (const entry of await readEntries(dir, folder, listed)) {
    // Hidden files are not prompts: editors and operating systems create them in any folder.
    if (entry.name.startsWith('.')) continue
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isSymbolicLink()) listed.push(unusablePrompt(path, LINK_MESSAGE))
    else if (entry.isDirectory()) {
      if (isPromptName(path)) await walkFolder({ dir, listed, check }, path)
      else listed.push(unusablePrompt(path, PROMPT_NAME_RULE_TEXT))
    } else if (/\.md$/i.test(path)) {
      const found = await readListed(dir, path.replace(/\.md$/, ''), check)
      if (found !== null) listed.push(found)
    }
  }
}

async function readEntries(dir: string, folder: string, listed: ListedPrompt[]): Promise<Dirent[]> {
  try {
    return await readdir(join(dir, folder), { withFileTypes: true })
  } catch (error) {
    if (!NOT_FOUND_CODES.has(errorCode(error)))
      listed.push(unusablePrompt(folder, messageForError(error)))
    return []
  }
}

/** Reads a prompt that was found in its folder. Null when its file has been removed since then. */
async function readListed(
  dir: string,
  name: string,
  check: PromptChecker,
): Promise<ListedPrompt | null> {
  const reading = await readPrompt(dir, name)
  if (reading.state === 'missing') return null
  if (reading.state === 'broken')
    return { name, sha256: null, settings: null, problems: reading.problems }
  const { prompt } = reading
  const { sha256, settings } = prompt
  return { name, sha256, settings, problems: await check(prompt) }
}

/** The file's bytes, or a message that says why they cannot be read. */
async function readVerified(file: FileHandle, path: string): Promise<Buffer | string> {
  const opened = await file.stat({ bigint: true })
  if (!opened.isFile()) return 'Not a regular file'
  // The path is checked after opening the file, to detect that a folder was replaced with a link in the meantime.
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
  return `The file is larger than ${MAX_PROMPT_BYTES / 1024} KiB`
}

function messageForError(error: unknown): string {
  const text = MESSAGES_BY_CODE[errorCode(error)]
  if (text === undefined) throw error
  return text
}

function brokenPrompt(problems: PromptProblem[]): PromptReadResult {
  return { state: 'broken', problems }
}

function unusablePrompt(name: string, message: string): ListedPrompt {
  return { name, sha256: null, settings: null, problems: [createPromptFileProblem(message)] }
}
