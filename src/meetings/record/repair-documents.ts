import type { Db } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import type { DocumentFiles } from '../../projects/files/store/document-files.ts'

export type DocumentParts = {
  db: Db
  files: DocumentFiles
}

export type RepairParts = DocumentParts & {
  log: Log
  documentChanged(documentPath: string): Promise<void>
}

type Repair = {
  meetingIds: readonly string[]
  /** Writes the document of a meeting. Resolves with its path; null when there was nothing to write. */
  write(meetingId: string): Promise<string | null>
  /** For the log: what could not be done. */
  failure: string
}

/** Writes documents that a crash or a full disk has left behind what the database has. */
export async function repairDocuments(
  { log, documentChanged }: RepairParts,
  { meetingIds, write, failure }: Repair,
): Promise<void> {
  for (const meetingId of meetingIds) {
    try {
      const path = await write(meetingId)
      if (path !== null) await documentChanged(path)
    } catch (error) {
      // One that cannot be written does not hold up the others.
      log.error({ err: error, meetingId }, failure)
    }
  }
}
