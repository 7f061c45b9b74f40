import { deleteOldShareLinks } from '../access/sharing/end-shares.ts'
import { ACCOUNT_MAINTENANCE_JOBS } from '../accounts/area.ts'
import type { CalendarsArea } from '../calendars/area.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import { findFirstNodeWithRole } from '../db/nodes/node-rows.ts'
import { deleteExpiredIdempotentRequests } from '../http/pipeline/idempotency.ts'
import { deleteExpiredRequestCounts } from '../http/pipeline/rate-limit.ts'
import { isDoneBefore } from '../lib/async/abort.ts'
import { createWakeableSleep } from '../lib/async/wake-up.ts'
import { MINUTE_MS } from '../lib/time/durations.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { deleteOldZoomStreams } from '../bots/zoom-app/stream-store.ts'
import { deleteOldBriefClaims } from '../brief/brief-claims.ts'
import { deleteOldMail } from '../mail/outbox/retention.ts'
import { updateOutdatedDocuments } from '../meetings/editing/edited-document.ts'
import { writeMissingImportedDocuments } from '../meetings/importing/transcript-imports.ts'
import { deleteExpiredEvidence } from '../meetings/record/evidence.ts'
import { deleteExpiredEventsAndDeliveries, deleteExpiredMeetings } from '../meetings/removal.ts'
import { endOverdueCaptures } from '../connections/end-captures.ts'
import type { MeetingsArea } from '../meetings/area.ts'
import type { ProjectsArea } from '../projects/area.ts'
import type { DocumentFiles } from '../projects/files/store/document-files.ts'
import { deleteUnusedVocabularyWords } from '../projects/search/spelling.ts'
import { deleteOldRecordings } from '../recordings/retention.ts'
import { deleteExpiredExecutions } from '../tasks/retention.ts'

type Parts = {
  db: Db
  config: Config
  files: DocumentFiles
  projects: Pick<ProjectsArea, 'documentChanged'>
  calendars: Pick<CalendarsArea, 'cleanUpSubscriptions'>
  meetings: Pick<MeetingsArea, 'captures'>
  log: Log
}

const PERIOD_MS = 10 * MINUTE_MS

type MaintenanceJob = {
  name: string
  /** True if the job finishes what a crash interrupted. */
  isRepair?: boolean
  run(now: Date): Promise<void>
}

/**
 * Runs the jobs at every tenth minute of the clock on one node, and the repairs also when it starts and when another node
 * is lost. Two nodes may disagree for a moment about which of them that is, so every job may run twice at the same time.
 * A failed job does not stop the next.
 */
export function startMaintenance(parts: {
  db: Db
  clock: Clock
  log: Log
  membership: Pick<NodeMembership, 'nodeId' | 'onNodeLost'>
  jobs: readonly MaintenanceJob[]
  /** When it aborts, disposing no longer waits for a running job. */
  graceOver: AbortSignal
}): AsyncDisposable {
  const { db, clock, log, membership, jobs, graceOver } = parts
  const closing = new AbortController()
  const wakeUp = createWakeableSleep()
  const logFailure = (err: unknown, job: string) => {
    if (!closing.signal.aborted) log.error({ err, job }, 'maintenance job failed')
  }
  const runJobs = async (due: readonly MaintenanceJob[]) => {
    if ((await findFirstNodeWithRole(db, 'tasks')) !== membership.nodeId) return
    for (const { name, run } of due) {
      if (closing.signal.aborted) return
      await run(clock.now()).catch((error: unknown) => logFailure(error, name))
    }
  }
  const repairs = jobs.filter(({ isRepair }) => isRepair)
  membership.onNodeLost(wakeUp.wake)
  const loop = async () => {
    // The process before this one may have crashed.
    let due: readonly MaintenanceJob[] = repairs
    while (!closing.signal.aborted) {
      await runJobs(due).catch((error: unknown) => logFailure(error, 'choose a node'))
      const isNodeLost = await wakeUp.sleep(PERIOD_MS - (clock.now().getTime() % PERIOD_MS))
      due = isNodeLost ? repairs : jobs
    }
  }
  const looping = loop()
  return {
    async [Symbol.asyncDispose]() {
      closing.abort()
      wakeUp.wake()
      await isDoneBefore(looping, graceOver)
    },
  }
}

/** The maintenance jobs, most of which delete data after its retention time. */
export function createMaintenanceJobs(parts: Parts) {
  const { db, config, files, projects, calendars, meetings, log } = parts
  const { eventDays, evidenceDays, meetingDays } = config
  const { executionDays: days, executionsPerTask: perTask } = config
  const { documentChanged } = projects
  const all = [
    ...ACCOUNT_MAINTENANCE_JOBS,
    { name: 'share links', run: deleteOldShareLinks },
    { name: 'streams of Zoom', run: deleteOldZoomStreams },
    { name: 'saved responses', run: deleteExpiredIdempotentRequests },
    { name: 'request counts', run: deleteExpiredRequestCounts },
    {
      name: 'events',
      run: (from: Db, now: Date) => deleteExpiredEventsAndDeliveries(from, now, eventDays),
    },
    {
      name: 'calendar subscriptions',
      run: (_: Db, now: Date) => calendars.cleanUpSubscriptions(now),
    },
    { name: 'brief claims', run: deleteOldBriefClaims },
    { name: 'recordings', run: deleteOldRecordings },
    { name: 'mail', run: (from: Db, now: Date) => deleteOldMail(from, now, eventDays) },
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
      isRepair: true,
      run: (from: Db) => writeMissingImportedDocuments({ db: from, log, files, documentChanged }),
    },
    {
      name: 'edited documents',
      isRepair: true,
      run: (from: Db) => updateOutdatedDocuments({ db: from, log, files, documentChanged }),
    },
    {
      name: 'official captures',
      run: (from: Db, now: Date) => endOverdueCaptures(from, meetings.captures, now),
    },
    {
      name: 'executions',
      run: (from: Db, now: Date) => deleteExpiredExecutions(from, now, { days, perTask }),
    },
  ]
  return all.map(({ run, ...job }) => ({ ...job, run: (now: Date) => run(db, now) }))
}
