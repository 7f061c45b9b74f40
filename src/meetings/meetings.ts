import { basename } from 'node:path'
import type { Readable } from 'node:stream'
import { readsProject } from '../access/project-condition.ts'
import type { Viewer } from '../access/viewer.ts'
import { ServiceError, throwIfAnyErrors } from '../errors.ts'
import type { Db, Tx } from '../db/database.ts'
import type { NodeMembership } from '../db/nodes/node-membership.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { MeetingLink, Platform, PlatformName } from '../bots/platforms/platform.ts'
import { createDocument, removeDocument } from '../projects/files/document-file.ts'
import { formatDateLabel, formatDocumentFileName } from '../projects/files/file-names.ts'
import { openDocumentAt, parsePathInDataFolder } from '../projects/document-ref.ts'
import { insertLane, type NewLane } from '../deliveries/lane/lane-rows.ts'
import type { MeetingCapacityCheck } from './attending/claiming/capacity.ts'
import { createStartCheck, type StartFields } from './start-check.ts'
import { readChatPage, type ChatPage } from './chat/stored-chat.ts'
import { readMeetingDetail, type MeetingDetail } from './reading/meeting-detail.ts'
import { formatTranscriptDocumentHeader } from './record/transcript-document.ts'
import { readEvidence, readScreenshot, type StoredEvidence } from './record/evidence.ts'
import {
  readMeetingHistory,
  type MeetingHistoryFilter,
  type MeetingHistoryPage,
} from './reading/meeting-history.ts'
import {
  createMeetingId,
  type AttendedMeeting,
  type Meeting,
  type MeetingOptions,
} from './meeting.ts'
import { moveMeeting, type MovedMeeting } from './moving/move-meeting.ts'
import { removeMeeting, type MeetingRemoval } from './removal/removal.ts'
import { ACTIVE_STATUSES, isFinalStatus, type MeetingStatus } from './status.ts'
import {
  appendEvents,
  changeMeetingStatus,
  requireMeeting,
  createMeetingQuery,
  convertMeetingRow,
} from './record/meeting-store.ts'
import { createTalkTimeReader } from './reading/talk-time.ts'
import {
  readTranscript,
  type TranscriptRange,
  type MeetingWithTranscript,
} from './transcript/read-transcript.ts'

export type StartMeetingRequest = {
  url: string
  title: string | null
  callbackUrl: string
  project: string
  saveTranscript: boolean
  options: MeetingOptions
}

export type StartedMeeting = {
  meeting: AttendedMeeting
  /** Other active meetings with the same link. */
  otherMeetingIds: string[]
}

/** What a meeting link points to. `others` are the ids of active meetings with the same link. */
export type RecognisedLink = { platform: PlatformName; label: string; activeMeetingIds: string[] }

export interface Meetings {
  /**
   * Finds the platform of a meeting link. Throws `unsupported_meeting_url`, as `start` does, if the URL is not a
   * meeting link.
   */
  recognise(viewer: Viewer, url: string): Promise<RecognisedLink>
  /** One error for each of these fields with which `start` would refuse a meeting. */
  findStartProblems(fields: StartFields): Promise<ServiceError[]>
  /**
   * Starts a meeting. Without a token it sends no callbacks, because they could not be signed; `beforeCommit` runs in
   * the transaction that creates the meeting.
   */
  start(
    viewer: Viewer,
    request: StartMeetingRequest,
    tokenId: string | null,
    beforeCommit?: (tx: Tx, started: StartedMeeting) => Promise<void>,
  ): Promise<StartedMeeting>
  stop(id: string): Promise<MeetingStatus>
  /** Stops all active meetings that were started with this token and returns their number. */
  stopAllForToken(tokenId: string): Promise<number>
  listActive(viewer: Viewer): Promise<Meeting[]>
  history(
    viewer: Viewer,
    filter: MeetingHistoryFilter,
    limit: number,
    cursor: string | undefined,
  ): Promise<MeetingHistoryPage>
  get(id: string): Promise<Meeting>
  detail(id: string): Promise<MeetingDetail>
  transcript(id: string, from: TranscriptRange): Promise<MeetingWithTranscript>
  /** The stored chat messages of a meeting with a number above `after`, at most `limit` of them. */
  chat(id: string, range: { after: number; limit: number }): Promise<ChatPage>
  /** The evidence of platform pages that was stored when something went wrong, oldest first. */
  evidence(id: string): Promise<StoredEvidence[]>
  /** The JPEG screenshot of one piece of evidence. */
  screenshot(id: string, number: number): Promise<Buffer>
  /** The saved transcript document of a meeting. The caller must read the `content` stream to its end or destroy it. */
  document(id: string): Promise<{ fileName: string; content: Readable }>
  /** Moves a meeting that is over to another project. `beforeCommit` runs in the transaction that moves it. */
  move(
    viewer: Viewer,
    id: string,
    project: string,
    beforeCommit: (tx: Tx, moved: MovedMeeting) => Promise<void>,
  ): Promise<Meeting>
  /** Deletes a meeting that is over with all its data and returns how many rows of each kind were deleted. */
  remove(viewer: Viewer, id: string, by: string): Promise<MeetingRemoval>
}

type Parts = {
  db: Db
  clock: Clock
  log: Log
  platforms: readonly Platform[]
  /** Path of the data folder. */
  root: string
  timeZone: string
  /** Whether the disk has space for another transcript. */
  hasDiskSpace(): boolean
  capacity: MeetingCapacityCheck
  membership: Pick<NodeMembership, 'requireFreshHeartbeat'>
  /** Null when callbacks may be sent to that URL, otherwise the reason why not. */
  findCallbackProblem(url: string): Promise<string | null>
  /**
   * Null when a bot may use that account on that platform, otherwise the reason why not. Without a platform it checks
   * only that the account exists.
   */
  findAccountProblem(platform: PlatformName | null, account: string): Promise<string | null>
  documentChanged(documentPath: string): Promise<void>
  /** Stores who created the project of a meeting, if it is new. Throws unless the viewer may change the project. */
  registerProject(db: Db, viewer: Viewer, project: string): Promise<void>
  /** Wakes the meeting runners of all nodes, because a meeting was started or has to stop. */
  wake(): void
}

export function createMeetings(parts: Parts): Meetings {
  const { db, clock, log, root, timeZone, capacity, documentChanged, wake } = parts
  const startCheck = createStartCheck(parts)
  const get = (id: string) => requireMeeting(db, id)
  const talkTimes = createTalkTimeReader(db)
  const beginStopping = async (id: string): Promise<boolean> => {
    const at = clock.now()
    const events = await db
      .transaction()
      .execute((tx) => changeMeetingStatus(tx, id, { to: 'stopping', reason: 'stopped', at }))
    if (events !== null) wake()
    return events !== null
  }

  return {
    async recognise(viewer, url) {
      const { platform, link } = startCheck.requirePlace(url)
      const others = await findActiveInRoom(db, viewer, link.room)
      return { platform: platform.name, label: link.label, activeMeetingIds: others }
    },

    findStartProblems: startCheck.findProblems,

    async start(viewer, request, tokenId, beforeCommit) {
      const { url, callbackUrl } = request
      const { account } = request.options
      throwIfAnyErrors(await startCheck.findProblems({ url, callbackUrl, account }))
      const { platform, link } = startCheck.requirePlace(url)
      if (!parts.hasDiskSpace()) throw new ServiceError('storage_full', { retryAfterSeconds: 60 })
      await parts.membership.requireFreshHeartbeat()
      await capacity.assertAvailable(platform.name, account)
      const meeting = newMeeting(request, platform, link, clock.now())
      // Before the folder exists: the index could otherwise make a team project of it first, and so could a crash.
      await parts.registerProject(db, viewer, meeting.project)
      const document = request.saveTranscript
        ? await createTranscriptFile(root, timeZone, meeting)
        : null
      let started: StartedMeeting
      try {
        started = await db.transaction().execute(async (tx) => {
          // Again: the viewer may have lost access while the file was created.
          await parts.registerProject(tx, viewer, meeting.project)
          const otherMeetingIds = await findActiveInRoom(tx, viewer, link.room)
          const saved = { ...meeting, documentPath: document?.documentPath ?? null }
          await insertMeeting(tx, saved, link, callbackUrl, tokenId, document?.size ?? 0)
          const payload = { status: 'joining' as const, previousStatus: null }
          await appendEvents(tx, meeting.id, meeting.startedAt, [
            { type: 'meeting_status', payload },
          ])
          await insertLane(tx, newLaneFor(saved, request, tokenId), meeting.startedAt)
          await beforeCommit?.(tx, { meeting: saved, otherMeetingIds })
          return { meeting: saved, otherMeetingIds }
        })
      } catch (error) {
        if (document !== null) await removeUnusedDocument(document.path, log)
        throw error
      }
      wake()
      if (document !== null) await documentChanged(document.documentPath)
      return started
    },

    async stop(id) {
      const meeting = await get(id)
      const { status } = (await beginStopping(id)) ? meeting : await get(id)
      return isFinalStatus(status) ? status : 'stopping'
    },

    async stopAllForToken(tokenId) {
      const rows = await db
        .selectFrom('meeting')
        .select('id')
        .where('token_id', '=', tokenId)
        .where('status', 'in', ACTIVE_STATUSES)
        .execute()
      let stopped = 0
      for (const { id } of rows) if (await beginStopping(id)) stopped += 1
      return stopped
    },

    async listActive(viewer) {
      const rows = await createMeetingQuery(db)
        .where(readsProject(viewer, 'meeting.project'))
        .where('status', 'in', ACTIVE_STATUSES)
        .orderBy('started_at')
        .orderBy('id')
        .execute()
      return rows.map(convertMeetingRow)
    },

    history: (viewer, filter, limit, cursor) =>
      readMeetingHistory(db, viewer, filter, limit, cursor),
    get,
    detail: (id) => readMeetingDetail(db, talkTimes, id),
    transcript: (id, from) => readTranscript(db, id, from),
    chat: (id, range) => readChatPage(db, id, range),
    evidence: (id) => readEvidence(db, id),
    screenshot: (id, number) => readScreenshot(db, id, number),

    document: async (id) => openSavedDocument(root, await get(id)),

    async move(viewer, id, project, beforeCommit) {
      // First: a request that is refused must not create the project.
      if (!isFinalStatus((await get(id)).status)) throw new ServiceError('meeting_active')
      await parts.registerProject(db, viewer, project)
      return moveMeeting({ db, root, documentChanged }, viewer, { id, project }, beforeCommit)
    },

    async remove(viewer, id, by) {
      const removal = { viewer, removedBy: by, at: clock.now() }
      return removeMeeting({ db, root, documentChanged }, id, removal)
    },
  }
}

async function openSavedDocument(
  root: string,
  { documentPath }: Meeting,
): Promise<{ fileName: string; content: Readable }> {
  if (documentPath === null) throw new ServiceError('document_not_saved')
  const place = parsePathInDataFolder(documentPath)
  const handle = place && (await openDocumentAt(root, place))
  if (handle !== null) {
    return { fileName: basename(documentPath), content: handle.createReadStream() }
  }
  throw new ServiceError('document_not_saved', {
    text: 'The saved document of this meeting was removed from its folder',
  })
}

/**
 * Removes the document of a meeting that did not start. A failure is only logged, because the caller reports why the
 * meeting did not start.
 */
async function removeUnusedDocument(path: string, log: Log): Promise<void> {
  try {
    await removeDocument(path)
  } catch (error) {
    log.error({ err: error, path }, 'failed to remove the document of a meeting that did not start')
  }
}

function createTranscriptFile(root: string, timeZone: string, meeting: Meeting) {
  const label = formatDateLabel(meeting.startedAt, timeZone)
  const title = meeting.title ?? meeting.label
  return createDocument({
    root,
    project: meeting.project,
    fileNameFor: (attempt) => formatDocumentFileName(label, title, attempt),
    header: formatTranscriptDocumentHeader(meeting, []),
    heading: '',
  })
}

function newLaneFor(
  { id }: Meeting,
  { callbackUrl, options }: StartMeetingRequest,
  tokenId: string | null,
): NewLane {
  const { events } = options
  return { meeting_id: id, kind: 'meeting', url: callbackUrl, token_id: tokenId, events }
}

function newMeeting(
  { title, project, options }: StartMeetingRequest,
  platform: Platform,
  link: MeetingLink,
  now: Date,
): AttendedMeeting {
  return {
    id: createMeetingId(now),
    platform: platform.name,
    url: link.url,
    label: link.label,
    title,
    project,
    documentPath: null,
    status: 'joining',
    reason: null,
    detail: null,
    startedAt: now,
    liveAt: null,
    endedAt: null,
    importedAt: null,
    participantCount: 0,
    segmentCount: 0,
    options,
  }
}

async function findActiveInRoom(tx: Db, viewer: Viewer, room: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('meeting')
    .select('id')
    .where(readsProject(viewer, 'meeting.project'))
    .where('room', '=', room)
    .where('status', 'in', ACTIVE_STATUSES)
    .execute()
  return rows.map(({ id }) => id)
}

async function insertMeeting(
  tx: Tx,
  meeting: Meeting,
  link: MeetingLink,
  callbackUrl: string,
  tokenId: string | null,
  documentSize: number,
): Promise<void> {
  await tx
    .insertInto('meeting')
    .values({
      id: meeting.id,
      platform: meeting.platform,
      url: meeting.url,
      room: link.room,
      label: meeting.label,
      title: meeting.title,
      project: meeting.project,
      document_path: meeting.documentPath,
      document_size: documentSize,
      callback_url: callbackUrl,
      token_id: tokenId,
      options: JSON.stringify(meeting.options),
      status: meeting.status,
      started_at: meeting.startedAt,
    })
    .execute()
}
