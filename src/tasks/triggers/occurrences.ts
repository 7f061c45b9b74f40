import type { Viewer } from '../../access/viewer.ts'
import {
  claimPlannedMeeting,
  findMeetingsDueForTasks,
  listPlannedMeetings,
} from '../../brief/brief-claims.ts'
import type { Db } from '../../db/database.ts'
import type { Meeting } from '../../meetings/meeting.ts'
import {
  claimMeetingForTasks,
  findMeetingsAwaitingTasks,
  listNewestEndedMeetings,
} from '../../meetings/reading/meeting-lists.ts'
import { createTalkTimeReader } from '../../meetings/reading/talk-time.ts'
import { formatPathInDataFolder } from '../../projects/document-ref.ts'
import {
  claimSavedDocumentForTasks,
  findDocumentsAwaitingTasks,
  listNewestSavedDocuments,
} from '../../projects/saved-documents.ts'
import {
  matchesEndedMeeting,
  matchesPlannedMeeting,
  matchesSavedDocument,
  type EndedMeetingFacts,
  type TaskTrigger,
  type TriggerSource,
} from './task-trigger.ts'
import type { TriggerOccurrence } from './trigger-watcher.ts'

/** Older occurrences start no tasks: after a long outage, nobody waits for their results. */
const MAX_AGE_MS = 7 * 86_400_000
const MINUTE_MS = 60_000

/** How many meetings or documents are compared with a trigger. */
const MAX_CANDIDATES = 50

/** Meetings that ended and whose tasks were not started yet. */
export async function findMeetingOccurrences(
  db: Db,
  now: Date,
  limit: number,
): Promise<TriggerOccurrence[]> {
  const meetings = await findMeetingsAwaitingTasks(db, limit)
  return meetings.map((meeting) => ({
    event: 'meeting_ended',
    key: meeting.id,
    project: meeting.project,
    source: { meetingId: meeting.id },
    traceParent: meeting.traceParent,
    namedTask:
      meeting.status === 'ended' && isRecentEnough(meeting.endedAt, now)
        ? (meeting.options.task ?? null)
        : null,
    async loadMatcher() {
      if (!isRecentEnough(meeting.importedAt ?? meeting.endedAt, now)) return () => false
      const facts = await readMeetingFacts(db, meeting)
      return (trigger) => matchesEndedMeeting(trigger, facts)
    },
    claim: (tx) => claimMeetingForTasks(tx, meeting.id),
  }))
}

/** Documents that were saved and whose tasks were not started yet. */
export async function findDocumentOccurrences(
  db: Db,
  now: Date,
  limit: number,
): Promise<TriggerOccurrence[]> {
  const saved = await findDocumentsAwaitingTasks(db, limit)
  return saved.map((document) => ({
    event: 'document_saved',
    key: document.saveId,
    project: document.project,
    source: { documentPath: formatPathInDataFolder(document) },
    traceParent: null,
    namedTask: null,
    loadMatcher: async () => (trigger) =>
      isRecentEnough(document.savedAt, now) && matchesSavedDocument(trigger, document),
    claim: (tx) => claimSavedDocumentForTasks(tx, document),
  }))
}

/** Meetings that start soon, each for one task. Its conditions do not matter yet. */
export async function findPlannedMeetingOccurrences(
  db: Db,
  now: Date,
  limit: number,
): Promise<TriggerOccurrence[]> {
  const due = await findMeetingsDueForTasks(db, now, limit)
  return due.map(({ taskId, ...meeting }) => ({
    event: 'before_meeting',
    // A meeting that was moved far is another occurrence.
    key: `${meeting.key} ${meeting.startsAt.toISOString()}`,
    project: meeting.project,
    source: { upcomingId: meeting.id, project: meeting.project },
    traceParent: null,
    namedTask: null,
    onlyTaskId: taskId,
    loadMatcher: async () => (trigger) => matchesPlannedMeeting(trigger, meeting),
    claim: (tx) => claimPlannedMeeting(tx, `task:${taskId}`, meeting),
  }))
}

export async function readMeetingFacts(db: Db, meeting: Meeting): Promise<EndedMeetingFacts> {
  const { project, platform, status, title, label } = meeting
  const talkTime = meeting.segmentCount === 0 ? [] : await createTalkTimeReader(db).read(meeting.id)
  return {
    project,
    platform,
    status,
    title: title ?? label,
    words: talkTime.reduce((sum, { words }) => sum + words, 0),
    minutes: countMinutesInCall(meeting),
  }
}

/** Minutes from joining the call to the end of the meeting; 0 if the bot was never in the call. */
export function countMinutesInCall({ liveAt, endedAt }: Meeting): number {
  if (liveAt === null || endedAt === null) return 0
  return Math.max(0, endedAt.getTime() - liveAt.getTime()) / MINUTE_MS
}

function isRecentEnough(at: Date | null, now: Date): boolean {
  return at !== null && now.getTime() - at.getTime() <= MAX_AGE_MS
}

/**
 * The newest ended meeting, the newest document or the next planned meeting that matches a trigger and that the viewer
 * may read, so that a task can also run on demand. Null if there is none.
 */
export async function findNewestSource(
  db: Db,
  viewer: Viewer,
  trigger: TaskTrigger | null,
  now: Date,
): Promise<TriggerSource | null> {
  if (trigger === null) return null
  if (trigger.on === 'meeting_ended') return findNewestMeeting(db, viewer, trigger)
  if (trigger.on === 'document_saved') return findNewestDocument(db, viewer, trigger)
  const planned = await listPlannedMeetings(db, viewer, now, MAX_CANDIDATES)
  const next = planned.find((meeting) => matchesPlannedMeeting(trigger, meeting))
  return next === undefined ? null : { upcomingId: next.id, project: next.project }
}

async function findNewestMeeting(
  db: Db,
  viewer: Viewer,
  trigger: TaskTrigger,
): Promise<TriggerSource | null> {
  for (const meeting of await listNewestEndedMeetings(db, viewer, MAX_CANDIDATES)) {
    if (matchesEndedMeeting(trigger, await readMeetingFacts(db, meeting))) {
      return { meetingId: meeting.id }
    }
  }
  return null
}

async function findNewestDocument(
  db: Db,
  viewer: Viewer,
  trigger: TaskTrigger,
): Promise<TriggerSource | null> {
  const documents = await listNewestSavedDocuments(db, viewer, MAX_CANDIDATES)
  const newest = documents.find((document) => matchesSavedDocument(trigger, document))
  return newest === undefined ? null : { documentPath: formatPathInDataFolder(newest) }
}
