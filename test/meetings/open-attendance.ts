import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { DatabaseHandle } from '../../src/db/database.ts'
import { NO_TRACER } from '../../src/lib/tracer.ts'
import { createLog } from '../../src/log.ts'
import { attendClaimedMeeting } from '../../src/meetings/attending/attend.ts'
import {
  formatTranscriptDocumentHeader,
  createTranscriptDocumentWriter,
} from '../../src/meetings/record/transcript-document.ts'
import type { MeetingJob } from '../../src/meetings/attending/claiming/meeting-runner.ts'
import { createNewEventNotifier } from '../../src/meetings/reading/feed.ts'
import { createMeetingBatchWriter } from '../../src/meetings/record/batch-writer.ts'
import { createMeetingMetrics } from '../../src/meetings/metrics.ts'
import { requireMeeting } from '../../src/meetings/record/meeting-store.ts'
import type { Platform } from '../../src/bots/platforms/platform.ts'
import { createDocument } from '../../src/projects/files/document-file.ts'
import { createManualClock } from '../support/time/manual-clock.ts'
import { openTestDatabase, requireEnv } from '../support/database/test-database.ts'
import { createScriptedPlatform } from '../support/meetings/scripted-platform.ts'
import {
  SEED_TIME,
  seedMeeting,
  readStoredCounters,
  createTestWriter,
} from '../support/meetings/seed-meeting.ts'
import { createFolderDocuments } from '../../src/projects/files/store/folder-documents.ts'

const log = createLog('silent')
const singleNodeMembership = {
  nodeId: 'node_1',
  broadcast: () => undefined,
  send: () => undefined,
  onMessage: () => undefined,
  isOnlyNode: () => true,
}

/** A meeting on a scripted platform with a saved document. The test starts its bots. */
export async function openAttendance(status: 'joining' | 'live' = 'live') {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await openTestDatabase())
  const { db } = database
  const root = mkdtempSync(join(requireEnv('TEST_SCRATCH'), 'documents-'))
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  const place = { platform: 'google_meet', url: 'stage://one', title: 'Talk' } as const
  const meetingId = await seedMeeting(db, { ...place, status })
  const document = await createDocument({
    root,
    project: 'api',
    fileNameFor: (attempt) => `talk-${attempt}.md`,
    header: formatTranscriptDocumentHeader(await requireMeeting(db, meetingId), []),
    heading: '',
  })
  await sql`update meeting set document_path = ${document.documentPath}, document_size = ${document.size}
    where id = ${meetingId}`.execute(db)
  const clock = createManualClock(SEED_TIME.toISOString())
  const platform = createScriptedPlatform()
  const setFence = (fence: number) =>
    db
      .updateTable('meeting')
      .set({ fence })
      .where('id', '=', meetingId)
      .where('fence', '<>', fence)
      .execute()
  const opened = stack.move()
  return {
    database,
    db,
    root,
    meetingId,
    path: document.path,
    clock,
    platform,
    meeting: () => requireMeeting(db, meetingId),
    /** The number of stored segments, and how many of them are in the document. */
    counts: () =>
      db
        .selectFrom('meeting')
        .select(['segment_count as stored', 'flushed_count as flushed'])
        .where('id', '=', meetingId)
        .executeTakeFirstOrThrow(),
    /** Starts a bot as the owner with this fence. */
    async bot(
      fence: number,
      to: Platform = platform,
      changes: Partial<AttendParts> = {},
      interruption: MeetingJob['interruption'] = null,
    ) {
      await setFence(fence)
      const parts = { database, root, clock, platform: to, changes, interruption }
      return startBot(parts, meetingId, fence)
    },
    /** The writer and the document of another owner with this fence. */
    async owner(fence: number) {
      await setFence(fence)
      const writer = await createTestWriter(database, meetingId, fence)
      const transcript = createTranscriptDocumentWriter({
        db,
        files: createFolderDocuments(root),
        meetingId,
        documentPath: document.documentPath,
        writer,
        limitWrites: (work) => work(),
      })
      return { writer, document: transcript }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

type AttendParts = Parameters<typeof attendClaimedMeeting>[0]

type BotParts = {
  database: DatabaseHandle
  root: string
  clock: ReturnType<typeof createManualClock>
  platform: Platform
  changes: Partial<AttendParts>
  interruption: MeetingJob['interruption']
}

async function startBot(
  { database, root, clock, platform, changes, interruption }: BotParts,
  meetingId: string,
  fence: number,
) {
  const { db, pool } = database
  const [stop, release] = [new AbortController(), new AbortController()]
  const done = attendClaimedMeeting(
    {
      db,
      clock,
      log,
      tracer: NO_TRACER,
      files: createFolderDocuments(root),
      platforms: [platform],
      joinTimeout: 120,
      ledger: createMeetingBatchWriter(pool),
      feed: createNewEventNotifier({
        membership: singleNodeMembership,
        onRemoteEvents: () => undefined,
      }),
      metrics: createMeetingMetrics({
        db,
        runningBots: () => [],
        limits: { bots: 1, practiceBots: 1 },
      }),
      limitDocumentWrites: (work) => work(),
      findAccountProblem: async () => null,
      listInvitedNames: async () => [],
      openCoachModel: null,
      laneFor: () => ({
        show: () => undefined,
        clear: () => undefined,
        [Symbol.dispose]: () => undefined,
      }),
      onWritten: () => undefined,
      documentChanged: async () => undefined,
      ...changes,
    },
    {
      lease: { meetingId, fence },
      counters: await readStoredCounters(db, meetingId),
      traceParent: null,
      failureScore: 1,
      interruption,
      hasQueueTimedOut: false,
      stop: stop.signal,
      release: release.signal,
    },
  )
  // The test awaits `done` later. Until then, a failure must not be reported as an unhandled rejection.
  void Promise.allSettled([done])
  return { stop, release, done }
}
