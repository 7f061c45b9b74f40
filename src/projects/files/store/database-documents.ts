import { strict as assert } from 'node:assert'
import { basename } from 'node:path'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../db/database.ts'
import { ServiceError } from '../../../errors.ts'
import { OperatorError } from '../../../lib/operator-error.ts'
import {
  formatPathInDataFolder,
  isInMeetingsFolder,
  type DocumentRef,
  MEETINGS_FOLDER,
  pathSegmentsOfFolderInProject,
} from '../../document-ref.ts'
import { isProjectId } from '../file-names.ts'
import { formatStoredFileStamp } from '../walk-project.ts'
import type { CreatedDocument, DatabaseDocuments, NewDocument } from './document-files.ts'
import {
  appendToStoredFile,
  deleteStoredFile,
  findStoredFile,
  insertStoredFile,
  inTransaction,
  isBelowStoredFile,
  isStoredFolder,
  lockNewPaths,
  openStoredFile,
  replaceStoredFile,
} from './stored-files.ts'

/** Documents in the database, with the same rules as files in a folder. */
export function createDatabaseDocuments(db: Db): DatabaseDocuments {
  const files: DatabaseDocuments = {
    place: 'database',
    inTransaction: (tx) => createDatabaseDocuments(tx),
    open: (ref, firstBytes) => openStoredFile(db, formatPathInDataFolder(ref), firstBytes),
    async readInfo(ref) {
      const file = await findStoredFile(db, formatPathInDataFolder(ref))
      if (file === null) return null
      const { size, modifiedAt, version } = file
      const stamp = formatStoredFileStamp(version)
      return { path: ref.path, stamp, isRegularFile: true, size, modifiedAt }
    },
    readMany: (work) => work(files),
    create: (document) => inTransaction(db, (tx) => createDocument(tx, document)),
    save: (ref, text) =>
      inTransaction(db, async (tx) => {
        if ((await findPathConflict(tx, ref)) !== null) throw new ServiceError('path_taken')
        await replaceStoredFile(tx, { path: formatPathInDataFolder(ref), contents: [text] })
      }),
    replace: (ref, chunks) =>
      inTransaction(db, async (tx) => {
        await requireFreePath(tx, ref)
        const path = formatPathInDataFolder(ref)
        return (await replaceStoredFile(tx, { path, contents: chunks })) ?? 0
      }),
    replaceIfUnchanged: (ref, before, chunks) => {
      const path = formatPathInDataFolder(ref)
      return replaceStoredFile(db, { path, contents: chunks }, async (tx) => {
        const now = await openStoredFile(tx, path, before.length + 1)
        return now !== null && now.size === before.length && (await now.read()).equals(before)
      })
    },
    truncateAndAppend(ref, text, expectedSize) {
      assert.ok(Number.isSafeInteger(expectedSize) && expectedSize >= 0)
      return appendToStoredFile(db, formatPathInDataFolder(ref), text, expectedSize)
    },
    appendOrCreate: (ref, header, text) =>
      inTransaction(db, async (tx) => {
        await requireFreePath(tx, ref)
        await appendOrCreate(tx, formatPathInDataFolder(ref), header, text)
      }),
    remove: (ref) => deleteStoredFile(db, formatPathInDataFolder(ref)),
    // The database has no empty folders.
    removeEmptyFolders: async () => {},
    async isProjectGone(ref) {
      // As in a folder, the project stays if a transcript is removed, because its folder of meetings stays.
      if (isInMeetingsFolder(ref)) return false
      return !(await isStoredFolder(db, pathSegmentsOfFolderInProject(ref.project, []).join('/')))
    },
  }
  return files
}

async function createDocument(tx: Tx, document: NewDocument): Promise<CreatedDocument> {
  const { project, within = MEETINGS_FOLDER, header, heading } = document
  assert.ok(isProjectId(project), 'the project id must be valid')
  const folder = within.map((part) => `${part}/`).join('')
  let previousName = ''
  for (let attempt = 1; ; attempt += 1) {
    const name = document.fileNameFor(attempt)
    assert.ok(name !== previousName && isFileName(name))
    const ref = { project, path: `${folder}${name}` }
    const path = formatPathInDataFolder(ref)
    const conflict = await findPathConflict(tx, ref)
    if (conflict === 'below a file') throw pathConflictError(path)
    const contents = [header, heading]
    const size = conflict === null ? await insertStoredFile(tx, { path, contents }) : null
    if (size !== null) return { documentPath: path, size }
    previousName = name
  }
}

function isFileName(name: string): boolean {
  return name === basename(name) && !/^\.{0,2}$/.test(name) && !name.includes('\0')
}

/** Appends at the end, whatever the size is. */
async function appendOrCreate(tx: Tx, path: string, header: string, text: string): Promise<void> {
  for (;;) {
    const found = await findStoredFile(tx, path)
    if (found === null) {
      const contents = [header, text]
      if ((await insertStoredFile(tx, { path, contents })) !== null) return
    } else {
      await sql`select from stored_file where path = ${path} for update`.execute(tx)
      const size = (await findStoredFile(tx, path))?.size
      if (size === undefined) continue
      const added = size === 0 ? `${header}${text}` : text
      return void (await appendToStoredFile(tx, path, added, size))
    }
  }
}

/**
 * Finds out if a folder has the name of a file that will be written, or a file has the name of one of its folders.
 * Until the transaction ends, no other transaction can create a path in the project. A transcript needs no lock,
 * because only the service writes into its folder.
 */
async function findPathConflict(
  tx: Tx,
  ref: DocumentRef,
): Promise<'a folder' | 'below a file' | null> {
  const path = formatPathInDataFolder(ref)
  if (!isInMeetingsFolder(ref)) await lockNewPaths(tx, ref.project)
  if (await isBelowStoredFile(tx, path)) return 'below a file'
  return (await isStoredFolder(tx, path)) ? 'a folder' : null
}

async function requireFreePath(tx: Tx, ref: DocumentRef): Promise<void> {
  if ((await findPathConflict(tx, ref)) !== null)
    throw pathConflictError(formatPathInDataFolder(ref))
}

function pathConflictError(path: string): OperatorError {
  return new OperatorError(
    `${path} would be both a document and a folder`,
    'Remove the document or the folder with that name, or choose another path',
  )
}
