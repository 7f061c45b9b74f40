import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashPrompt } from './prompt-files.ts'

export const SAMPLES_FOLDER = join(import.meta.dirname, 'samples')

/** The sample prompts, by name. */
export async function readSamplePrompts(): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(SAMPLES_FOLDER)
  const entries = names.map(async (name): Promise<[string, Buffer]> => [
    name.replace(/\.md$/, ''),
    await readFile(join(SAMPLES_FOLDER, name)),
  ])
  return new Map(await Promise.all(entries))
}

/** The hashes of the sample prompts, by name. A prompt with the name and the text of a sample is built in. */
export async function readSamplePromptHashes(): Promise<ReadonlyMap<string, string>> {
  const samples = await readSamplePrompts()
  return new Map([...samples].map(([name, bytes]) => [name, hashPrompt(bytes)]))
}
