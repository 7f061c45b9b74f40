import { createHash } from 'node:crypto'
import { existsSync, readdirSync, createReadStream, readFileSync, statSync } from 'node:fs'
import { open, readdir, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { errorCode, errorMessageOf } from '../../lib/error-code.ts'
import { listRuntimes, versionOf, type RuntimeParts } from '../packages.ts'
import type { EngineFiles } from '../workers/process/sherpa-engine.ts'

/** Written last, so a folder without it is not complete. */
const MANIFEST_FILE = 'manifest.json'

const Manifest = z.object({
  runtime: z.enum(['native', 'webassembly']),
  main: z.string(),
  files: z.array(z.object({ path: z.string(), size: z.int(), sha256: z.string() })),
})
type Manifest = z.infer<typeof Manifest>

/** The runtimes that can be installed on this machine, best first. */
export const OWN_RUNTIMES: readonly RuntimeParts[] = listRuntimes(process.platform, process.arch)

/** What is installed in a data folder. */
export type InstallationState =
  | { state: 'installed'; files: EngineFiles; manifest: Manifest }
  | { state: 'absent' }
  /** Another version of Hansard installed it. */
  | { state: 'outdated' }
  | { state: 'damaged'; problem: string }

export function speechFolderOf(dataFolder: string): string {
  return join(dataFolder, 'speech')
}

/** Checks only the names and sizes of the installed files, which is cheap. */
export function findInstallation(
  dataFolder: string,
  runtimes: readonly RuntimeParts[] = OWN_RUNTIMES,
): InstallationState {
  const root = speechFolderOf(dataFolder)
  let problem: string | null = null
  for (const parts of runtimes) {
    const folder = join(root, versionOf(parts))
    const manifest = readManifest(folder)
    if (manifest === null) continue
    if (typeof manifest === 'string') problem ??= manifest
    else {
      const { runtime, main } = parts
      return { state: 'installed', files: { runtime, main, folder }, manifest }
    }
  }
  if (problem !== null) return { state: 'damaged', problem }
  const others = existsSync(root) ? readdirSync(root).filter(isVersionFolder) : []
  return others.length > 0 ? { state: 'outdated' } : { state: 'absent' }
}

export function isVersionFolder(name: string): boolean {
  return /^(?:native|webassembly)-[\da-f]{12}$/.test(name)
}

export async function writeManifest(
  folder: string,
  facts: Pick<Manifest, 'runtime' | 'main'>,
): Promise<void> {
  const files = []
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const { size } = await stat(path)
    files.push({ path: relative(folder, path), size, sha256: await hashFile(path, 'sha256') })
  }
  await using file = await open(join(folder, MANIFEST_FILE), 'wx', 0o600)
  await file.writeFile(JSON.stringify({ ...facts, files }))
  await file.sync()
}

/** The manifest of a folder; null if nothing was installed there; a sentence if it is damaged. */
function readManifest(folder: string): Manifest | string | null {
  try {
    const manifest = Manifest.parse(JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')))
    return findWrongSize(folder, manifest) ?? manifest
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    return `${join(folder, MANIFEST_FILE)} cannot be used: ${errorMessageOf(error)}`
  }
}

function findWrongSize(folder: string, { files }: Manifest): string | null {
  for (const { path, size } of files) {
    const found = statSync(join(folder, path), { throwIfNoEntry: false })
    if (found === undefined) return `${join(folder, path)} is missing`
    if (!found.isFile() || found.size !== size) return `${join(folder, path)} has a wrong size`
  }
  return null
}

/** Reads every file. Returns a sentence about the first changed file; null if there is none. */
export async function findChangedFile(folder: string, { files }: Manifest): Promise<string | null> {
  for (const { path, sha256 } of files) {
    try {
      if ((await hashFile(join(folder, path), 'sha256')) !== sha256)
        return `${join(folder, path)} was changed`
    } catch (error) {
      return `${join(folder, path)} cannot be read: ${errorMessageOf(error)}`
    }
  }
  return null
}

/** SHA-256 in hexadecimal, or SHA-512 in npm's notation. */
export async function hashFile(path: string, algorithm: 'sha256' | 'sha512'): Promise<string> {
  const hash = createHash(algorithm)
  await pipeline(createReadStream(path), hash)
  return algorithm === 'sha256' ? hash.digest('hex') : `sha512-${hash.digest('base64')}`
}
