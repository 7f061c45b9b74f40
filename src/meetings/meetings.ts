import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { readsProject } from '../access/project-condition.ts'
import type { Viewer } from '../access/viewer.ts'
import type { PlatformName } from '../bots/platforms/platform.ts'
import type { Tx } from '../db/database.ts'
import { ServiceError } from '../errors.ts'
import { parsePathInDataFolder } from '../projects/document-ref.ts'
import type { DocumentFiles } from '../projects/files/store/document-files.ts'
import { readChatPage, type ChatPage } from './chat/stored-chat.ts'
import { createMeetingChanger, type ChangeMeeting } from './editing/change-meeting.ts'
import type { MeetingEditor } from './editing/meeting-editor.ts'
import type { Meeting } from './meeting.ts'
import { readMeetingDetail, type MeetingDetail } from './reading/meeting-detail.ts'
import {
  readLastLines,
  readMeetingHistory,
  type MeetingHistoryFilter,
  type MeetingHistoryPage,
} from './reading/meeting-lists.ts'
import { createTalkTimeReader } from './reading/talk-time.ts'
import { readEvidence, readScreenshot, type StoredEvidence } from './record/evidence.ts'
import {
  requireMeeting,
  type EventRow,
  createMeetingQuery,
  convertMeetingRow,
} from './record/meeting-store.ts'
import { removeMeeting, type MeetingRemoval } from './removal.ts'
import {
  cancelScheduledMeeting,
  rescheduleMeeting,
  withdrawMeeting,
} from './scheduling/scheduled-meetings.ts'
import { findActiveInRoom } from './starting/new-meeting.ts'
import { stopMeeting } from './attending/stop-meetings.ts'
import { createMeetingRetrier, type RetryMeeting } from './starting/retry-meeting.ts'
import {
  createStartCheck,
  type StartFields,
  createMeetingStarter,
  type StartMeeting,
  type StarterParts,
  type StartCheckParts,
} from './starting/start-meeting.ts'
import { BEGUN_STATUSES, isFinalStatus, type MeetingStatus } from './status.ts'
import {
  readTranscript,
  type TranscriptRange,
  type MeetingWithTranscript,
} from './transcript/read-transcript.ts'

/** What a meeting link points to. `activeMeetingIds` are the active meetings with the same link. */
export type RecognisedLink = { platform: PlatformName; label: string; activeMeetingIds: string[] }

export interface Meetings {
  /**
   * Finds the platform of a meeting link. Throws `unsupported_meeting_url`, as `start` does, if the URL is not a
   * meeting link.
   */
  recognise(viewer: Viewer, url: string): Promise<RecognisedLink>
  /** Returns an error for each of these fields that `start` would refuse. */
  findStartProblems(fields: StartFields): Promise<ServiceError[]>
  /**
   * Starts a meeting, or schedules it if its join time is in the future. Without a token it sends no callbacks, because
   * they could not be signed. `beforeCommit` runs in the transaction that creates the meeting.
   */
  start: StartMeeting
  /** Starts a finished meeting again, with the same settings. The caller must check that the viewer may edit it. */
  retry: RetryMeeting
  stop(id: string): Promise<MeetingStatus>
  /** Makes all nodes look at their bots again, after a transaction stopped or started meetings. */
  wakeBots(): void
  /** Changes when a scheduled meeting begins. False if it is no longer scheduled. */
  reschedule(tx: Tx | null, id: string, joinAt: Date, expectedEndAt: Date | null): Promise<boolean>
  /** Stops a meeting before it begins. False if it is no longer scheduled. */
  cancelScheduled(tx: Tx | null, id: string): Promise<boolean>
  /** Ends a meeting before its join time, even if its bot is already waiting. False for any other meeting. */
  withdraw(tx: Tx, id: string): Promise<boolean>
  /** Stops all active meetings that were started with this token, and returns how many. */
  stopAllForToken(tokenId: string): Promise<number>
  listActive(viewer: Viewer): Promise<Meeting[]>
  history(
    viewer: Viewer,
    filter: MeetingHistoryFilter,
    limit: number,
    cursor: string | undefined,
  ): Promise<MeetingHistoryPage>
  /** The last thing that was said, by meeting id. Meetings without words are missing. */
  lastLines(ids: readonly string[]): Promise<ReadonlyMap<string, string>>
  get(id: string): Promise<Meeting>
  /** The caller must check that the viewer may read the meeting. */
  detail(viewer: Viewer, id: string): Promise<MeetingDetail>
  transcript(id: string, from: TranscriptRange): Promise<MeetingWithTranscript>
  /** Returns at most `limit` stored chat messages of a meeting with numbers above `after`. */
  chat(id: string, range: { after: number; limit: number }): Promise<ChatPage>
  /** The evidence that was stored when something went wrong on a platform's page, oldest first. */
  evidence(id: string): Promise<StoredEvidence[]>
  /** The JPEG screenshot of one piece of evidence. */
  screenshot(id: string, number: number): Promise<Buffer>
  /** The saved transcript document of a meeting. The caller must read the `content` stream to its end or destroy it. */
  document(id: string): Promise<{ fileName: string; content: Readable }>
  /** Changes the title of a meeting, moves a finished meeting to another project, or changes a scheduled one. */
  change: ChangeMeeting
  /** Deletes a finished meeting with all its data, and returns how many rows of each kind were deleted. */
  remove(viewer: Viewer, id: string, by: string): Promise<MeetingRemoval>
}

type Parts = Omit<StarterParts, 'startCheck'> &
  StartCheckParts & {
    /** Sends the events of a meeting that no bot attended and that was stopped. */
    onStoppedWithoutBot(meetingId: string, events: readonly EventRow[]): void
    /** Notifies event streams that a meeting ended without an event. */
    onCancelled(meetingId: string): void
    editor: MeetingEditor
  }

export function createMeetings(parts: Parts): Meetings {
  const { db, clock, files, documentChanged, wake } = parts
  const startCheck = createStartCheck(parts)
  const start = createMeetingStarter({ ...parts, startCheck })
  const get = (id: string) => requireMeeting(db, id)
  const talkTimes = createTalkTimeReader(db)
  const beginStopping = async (id: string): Promise<boolean> => {
    const at = clock.now()
    const events = await db.transaction().execute((tx) => stopMeeting(tx, id, at))
    if (events !== null) wake()
    if (events !== null && events.length > 0) parts.onStoppedWithoutBot(id, events)
    return events !== null
  }
  const cancelScheduled = async (tx: Tx | null, id: string): Promise<boolean> => {
    const isCancelled = await cancelScheduledMeeting(tx ?? db, id, clock.now())
    if (isCancelled) parts.onCancelled(id)
    return isCancelled
  }

  return {
    async recognise(viewer, url) {
      const { platform, link } = startCheck.requirePlace(url)
      const others = await findActiveInRoom(db, viewer, link.room)
      return { platform: platform.name, label: link.label, activeMeetingIds: others }
    },

    findStartProblems: startCheck.findProblems,

    start,
    retry: createMeetingRetrier({
      db,
      clock,
      start,
      findStartProblems: startCheck.findProblems,
    }),

    async stop(id) {
      const meeting = await get(id)
      if (await cancelScheduled(null, id)) return 'ended'
      // The meeting may have begun since it was read.
      const { status } = (await beginStopping(id)) ? meeting : await get(id)
      return isFinalStatus(status) ? status : 'stopping'
    },

    wakeBots: wake,

    async reschedule(tx, id, joinAt, expectedEndAt) {
      const isMoved = await rescheduleMeeting(tx ?? db, id, joinAt, expectedEndAt)
      if (isMoved) parts.wakeScheduler()
      return isMoved
    },

    cancelScheduled,

    async withdraw(tx, id) {
      const outcome = await withdrawMeeting(tx, id, clock.now())
      if (outcome === 'cancelled') parts.onCancelled(id)
      if (outcome === 'stopping') wake()
      return outcome !== null
    },

    async stopAllForToken(tokenId) {
      const rows = await db
        .selectFrom('meeting')
        .select('id')
        .where('token_id', '=', tokenId)
        .where('status', 'in', BEGUN_STATUSES)
        .execute()
      let stopped = 0
      for (const { id } of rows) if (await beginStopping(id)) stopped += 1
      return stopped
    },

    async listActive(viewer) {
      const rows = await createMeetingQuery(db)
        .where(readsProject(viewer, 'meeting.project'))
        .where('status', 'in', BEGUN_STATUSES)
        .orderBy('started_at')
        .orderBy('id')
        .execute()
      return rows.map(convertMeetingRow)
    },

    history: (viewer, filter, limit, cursor) =>
      readMeetingHistory(db, viewer, filter, limit, cursor),
    lastLines: (ids) => readLastLines(db, ids),
    get,
    detail: (viewer, id) => readMeetingDetail(db, talkTimes, viewer, id),
    transcript: (id, from) => readTranscript(db, id, from),
    chat: (id, range) => readChatPage(db, id, range),
    evidence: (id) => readEvidence(db, id),
    screenshot: (id, number) => readScreenshot(db, id, number),

    document: async (id) => openSavedDocument(files, await get(id)),

    change: createMeetingChanger(parts),

    async remove(viewer, id, by) {
      const removal = { viewer, removedBy: by, at: clock.now() }
      return removeMeeting({ db, files, documentChanged }, id, removal)
    },
  }
}

async function openSavedDocument(
  files: DocumentFiles,
  { documentPath }: Meeting,
): Promise<{ fileName: string; content: Readable }> {
  if (documentPath === null) throw new ServiceError('document_not_saved')
  const place = parsePathInDataFolder(documentPath)
  const file = place && (await files.open(place))
  if (file !== null) return { fileName: basename(documentPath), content: file.stream() }
  throw new ServiceError('document_not_saved', {
    text: 'The saved document of this meeting was removed from its folder',
  })
}
