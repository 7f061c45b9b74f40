import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { cp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** Files that the program reads at run time, next to its modules. */
const ASSETS = '{src,stage}/**/*.*'
const NO_ASSET = /\.ts$|(?:^|\/)README\.md$/

/**
 * Compiles the program and its imports into a folder, and copies the files it reads. Paths relative to the sources stay
 * the same. The folder is replaced only when everything is complete.
 */
export async function compileForPackage(root: string, folder: string): Promise<void> {
  const fresh = `${folder}.${process.pid}`
  try {
    await runTypeScript(root, fresh)
    for (const name of globSync(ASSETS, { cwd: root }).filter((file) => !NO_ASSET.test(file)))
      await cp(join(root, name), join(fresh, name))
    await rm(folder, { recursive: true, force: true })
    await rename(fresh, folder)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

async function runTypeScript(root: string, outDir: string): Promise<void> {
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  const args = [compiler, '-p', join(root, 'tsconfig.package.json'), '--outDir', outDir]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] })
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new Error(`the TypeScript compiler ended with ${code}`)
}
