import { deleteOldShareLinks } from '../access/sharing/end-shares.ts'
import { ACCOUNT_MAINTENANCE_JOBS } from '../accounts/area.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { deleteExpiredIdempotentRequests } from '../http/pipeline/idempotency.ts'
import { deleteExpiredRequestCounts } from '../http/pipeline/rate-limit.ts'
import type { Log } from '../log.ts'
import { updateOutdatedDocuments } from '../meetings/editing/edited-document.ts'
import { writeMissingImportedDocuments } from '../meetings/importing/transcript-imports.ts'
import { deleteExpiredEvidence } from '../meetings/record/evidence.ts'
import { deleteExpiredEventsAndDeliveries, deleteExpiredMeetings } from '../meetings/removal.ts'
import type { ProjectsArea } from '../projects/area.ts'
import type { DocumentFiles } from '../projects/files/store/document-files.ts'
import { deleteUnusedVocabularyWords } from '../projects/search/spelling.ts'
import { deleteExpiredExecutions } from '../tasks/retention.ts'

type Parts = {
  db: Db
  config: Config
  files: DocumentFiles
  projects: Pick<ProjectsArea, 'documentChanged'>
  log: Log
}

/** The maintenance jobs, most of which delete data after its retention time. One node at a time runs each job. */
export function createMaintenanceJobs({ db, config, files, projects, log }: Parts) {
  const { eventDays, evidenceDays, meetingDays } = config
  const { executionDays: days, executionsPerTask: perTask } = config
  const { documentChanged } = projects
  const all = [
    ...ACCOUNT_MAINTENANCE_JOBS,
    { name: 'share links', run: deleteOldShareLinks },
    { name: 'saved responses', run: deleteExpiredIdempotentRequests },
    { name: 'request counts', run: deleteExpiredRequestCounts },
    {
      name: 'events',
      run: (from: Db, now: Date) => deleteExpiredEventsAndDeliveries(from, now, eventDays),
    },
    {
      name: 'evidence',
      run: (from: Db, now: Date) => deleteExpiredEvidence(from, now, evidenceDays),
    },
    { name: 'words', run: (from: Db, now: Date) => deleteUnusedVocabularyWords(from, now) },
    {
      name: 'meetings',
      run: async (from: Db, now: Date) => {
        if (meetingDays === undefined) return
        await deleteExpiredMeetings({ db: from, log, files, documentChanged }, now, meetingDays)
      },
    },
    {
      name: 'imported documents',
      run: (from: Db) => writeMissingImportedDocuments({ db: from, log, files, documentChanged }),
    },
    {
      name: 'edited documents',
      run: (from: Db) => updateOutdatedDocuments({ db: from, log, files, documentChanged }),
    },
    {
      name: 'executions',
      run: (from: Db, now: Date) => deleteExpiredExecutions(from, now, { days, perTask }),
    },
  ]
  return all.map(({ name, run }) => ({ name, run: (now: Date) => run(db, now) }))
}
