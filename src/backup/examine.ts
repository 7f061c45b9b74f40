import { strict as assert } from 'node:assert'
import { OperatorError } from '../errors.ts'
import { MANIFEST, MASTER_KEY, readArchive, tableOf, textOf } from './archive.ts'
import { isFilePath } from './files.ts'
import { parseManifest, type Manifest } from './manifest.ts'

/** Reads a backup from its first byte to its last and says what it is; throws when anything is wrong. */
export async function examine(file: string): Promise<Manifest> {
  let manifest: Manifest | null = null
  const entries = readArchive(file)
  for (;;) {
    const { done, value } = await entries.next()
    if (done) break
    if (manifest === null) {
      if (value.name !== MANIFEST) throw foreign(file, value.name)
      manifest = parseManifest(await textOf(value.body), file)
      continue
    }
    checkName(file, value.name, manifest)
    for await (const piece of value.body) assert.ok(piece)
  }
  if (manifest === null) throw new OperatorError(`${file} is not a backup of Hansard`)
  return manifest
}

function checkName(file: string, name: string, { tables, hasMasterKey }: Manifest): void {
  const table = tableOf(name)
  if (table !== null && tables.some((known) => known.name === table)) return
  if (name === MASTER_KEY && hasMasterKey) return
  if (name.startsWith('files/') && isFilePath(name.slice('files/'.length))) return
  throw foreign(file, name)
}

function foreign(file: string, name: string): OperatorError {
  return new OperatorError(`${file} is not a backup of Hansard: ${name} does not belong there`)
}
