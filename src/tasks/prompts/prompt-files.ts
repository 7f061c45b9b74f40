import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 as computeSha256 } from '../../lib/crypto.ts'
import {
  parsePrompt,
  createPromptFileProblem,
  type ParsedPrompt,
  type PromptProblem,
  type PromptSettings,
} from './parse-prompt.ts'
import type { PromptFiles } from './store/prompt-storage.ts'

export type Prompt = ParsedPrompt & {
  name: string
  /** The SHA-256 hash of the file in hexadecimal. */
  sha256: string
}

export type PromptReadResult =
  | { state: 'ready'; prompt: Prompt }
  | { state: 'missing' }
  | { state: 'broken'; problems: PromptProblem[] }

export type ListedPrompt = {
  name: string
  /** The SHA-256 hash of the file; null if it cannot be read or has problems. */
  sha256: string | null
  /** Null if the prompt cannot be read or has invalid settings. */
  settings: PromptSettings | null
  problems: PromptProblem[]
}

export const SAMPLES_FOLDER = join(import.meta.dirname, 'samples')

/** Reads a prompt from its file. Nothing is cached, so a change applies to the next run. */
export async function readPrompt(files: PromptFiles, name: string): Promise<PromptReadResult> {
  const file = await files.read(name)
  if (file.state === 'missing') return file
  if (file.state === 'unreadable') return brokenPrompt([createPromptFileProblem(file.message)])
  const text = parsePrompt(file.bytes)
  if (Array.isArray(text)) return brokenPrompt(text)
  return { state: 'ready', prompt: { name, sha256: hashPrompt(file.bytes), ...text } }
}

export function hashPrompt(bytes: Buffer): string {
  return computeSha256(bytes).toString('hex')
}

/** Finds further problems in a prompt with a valid file. */
export type PromptChecker = (prompt: Prompt) => Promise<PromptProblem[]>

/** Lists all prompts by name, with the problems that prevent a run. */
export async function listPrompts(
  files: PromptFiles,
  check: PromptChecker = async () => [],
): Promise<ListedPrompt[]> {
  const listed: ListedPrompt[] = []
  for (const { name, problem } of await files.list()) {
    const found =
      problem === null ? await readListed(files, name, check) : unusablePrompt(name, problem)
    if (found !== null) listed.push(found)
  }
  return listed.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

/** Reads a prompt that was found in its folder. Null if its file was removed since. */
async function readListed(
  files: PromptFiles,
  name: string,
  check: PromptChecker,
): Promise<ListedPrompt | null> {
  const reading = await readPrompt(files, name)
  if (reading.state === 'missing') return null
  if (reading.state === 'broken')
    return { name, sha256: null, settings: null, problems: reading.problems }
  const { prompt } = reading
  const { sha256, settings } = prompt
  return { name, sha256, settings, problems: await check(prompt) }
}

function brokenPrompt(problems: PromptProblem[]): PromptReadResult {
  return { state: 'broken', problems }
}

function unusablePrompt(name: string, message: string): ListedPrompt {
  return { name, sha256: null, settings: null, problems: [createPromptFileProblem(message)] }
}

/** The sample prompts, by name. */
export async function readSamplePrompts(): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(SAMPLES_FOLDER)
  const entries = names.map(async (name): Promise<[string, Buffer]> => [
    name.replace(/\.md$/, ''),
    await readFile(join(SAMPLES_FOLDER, name)),
  ])
  return new Map(await Promise.all(entries))
}

/** The hashes of the sample prompts, by name. A prompt with a sample's name and text is built in. */
export async function readSamplePromptHashes(): Promise<ReadonlyMap<string, string>> {
  const samples = await readSamplePrompts()
  return new Map([...samples].map(([name, bytes]) => [name, hashPrompt(bytes)]))
}
