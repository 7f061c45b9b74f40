import { posix } from 'node:path'
import { requireAccess } from '../../access/subjects.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Db, Tx } from '../../db/database.ts'
import { retryWhileTransient } from '../../db/transient-errors.ts'
import { ServiceError } from '../../errors.ts'
import {
  formatPathInDataFolder,
  parsePathInDataFolder,
  type DocumentRef,
} from '../../projects/document-ref.ts'
import type { CreatedDocument, DocumentFiles } from '../../projects/files/store/document-files.ts'
import { findFrontMatter, formatFrontMatter } from '../../projects/front-matter.ts'
import { deleteIndexedDocuments } from '../../projects/index/index-store.ts'
import type { MeetingsContext } from '../context.ts'
import type { Meeting } from '../meeting.ts'
import { convertMeetingRow, createMeetingQuery, updateMeeting } from '../record/meeting-store.ts'
import { isFinalStatus } from '../status.ts'

export type MovedMeeting = { meeting: Meeting; previousProject: string }

type Parts = Pick<MeetingsContext, 'db' | 'files' | 'documentChanged'>

/**
 * Moves an ended meeting with its document to another project. Everything else belongs to the meeting and follows it.
 * The file in the old project is removed before the commit: a crash must not leave it where too many people can read
 * it. After a kill in between, the same request completes the move. Access is checked under the lock, because the
 * meeting may have been moved.
 */
export async function moveMeeting(
  { db, files, documentChanged }: Parts,
  viewer: Viewer,
  { id, project }: { id: string; project: string },
  beforeCommit: (tx: Tx, moved: MovedMeeting) => Promise<void>,
): Promise<Meeting> {
  let fileMove = null as FileMove | null
  const move = async (tx: Tx) => {
    const locked = await lockMeeting(tx, id)
    await requireAccess(tx, viewer, { kind: 'meeting', id, action: 'move_out' })
    await requireAccess(tx, viewer, { kind: 'new_project', id: project, action: 'edit' })
    if (!isFinalStatus(locked.meeting.status)) throw new ServiceError('meeting_active')
    const { project: previousProject, documentPath } = locked.meeting
    if (previousProject === project) return { meeting: locked.meeting, oldPath: null }
    const place = documentPath === null ? null : parsePathInDataFolder(documentPath)
    const filesInTx = files.inTransaction(tx)
    const moved = place === null ? null : await moveDocument(filesInTx, place, { id, project })
    // Documents in the database are rolled back with the transaction.
    if (files.place === 'folder') fileMove = moved
    // Not after the commit: until then the text would stay searchable in the old project.
    if (place !== null) await deleteIndexedDocuments(tx, [place])
    const size = moved === null ? 0 : locked.size + moved.grownBy
    await updateMeeting(tx, id, {
      project,
      document_path: moved?.documentPath ?? null,
      document_size: size,
    })
    const changed = { ...locked.meeting, project, documentPath: moved?.documentPath ?? null }
    await beforeCommit(tx, { meeting: changed, previousProject })
    return { meeting: changed, oldPath: documentPath }
  }
  const undo = async (done: FileMove | null) => {
    if (done !== null) await retryWhileTransient(() => undoUnlessMoved(db, files, id, done))
  }
  let result: Awaited<ReturnType<typeof move>>
  try {
    result = await db.transaction().execute(move)
  } catch (error) {
    await undo(fileMove)
    throw error
  }
  const { meeting, oldPath } = result
  const changed = oldPath === null ? [] : [oldPath, meeting.documentPath]
  await Promise.all(changed.filter((path) => path !== null).map(documentChanged))
  return meeting
}

async function lockMeeting(tx: Tx, id: string): Promise<{ meeting: Meeting; size: number }> {
  const row = await createMeetingQuery(tx)
    .select('document_size')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('meeting_not_found')
  return { meeting: convertMeetingRow(row), size: row.document_size }
}

type FileMove = {
  from: DocumentRef
  textBefore: string
  documentPath: string
  grownBy: number
}

/** Returns null if the file no longer exists. */
async function moveDocument(
  files: DocumentFiles,
  place: DocumentRef,
  { id, project }: { id: string; project: string },
): Promise<FileMove | null> {
  const target = { project, path: place.path }
  const left = await readText(files, target)
  const before = (await readText(files, place)) ?? recoverText(left, id, place.project)
  if (before === null) return null
  const after = replaceProjectInFrontMatter(before, project)
  // A move that was killed left this file, possibly incomplete.
  if (left !== null && after.startsWith(left)) await files.remove(target)
  const name = posix.basename(place.path)
  const { documentPath } = await createUnderSameName(files, project, name, after)
  await files.remove(place)
  const grownBy = Buffer.byteLength(after) - Buffer.byteLength(before)
  return { from: place, textBefore: before, documentPath, grownBy }
}

/**
 * Moves the file back, unless the meeting was moved: after a broken connection the commit may have succeeded, and then
 * members of the old project must not read the document. The lock waits for a commit that is still running.
 */
async function undoUnlessMoved(
  db: Db,
  files: DocumentFiles,
  id: string,
  { from, textBefore, documentPath }: FileMove,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await tx
      .selectFrom('meeting')
      .select('document_path as path')
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    const isUnchanged = row?.path === formatPathInDataFolder(from)
    if (isUnchanged) await files.replace(from, [textBefore])
    const created = parsePathInDataFolder(documentPath)
    // If the meeting was removed in the meantime, its document goes too.
    if (created !== null && (isUnchanged || row === undefined)) await files.remove(created)
  })
}

/** The text of a document whose move was killed after its old file was removed; null if there is no such file. */
function recoverText(left: string | null, id: string, project: string): string | null {
  if (left === null || findFrontMatter(left)?.fields['meetingId'] !== id) return null
  return replaceProjectInFrontMatter(left, project)
}

function createUnderSameName(
  files: DocumentFiles,
  project: string,
  name: string,
  text: string,
): Promise<CreatedDocument> {
  return files.create({
    project,
    fileNameFor: (attempt) => (attempt === 1 ? name : name.replace(/\.md$/, ` (${attempt}).md`)),
    header: text,
    heading: '',
  })
}

async function readText(files: DocumentFiles, place: DocumentRef): Promise<string | null> {
  await using file = await files.open(place)
  return file === null ? null : (await file.read()).toString('utf8')
}

/** A person may have changed the document, so only the line with the project is replaced. */
function replaceProjectInFrontMatter(text: string, project: string): string {
  const { bodyStart = 0 } = findFrontMatter(text) ?? {}
  const [, line = ''] = formatFrontMatter({ project }).split('\n')
  return text.slice(0, bodyStart).replace(/^project: .*$/m, () => line) + text.slice(bodyStart)
}
