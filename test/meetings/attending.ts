import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { OpenDatabase } from '../../src/db/open.ts'
import { createLog } from '../../src/log.ts'
import { attend } from '../../src/meetings/attend.ts'
import { documentStart, createDocumentKeeper } from '../../src/meetings/document.ts'
import { createFeed } from '../../src/meetings/feed.ts'
import { createLedger } from '../../src/meetings/ledger.ts'
import { createMeetingMetrics } from '../../src/meetings/metrics.ts'
import { requireMeeting } from '../../src/meetings/store.ts'
import type { Platform } from '../../src/platforms/platform.ts'
import { createDocument } from '../../src/projects/document-file.ts'
import { manualClock } from '../support/clock.ts'
import { openTestDatabase, required } from '../support/database.ts'
import { createStagedPlatform } from '../support/staged-platform.ts'
import { AT, seedMeeting, storedOf, writerFor } from '../support/meeting-seed.ts'

const log = createLog('silent')
const alone = { call: () => undefined, onCall: () => undefined, isAlone: () => true }

/** A meeting on a staged platform with a saved document, and bots that the test sends there. */
export async function openAttendance(status: 'joining' | 'live' = 'live') {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await openTestDatabase())
  const { db } = database
  const root = mkdtempSync(join(required('TEST_SCRATCH'), 'documents-'))
  stack.defer(() => rmSync(root, { recursive: true, force: true }))
  const place = { platform: 'google_meet', url: 'stage://one', title: 'Talk' } as const
  const meetingId = await seedMeeting(db, { ...place, status })
  const document = await createDocument({
    root,
    project: 'api',
    fileNameFor: (attempt) => `talk-${attempt}.md`,
    header: documentStart(await requireMeeting(db, meetingId), []),
    heading: '',
  })
  await sql`update meeting set document_path = ${document.documentPath}, document_size = ${document.size}
    where id = ${meetingId}`.execute(db)
  const clock = manualClock(AT.toISOString())
  const platform = createStagedPlatform()
  const give = (fence: number) =>
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
    /** How much is stored, and how much of it is in the document. */
    counts: () =>
      db
        .selectFrom('meeting')
        .select(['segment_count as stored', 'flushed_count as flushed'])
        .where('id', '=', meetingId)
        .executeTakeFirstOrThrow(),
    /** The meeting gets its next owner, who may hold it already. */
    async bot(fence: number, to: Platform = platform) {
      await give(fence)
      return sendBot({ database, root, clock, platform: to }, meetingId, fence)
    },
    /** What another node would write with. */
    async owner(fence: number) {
      await give(fence)
      const writer = await writerFor(database, meetingId, fence)
      const keeper = createDocumentKeeper({
        db,
        root,
        meetingId,
        documentPath: document.documentPath,
        writer,
        inTurn: (work) => work(),
      })
      return { writer, keeper }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

type Place = {
  database: OpenDatabase
  root: string
  clock: ReturnType<typeof manualClock>
  platform: Platform
}

async function sendBot(
  { database, root, clock, platform }: Place,
  meetingId: string,
  fence: number,
) {
  const { db, pool } = database
  const [stop, release] = [new AbortController(), new AbortController()]
  const done = attend(
    {
      db,
      clock,
      log,
      root,
      platforms: [platform],
      ledger: createLedger(pool),
      feed: createFeed({ presence: alone, onNewsFromElsewhere: () => undefined }),
      metrics: createMeetingMetrics(),
      atDocuments: (work) => work(),
      refuseAccount: async () => null,
      adviserFor: null,
      laneFor: () => ({
        show: () => undefined,
        clear: () => undefined,
        [Symbol.dispose]: () => undefined,
      }),
      onWritten: () => undefined,
      documentSaved: async () => undefined,
    },
    {
      hold: { meetingId, fence },
      stored: await storedOf(db, meetingId),
      trouble: 1,
      isTooLate: false,
      stop: stop.signal,
      release: release.signal,
    },
  )
  // Awaited by the test when it is time; until then a failure must not count as unhandled.
  void Promise.allSettled([done])
  return { stop, release, done }
}
