import { posix } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import type { CreatedDocument, DocumentFiles } from '../../projects/files/store/document-files.ts'
import { formatDateLabel, formatDocumentFileName } from '../../projects/files/file-names.ts'
import { MEETINGS_FOLDER } from '../../projects/files/project-folder.ts'
import { findFrontMatter } from '../../projects/front-matter.ts'
import { parsePathInDataFolder, type DocumentRef } from '../../projects/document-ref.ts'
import type { Meeting } from '../meeting.ts'

type Parts = { db: Db; log: Log; files: DocumentFiles; timeZone: string }

/** More documents of the same minute and title are not searched for one that was left. */
const SEARCHED_NAMES = 5
/** Enough for the front matter of a document that has just been created. */
const MAX_HEADER_BYTES = 8_192

/**
 * Removes the document that a node left when it was killed while it began this meeting. Its name has the join time,
 * or the time of a late beginning.
 */
export async function removeLeftDocument(
  { files, timeZone }: Pick<Parts, 'files' | 'timeZone'>,
  meeting: Meeting,
): Promise<void> {
  // The document was a part of the transaction that ended with the node.
  if (files.place === 'database') return
  const { startedAt, joinAt, title, label, project } = meeting
  const times = [startedAt, joinAt ?? startedAt].map((time) => formatDateLabel(time, timeZone))
  for (const time of new Set(times)) {
    for (let attempt = 1; attempt <= SEARCHED_NAMES; attempt += 1) {
      const name = formatDocumentFileName(time, title ?? label, attempt)
      const place = { project, path: posix.join(...MEETINGS_FOLDER, name) }
      const owner = await readMeetingIdOf(files, place)
      if (owner === 'no document') break
      if (owner === meeting.id) return void (await files.remove(place))
    }
  }
}

/**
 * Removes the document of a beginning that failed, unless it is the document of the meeting: the commit may have
 * succeeded although its response was lost, or another node may have begun the meeting with a document of this name.
 * When that cannot be found out, the file stays, and the next beginning removes it.
 */
export async function removeDocumentOfFailedBeginning(
  { db, log, files }: Parts,
  meetingId: string,
  { documentPath }: CreatedDocument,
): Promise<void> {
  const place = parsePathInDataFolder(documentPath)
  if (place === null || files.place === 'database') return
  try {
    await db.transaction().execute(async (tx) => {
      await sql`select set_config('lock_timeout', '5s', true)`.execute(tx)
      const meeting = await tx
        .selectFrom('meeting')
        .select('document_path')
        .where('id', '=', meetingId)
        .forUpdate()
        .executeTakeFirst()
      if (meeting?.document_path === documentPath) return
      if ((await readMeetingIdOf(files, place)) === meetingId) await files.remove(place)
    })
  } catch (error) {
    // The caller reports why the meeting did not begin.
    const context = { err: error, meetingId, documentPath }
    log.error(context, 'failed to remove the document of a meeting that did not begin')
  }
}

/** The id of the meeting whose document this is; null when it is the document of none. */
async function readMeetingIdOf(files: DocumentFiles, place: DocumentRef): Promise<unknown> {
  await using file = await files.open(place)
  if (file === null) return 'no document'
  return (
    findFrontMatter((await file.read(MAX_HEADER_BYTES)).toString('utf8'))?.fields['meetingId'] ??
    null
  )
}
