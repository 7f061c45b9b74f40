import { constants, type Dirent } from 'node:fs'
import { open, readdir, realpath, stat, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../lib/crypto/digest.ts'
import { errorCode } from '../../lib/error-code.ts'
import { isPromptName, PROMPT_NAME_RULE } from './prompt-name.ts'
import { parsePrompt, toFileProblem, type ParsedPrompt } from './parse-prompt.ts'
import type { PromptProblem, PromptSettings } from './prompt-settings.ts'

export type Prompt = ParsedPrompt & {
  name: string
  /** Of the file's bytes, in hexadecimal digits. */
  sha256: string
}

export type PromptReadResult =
  | { state: 'ready'; prompt: Prompt }
  | { state: 'missing' }
  | { state: 'broken'; problems: PromptProblem[] }

export type ListedPrompt = {
  name: string
  /** Null where there are problems. */
  settings: PromptSettings | null
  problems: PromptProblem[]
}

const MAX_BYTES = 256 * 1024
/** Without waiting for somebody at the other end of a pipe. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const LINK_MESSAGE = 'A link stands here or on the way; links are not followed'
const NOT_FOUND_CODES = new Set(['ENOENT', 'ENOTDIR'])
const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  ELOOP: LINK_MESSAGE,
  EMLINK: LINK_MESSAGE,
  EACCES: 'The service may not read it',
  EPERM: 'The service may not read it',
  ENXIO: 'Not a plain file',
  EISDIR: 'Not a plain file',
}

/** Reads a prompt as it is now; nothing is remembered. */
export async function readPrompt(dir: string, name: string): Promise<PromptReadResult> {
  if (!isPromptName(name)) return brokenPrompt([toFileProblem(PROMPT_NAME_RULE)])
  try {
    const path = `${join(await realpath(dir), ...name.split('/'))}.md`
    await using file = await open(path, READ_FLAGS)
    const bytes = await readVerified(file, path)
    if (typeof bytes === 'string') return brokenPrompt([toFileProblem(bytes)])
    const text = parsePrompt(bytes)
    if (Array.isArray(text)) return brokenPrompt(text)
    return { state: 'ready', prompt: { name, sha256: sha256(bytes).toString('hex'), ...text } }
  } catch (error) {
    if (NOT_FOUND_CODES.has(errorCode(error))) return { state: 'missing' }
    return brokenPrompt([toFileProblem(messageForError(error))])
  }
}

/** What is wrong with a prompt that could be read. */
export type PromptCheck = (prompt: Prompt) => Promise<PromptProblem[]>

/** Every prompt in the folder and below by name, with whatever keeps one from running. */
export async function listPrompts(
  dir: string,
  examine: PromptCheck = async () => [],
): Promise<ListedPrompt[]> {
  const listed: ListedPrompt[] = []
  await walkFolder({ dir, listed, examine }, '')
  return listed.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

type PromptWalk = { dir: string; listed: ListedPrompt[]; examine: PromptCheck }

async function walkFolder({ dir, listed, examine }: PromptWalk, folder: string): Promise<void> {
  for (const entry of await readEntries(dir, folder, listed)) {
    // Editors and systems keep their own things under such names.
    if (entry.name.startsWith('.')) continue
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    if (entry.isSymbolicLink()) listed.push(unusablePrompt(path, LINK_MESSAGE))
    else if (entry.isDirectory()) {
      if (isPromptName(path)) await walkFolder({ dir, listed, examine }, path)
      else listed.push(unusablePrompt(path, PROMPT_NAME_RULE))
    } else if (/\.md$/i.test(path)) {
      const found = await readListed(dir, path.replace(/\.md$/, ''), examine)
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

/** Null for one that went away meanwhile. */
async function readListed(
  dir: string,
  name: string,
  examine: PromptCheck,
): Promise<ListedPrompt | null> {
  const reading = await readPrompt(dir, name)
  if (reading.state === 'missing') return null
  if (reading.state === 'broken') return { name, settings: null, problems: reading.problems }
  const { prompt } = reading
  return { name, settings: prompt.settings, problems: await examine(prompt) }
}

/** The bytes, or why they are not to be had. */
async function readVerified(file: FileHandle, path: string): Promise<Buffer | string> {
  const opened = await file.stat({ bigint: true })
  if (!opened.isFile()) return 'Not a plain file'
  // Asked after the opening: a folder that becomes a link in between does not help.
  const named = await stat(path, { bigint: true })
  const isSame = named.ino === opened.ino && named.dev === opened.dev
  if ((await realpath(path)) !== path || !isSame) return LINK_MESSAGE
  const bytes = Buffer.allocUnsafe(MAX_BYTES + 1)
  let length = 0
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length)
    if (bytesRead === 0) return bytes.subarray(0, length)
    length += bytesRead
  }
  return `The file is larger than ${MAX_BYTES / 1024} KiB`
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
  return { name, settings: null, problems: [toFileProblem(message)] }
}
