import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createOwnedFoldersSync } from '../../lib/files/create-folders.ts'
import { inheritOwnerSync } from '../../lib/files/file-owner.ts'
import { hashPrompt } from './prompt-files.ts'

const SAMPLES_FOLDER = join(import.meta.dirname, 'samples')

/** The hashes of the sample prompts, by name. A prompt with the name and the text of a sample is built in. */
export async function readSamplePromptHashes(): Promise<ReadonlyMap<string, string>> {
  const names = await readdir(SAMPLES_FOLDER)
  const entries = names.map(async (name): Promise<[string, string]> => [
    name.replace(/\.md$/, ''),
    hashPrompt(await readFile(join(SAMPLES_FOLDER, name))),
  ])
  return new Map(await Promise.all(entries))
}

/** Copies the sample prompts into an empty folder. A folder with any file is left unchanged. */
export async function copySamplePromptsToEmptyFolder(dir: string): Promise<void> {
  createOwnedFoldersSync(dir, 0o755)
  if ((await readdir(dir)).length > 0) return
  for (const name of await readdir(SAMPLES_FOLDER)) {
    await cp(join(SAMPLES_FOLDER, name), join(dir, name), { force: false, errorOnExist: false })
    inheritOwnerSync(join(dir, name))
  }
}
