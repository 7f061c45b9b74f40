import { cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const SAMPLES_FOLDER = join(import.meta.dirname, 'samples')

/** Copies the sample prompts into an empty folder. A folder with any file is left unchanged. */
export async function copySamplePromptsToEmptyFolder(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o755 })
  if ((await readdir(dir)).length > 0) return
  for (const name of await readdir(SAMPLES_FOLDER)) {
    await cp(join(SAMPLES_FOLDER, name), join(dir, name), { force: false, errorOnExist: false })
  }
}
