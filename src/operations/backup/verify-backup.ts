import { strict as assert } from 'node:assert'
import { OperatorError } from '../../errors.ts'
import {
  MANIFEST_ENTRY_NAME,
  MASTER_KEY_ENTRY_NAME,
  readArchive,
  parseTableEntryName,
  readEntryText,
} from './archive.ts'
import { isRestorablePath } from './data-files.ts'
import { parseManifest, type BackupManifest } from './manifest.ts'

/** Reads a whole backup file and returns its manifest; throws when the file is damaged or not supported. */
export async function verifyBackup(file: string): Promise<BackupManifest> {
  let manifest: BackupManifest | null = null
  const entries = readArchive(file)
  for (;;) {
    const { done, value } = await entries.next()
    if (done) break
    if (manifest === null) {
      if (value.name !== MANIFEST_ENTRY_NAME) throw unexpectedEntryError(file, value.name)
      manifest = parseManifest(await readEntryText(value.body), file)
      continue
    }
    checkEntryName(file, value.name, manifest)
    for await (const chunk of value.body) assert.ok(chunk)
  }
  if (manifest === null) throw new OperatorError(`${file} is not a Hansard backup`)
  return manifest
}

function checkEntryName(
  file: string,
  name: string,
  { tables, hasMasterKey }: BackupManifest,
): void {
  const table = parseTableEntryName(name)
  if (table !== null && tables.some((known) => known.name === table)) return
  if (name === MASTER_KEY_ENTRY_NAME && hasMasterKey) return
  if (name.startsWith('files/') && isRestorablePath(name.slice('files/'.length))) return
  throw unexpectedEntryError(file, name)
}

function unexpectedEntryError(file: string, name: string): OperatorError {
  return new OperatorError(`${file} is not a Hansard backup: unexpected entry ${name}`)
}
