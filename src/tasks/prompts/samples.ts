import { cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

const SAMPLES = join(import.meta.dirname, 'samples')

/** Puts prompts to begin with into a folder that has none. Whoever removed some of them has others there. */
export async function writeSamples(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o755 })
  if ((await readdir(dir)).length > 0) return
  for (const name of await readdir(SAMPLES)) {
    await cp(join(SAMPLES, name), join(dir, name), { force: false, errorOnExist: false })
  }
}
