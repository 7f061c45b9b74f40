import type { Log } from '../log.ts'
import type { ProjectAccessStore } from '../access/project-access.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { DocumentFiles } from '../projects/files/store/document-files.ts'

/** What the parts of the meetings area share. */
export interface MeetingsContext {
  db: Db
  clock: Clock
  log: Log
  files: DocumentFiles
  /** The time zone of the names of documents. */
  timeZone: string
  /** True if the disk has space for another transcript. */
  hasDiskSpace(): boolean
  /** Stores who created a project, if it is new. Throws unless the viewer may change the project. */
  registerProject: ProjectAccessStore['registerProject']
  /** Tells the search that a document was written, moved or removed. */
  documentChanged(documentPath: string): Promise<void>
}
