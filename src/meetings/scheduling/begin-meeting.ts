import { posix } from 'node:path'
import { sql } from 'kysely'
import { lockStoredViewer, type StoredViewerProblem } from '../../access/stored-viewer.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Platform } from '../../bots/platforms/platform.ts'
import type { Tx } from '../../db/database.ts'
import { insertLane } from '../../deliveries/lane/lane-rows.ts'
import { ServiceError } from '../../errors.ts'
import { currentTraceParent } from '../../lib/tracer.ts'
import {
  MEETINGS_FOLDER,
  parsePathInDataFolder,
  type DocumentRef,
} from '../../projects/document-ref.ts'
import { formatDateLabel, formatDocumentFileName } from '../../projects/files/file-names.ts'
import type { CreatedDocument, DocumentFiles } from '../../projects/files/store/document-files.ts'
import { findFrontMatter } from '../../projects/front-matter.ts'
import type { MeetingsContext } from '../context.ts'
import type { EventContent, EventPayload } from '../event-types.ts'
import type { Meeting } from '../meeting.ts'
import { findFirstStatus } from '../official/capture.ts'
import {
  appendEvents,
  changeMeetingStatus,
  convertMeetingRow,
  createMeetingQuery,
  type EndReasonWithDetail,
  type EventRow,
  updateMeeting,
} from '../record/meeting-store.ts'
import { createTranscriptFile, newLaneFor } from '../starting/new-meeting.ts'
import { describeMissedMeeting, LEAD_MS, type DueMeeting } from './scheduled-meetings.ts'

/** A meeting that has just begun. `end` is why it has already ended; null if a bot will join. */
export type BegunMeeting = {
  meeting: Meeting
  events: EventRow[]
  end: EndReasonWithDetail | null
}

/** How much is known before a meeting. Its texts are not in the event, because others may read the event. */
export type BriefCounts = Pick<
  EventPayload<'brief_ready'>,
  'meetingCount' | 'decisionCount' | 'actionCount' | 'openQuestionCount'
>
export type BriefCounter = (viewer: Viewer, meetingId: string) => Promise<BriefCounts | null>

/** What was found before the transaction. */
type BeginningFacts = { callbackProblem: string | null; brief: BriefCounts | null; now: Date }

export type BeginParts = Omit<MeetingsContext, 'clock' | 'documentChanged'> & {
  platforms: readonly Platform[]
}

type Parts = Pick<MeetingsContext, 'db' | 'log' | 'files' | 'timeZone'>

/** At most this many documents with the same minute and title are searched for one that was left behind. */
const SEARCHED_NAMES = 5
/** Enough for the front matter of a new document. */
const MAX_HEADER_BYTES = 8_192

/**
 * Begins a scheduled meeting in one transaction, with its document, its lane and the event `joining`, as if it were
 * started now. If the meeting was missed or is no longer allowed, it ends in the same transaction. Null if another node
 * has begun it, it was changed, or it has to wait for disk space.
 */
export async function beginScheduledMeeting(
  parts: BeginParts,
  due: DueMeeting,
  { callbackProblem, brief, now }: BeginningFacts,
): Promise<BegunMeeting | null> {
  let document: CreatedDocument | null = null
  try {
    return await parts.db.transaction().execute(async (tx) => {
      // Before the meeting is locked, because the removal of a user locks the user first and then the user's meetings.
      const viewer = await lockStoredViewer(tx, due, now)
      const locked = await lockDueMeeting(tx, due, now)
      if (locked === null) return null
      const { meeting, joinAt, expectedEndAt } = locked
      const missed = describeMissedMeeting({ joinAt, expectedEndAt }, now)
      const end =
        missed === null
          ? await findRefusal(parts, tx, { viewer, meeting, callbackProblem })
          : { reason: 'missed' as const, detail: missed }
      const status = findFirstStatus(meeting.options)
      const savesDocument =
        end === null && status === 'joining' && meeting.options.saveTranscript !== false
      if (savesDocument && !parts.hasDiskSpace()) return null
      const startedAt = end === null && joinAt > now ? joinAt : now
      const begun: Meeting = { ...meeting, status, startedAt }
      if (savesDocument) {
        await removeLeftDocument(parts, begun)
        document = await createTranscriptFile(parts.files.inTransaction(tx), parts.timeZone, begun)
      }
      const knownBrief = end === null ? brief : null
      const events = await storeBeginning(tx, { begun, document, due, brief: knownBrief, now })
      const lastEvents =
        end === null
          ? []
          : ((await changeMeetingStatus(tx, due.id, { to: 'error', ...end, at: now })) ?? [])
      const documentPath = document?.documentPath ?? null
      return { meeting: { ...begun, documentPath }, events: [...events, ...lastEvents], end }
    })
  } catch (error) {
    const created = document as CreatedDocument | null
    if (created !== null) await removeDocumentOfFailedBeginning(parts, due.id, created)
    throw error
  }
}

type LockedMeeting = { meeting: Meeting; joinAt: Date; expectedEndAt: Date | null }

/** Returns null if another node has begun the meeting or a person has changed it since it was found. */
async function lockDueMeeting(tx: Tx, due: DueMeeting, now: Date): Promise<LockedMeeting | null> {
  const row = await createMeetingQuery(tx)
    .select(['expected_end_at', 'scheduled_viewer'])
    .where('id', '=', due.id)
    .where('status', '=', 'scheduled')
    .where('join_at', '<=', new Date(now.getTime() + LEAD_MS))
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (row === undefined || row.join_at === null) return null
  if (JSON.stringify(row.scheduled_viewer) !== JSON.stringify(due.viewer)) return null
  return {
    meeting: convertMeetingRow(row),
    joinAt: row.join_at,
    expectedEndAt: row.expected_end_at,
  }
}

const VIEWER_PROBLEM_TEXTS: Readonly<Record<StoredViewerProblem, string>> = {
  user_removed: 'The person who scheduled the meeting was removed or deactivated',
  token_revoked: 'The API token of the meeting was revoked',
  token_expired: 'The API token of the meeting has expired',
}

type RightsOfNow = {
  viewer: Viewer | StoredViewerProblem
  meeting: Meeting
  callbackProblem: string | null
}

/** Returns why a meeting that was allowed when it was scheduled is no longer allowed; null if it still is. */
async function findRefusal(
  { platforms, registerProject }: BeginParts,
  tx: Tx,
  { viewer, meeting, callbackProblem }: RightsOfNow,
): Promise<EndReasonWithDetail | null> {
  const refuse = (detail: string) => ({ reason: 'not_allowed' as const, detail })
  if (typeof viewer === 'string') return refuse(VIEWER_PROBLEM_TEXTS[viewer])
  const platform = platforms.find(({ name }) => name === meeting.platform)
  if (!platform?.parseLink(meeting.url)) return refuse('The meeting link is not supported any more')
  if (callbackProblem !== null) return refuse(`The callback URL is not allowed: ${callbackProblem}`)
  try {
    await registerProject(tx, viewer, meeting.project)
    return null
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return refuse('The person or API token that scheduled the meeting may not change its project')
  }
}

type Beginning = {
  begun: Meeting
  document: CreatedDocument | null
  due: DueMeeting
  brief: BriefCounts | null
  now: Date
}

async function storeBeginning(
  tx: Tx,
  { begun, document, due, brief, now }: Beginning,
): Promise<EventRow[]> {
  await updateMeeting(tx, begun.id, {
    status: begun.status,
    started_at: begun.startedAt,
    document_path: document?.documentPath ?? null,
    document_size: document?.size ?? 0,
    // A calendar plans meetings outside of a trace. Then the beginning is the first step.
    trace_parent: sql<string | null>`coalesce(trace_parent, ${currentTraceParent()}::text)`,
  })
  const payload = { status: findFirstStatus(begun.options), previousStatus: null }
  const events = await appendEvents(tx, begun.id, now, [
    { type: 'meeting_status', payload },
    ...(brief === null ? [] : [toBriefEvent(begun.id, due.joinAt, brief, now)]),
  ])
  await insertLane(tx, newLaneFor(begun, due.callbackUrl, due.tokenId), now)
  return events
}

function toBriefEvent(id: string, joinAt: Date, counts: BriefCounts, now: Date): EventContent {
  const payload = {
    briefPath: `/api/v1/upcoming/${id}/brief`,
    startsAt: joinAt.toISOString(),
    ...counts,
    timestamp: now.toISOString(),
  }
  return { type: 'brief_ready', payload }
}

/**
 * Removes the document of a node that was killed while it began this meeting. The document's name contains the join
 * time, or the time of a late beginning.
 */
async function removeLeftDocument(
  { files, timeZone }: Pick<Parts, 'files' | 'timeZone'>,
  meeting: Meeting,
): Promise<void> {
  // The document was part of the transaction that ended with the node.
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
 * Removes the document of a failed beginning, unless it is the meeting's document: the commit may have succeeded
 * although its response was lost, or another node may have begun the meeting with a document of this name. If that
 * cannot be determined, the file stays, and the next beginning removes it.
 */
async function removeDocumentOfFailedBeginning(
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

/** Returns the id of the meeting whose document this is. Null if the document belongs to no meeting. */
async function readMeetingIdOf(files: DocumentFiles, place: DocumentRef): Promise<unknown> {
  await using file = await files.open(place)
  if (file === null) return 'no document'
  return (
    findFrontMatter((await file.read(MAX_HEADER_BYTES)).toString('utf8'))?.fields['meetingId'] ??
    null
  )
}
