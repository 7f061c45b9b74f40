import { readFileSync } from 'node:fs'
import { after, suite } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sharedResources } from './support/shared-resources.ts'

/**
 * Runs several test files in this process, one after the other. Each is a suite, so that its hooks are its own. A file
 * that cannot be imported fails; the other files still run.
 */
export async function importTestFiles(files: { name: string; path: string }[]): Promise<void> {
  if (files.some(({ path }) => readFileSync(path, 'utf8').includes("'fast-check'"))) {
    const { fixPropertySeed } = await import('./support/property-seed.ts')
    fixPropertySeed()
  }
  after(() => sharedResources.disposeAsync())
  for (const { name, path } of files) {
    await new Promise<void>((imported) => {
      void suite(name, () => import(pathToFileURL(path).href).finally(imported))
    })
  }
}
