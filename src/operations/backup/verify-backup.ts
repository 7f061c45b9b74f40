import { posix } from 'node:path'
import { OperatorError } from '../../lib/operator-error.ts'
import {
  chooseMaxExpandedBytes,
  readRegularFileSize,
  type ArchiveEntry,
  MANIFEST_ENTRY_NAME,
  MASTER_KEY_ENTRY_NAME,
  parseTableEntryName,
  damagedError,
  printableName,
  readArchive,
  readEntryText,
  unexpectedEntryError,
} from './archive.ts'
import { isRestorablePath } from './data-files.ts'
import { type BackupManifest, parseManifest, type BackupTotalsAndChecksum } from './manifest.ts'
import type { BackupTable } from './backup-tables.ts'

/** A backup file that was read completely and can be restored. */
export type VerifiedBackup = {
  file: string
  /** The limit for the next pass over the file, which may have been replaced meanwhile. */
  maxExpandedBytes: number
  manifest: BackupManifest
  /** The total size of its documents and prompts. */
  fileBytes: number
}

/** Handles rows and files during a pass over a backup. Both functions must read the whole body of the entry. */
type BackupHandlers = {
  onManifest?(manifest: BackupManifest): Promise<void>
  /** Returns the number of rows. */
  onRows(table: BackupTable, entry: ArchiveEntry): Promise<number>
  /** The path is relative to the data folder. */
  onFile(path: string, entry: ArchiveEntry): Promise<void>
}

export type BackupContents = {
  manifest: BackupManifest
  totals: BackupTotalsAndChecksum
  /** The total size of the files. */
  fileBytes: number
  masterKey: string | null
}

type Pass = {
  file: string
  handlers: BackupHandlers
  manifest: BackupManifest | null
  names: Set<string>
  folders: Set<string>
  rows: Map<string, number>
  fileCount: number
  fileBytes: number
  masterKey: string | null
}

/** 32 bytes in base64. */
const MASTER_KEY = /^[A-Za-z\d+/]{43}=\s*$/

/** Reads a whole backup file. Throws if it is damaged, unsupported, or expands to more than `maxExpandedBytes`. */
export async function verifyBackup(
  file: string,
  maxExpandedBytes?: number,
): Promise<VerifiedBackup> {
  const size = await readRegularFileSize(file)
  const max = maxExpandedBytes ?? chooseMaxExpandedBytes(size)
  const { manifest, fileBytes } = await readBackup(file, max, {
    onRows: (_table, { body }) => countLines(body),
    onFile: (_path, { body }) => readToEnd(body),
  })
  return { file, maxExpandedBytes: max, manifest, fileBytes }
}

/** Needed because the archive's checksum covers every chunk. */
async function readToEnd(body: ArchiveEntry['body']): Promise<void> {
  const chunks = body[Symbol.asyncIterator]()
  while (!(await chunks.next()).done);
}

const LINE_END = 0x0a

/** In the COPY format, each row is one line. */
async function countLines(body: ArchiveEntry['body']): Promise<number> {
  let count = 0
  for await (const chunk of body) {
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) {
      count += 1
    }
  }
  return count
}

/**
 * Reads a whole backup and checks everything in it: the checksum, that each name is expected and occurs once, and that
 * no row or file is missing. Verifying and loading both use it, so a file that changes in between is refused.
 */
export async function readBackup(
  file: string,
  maxExpandedBytes: number,
  handlers: BackupHandlers,
): Promise<BackupContents> {
  const pass: Pass = {
    file,
    handlers,
    manifest: null,
    names: new Set(),
    folders: new Set(),
    rows: new Map(),
    fileCount: 0,
    fileBytes: 0,
    masterKey: null,
  }
  const totals = await readArchive(file, maxExpandedBytes, (entry) => handleEntry(pass, entry))
  const { manifest, fileBytes, masterKey } = pass
  if (manifest === null) throw new OperatorError(`${file} is not a Hansard backup`)
  checkTotals(pass, totals)
  return { manifest, totals, fileBytes, masterKey }
}

async function handleEntry(pass: Pass, entry: ArchiveEntry): Promise<void> {
  const { file, handlers, manifest } = pass
  const { name } = entry
  if (manifest === null) {
    if (name !== MANIFEST_ENTRY_NAME) throw unexpectedEntryError(file, name)
    pass.manifest = await parseManifest(await readEntryText(file, entry), file)
    return handlers.onManifest?.(pass.manifest)
  }
  if (pass.names.size === pass.names.add(name).size)
    throw damagedError(file, `two entries have the name ${printableName(name)}`)
  const tableName = parseTableEntryName(name)
  const table = manifest.tables.find((known) => known.name === tableName)
  const path = name.startsWith('files/') ? name.slice('files/'.length) : ''
  if (table !== undefined) {
    const count = await handlers.onRows(table, entry)
    pass.rows.set(table.name, (pass.rows.get(table.name) ?? 0) + count)
  } else if (name === MASTER_KEY_ENTRY_NAME && manifest.hasMasterKey) {
    pass.masterKey = parseMasterKey(file, await readEntryText(file, entry))
  } else if (isRestorablePath(path)) {
    checkFoldersOfFile(pass, name)
    pass.fileCount += 1
    pass.fileBytes += entry.size
    await handlers.onFile(path, entry)
  } else throw unexpectedEntryError(file, name)
}

/** Refuses a file with the same name as a folder. */
function checkFoldersOfFile({ file, names, folders }: Pass, name: string): void {
  let isConflict = folders.has(name)
  for (let folder = posix.dirname(name); !folders.has(folder); folder = posix.dirname(folder)) {
    if (folder === '.') break
    folders.add(folder)
    isConflict ||= names.has(folder)
  }
  if (isConflict) throw damagedError(file, `${printableName(name)} is both a file and a folder`)
}

function parseMasterKey(file: string, text: string): string {
  if (!MASTER_KEY.test(text)) throw damagedError(file, 'its master key is not valid')
  return text
}

function checkTotals({ file, manifest, rows, fileCount }: Pass, totals: BackupTotalsAndChecksum) {
  const names = [...(manifest?.tables ?? []).map(({ name }) => name), ...Object.keys(totals.rows)]
  const wrong = names.find((name) => (rows.get(name) ?? 0) !== (totals.rows[name] ?? 0))
  if (wrong !== undefined)
    throw damagedError(file, `the number of rows of ${printableName(wrong)} is wrong`)
  if (fileCount !== totals.files) throw damagedError(file, 'the number of files is wrong')
}
