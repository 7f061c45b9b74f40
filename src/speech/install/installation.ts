import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { listRuntimes, versionOf, type RuntimeParts } from '../packages.ts'
import type { EngineFiles } from '../workers/process/sherpa-engine.ts'
import { readManifest, type Manifest } from './manifest.ts'

/** The runtimes that can be installed on this machine, in the order of preference. */
export const OWN_RUNTIMES: readonly RuntimeParts[] = listRuntimes(process.platform, process.arch)

/** What is installed in a data folder. */
export type InstallationState =
  | { state: 'installed'; files: EngineFiles; manifest: Manifest }
  | { state: 'absent' }
  /** Installed by another version of Hansard. */
  | { state: 'outdated' }
  | { state: 'damaged'; problem: string }

export function speechFolderOf(dataFolder: string): string {
  return join(dataFolder, 'speech')
}

/** Looks at the names and sizes of the installed files, which is cheap. */
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
