import { posix } from 'node:path'
import { mayUseProject } from '../../access/project-use.ts'
import type { Viewer } from '../../access/viewer.ts'
import type { Brief } from '../../brief/brief.ts'
import type { BriefCollector } from '../../brief/collect-brief.ts'
import type { Db } from '../../db/database.ts'
import { readMeetingDetail, type MeetingDetail } from '../../meetings/reading/meeting-detail.ts'
import { createTalkTimeReader } from '../../meetings/reading/talk-time.ts'
import { findMeeting } from '../../meetings/record/meeting-store.ts'
import { readTranscript } from '../../meetings/transcript/read-transcript.ts'
import {
  insertGapsBetweenSegments,
  calculateSegmentOffsetMs,
  formatDisplaySpeaker,
  formatGap,
  formatMeetingOffset,
  isGap,
  type TranscriptContent,
} from '../../meetings/transcript/source.ts'
import type { DocumentReader } from '../../projects/document-reader.ts'
import { parsePathInDataFolder } from '../../projects/document-ref.ts'
import { findFrontMatter } from '../../projects/front-matter.ts'
import type {
  PromptDocument,
  PromptMeeting,
  PromptTranscriptEntry,
} from '../prompts/template/template-variables.ts'
import { countMinutesInCall } from './occurrences.ts'
import type { TriggerSource } from './task-trigger.ts'

/** The meeting or document of an execution. All are null if it runs by schedule or on demand. */
export type PromptSubject = {
  meeting: PromptMeeting | null
  document: PromptDocument | null
  /** What is known before the meeting. Null if it is over, or there is none. */
  brief: Brief | null
}

/** The meeting or document of an execution no longer exists. The message is written for people. */
export class SubjectGone extends Error {
  override readonly name = 'SubjectGone'
}

type Parts = {
  db: Db
  viewer: Viewer
  documentReader: DocumentReader
  collectBrief: BriefCollector
}

const NO_SUBJECT: PromptSubject = { meeting: null, document: null, brief: null }

export async function readPromptSubject(
  parts: Parts,
  source: TriggerSource | null,
): Promise<PromptSubject> {
  if (source === null) return NO_SUBJECT
  if ('meetingId' in source) {
    const meeting = await readPromptMeeting(parts.db, parts.viewer, source.meetingId)
    return { ...NO_SUBJECT, meeting }
  }
  if ('upcomingId' in source) return readUpcomingMeeting(parts, source.upcomingId)
  const document = await readPromptDocument(parts.documentReader, source.documentPath)
  return { ...NO_SUBJECT, document }
}

async function readUpcomingMeeting(
  { db, viewer, collectBrief }: Parts,
  upcomingId: string,
): Promise<PromptSubject> {
  const brief = await collectBrief(viewer, upcomingId)
  const isReadable =
    brief !== null && (await mayUseProject(db, viewer, 'read', brief.upcoming.project))
  if (!isReadable || !brief.upcoming.isPlanned)
    throw new SubjectGone('The meeting of this run was cancelled or removed')
  const { id, meetingId, title, project, platform, startsAt, endsAt, people } = brief.upcoming
  const meeting: PromptMeeting = {
    id: meetingId ?? id,
    title,
    project,
    platform: platform ?? '',
    status: 'scheduled',
    reason: null,
    detail: null,
    startsAt: startsAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    attendees: people,
    isInSeries: brief.meetings.some(({ relation }) => relation === 'series'),
    startedAt: startsAt.toISOString(),
    liveAt: null,
    endedAt: null,
    minutes: 0,
    words: 0,
    documentPath: null,
    participants: [],
    talkTime: [],
    insights: [],
    entries: [],
  }
  return { meeting, document: null, brief }
}

async function readPromptMeeting(db: Db, viewer: Viewer, id: string): Promise<PromptMeeting> {
  const meeting = await findMeeting(db, id)
  // Before the execution starts, a meeting can become private or move to a private project.
  if (meeting === null || !(await mayUseProject(db, viewer, 'read', meeting.project)))
    throw new SubjectGone('The meeting of this run was removed')
  const detail = await readMeetingDetail(db, createTalkTimeReader(db), viewer, id)
  const { source } = await readTranscript(db, id)
  const { project, platform, status, reason, documentPath } = meeting
  return {
    id,
    title: source.title,
    project,
    platform,
    status,
    reason,
    detail: meeting.detail,
    startsAt: meeting.startedAt.toISOString(),
    endsAt: meeting.endedAt?.toISOString() ?? null,
    attendees: [],
    isInSeries: false,
    startedAt: meeting.startedAt.toISOString(),
    liveAt: meeting.liveAt?.toISOString() ?? null,
    endedAt: meeting.endedAt?.toISOString() ?? null,
    minutes: Math.round(countMinutesInCall(meeting)),
    words: detail.talkTime.reduce((sum, { words }) => sum + words, 0),
    documentPath,
    participants: toParticipants(detail),
    talkTime: detail.talkTime,
    insights: detail.insights,
    entries: toEntries(source),
  }
}

function toParticipants({ participants }: MeetingDetail): PromptMeeting['participants'] {
  return participants.map(({ name, isHost, joinedAt, leftAt }) => ({
    name,
    isHost,
    joinedAt: joinedAt.toISOString(),
    leftAt: leftAt?.toISOString() ?? null,
  }))
}

function toEntries(source: TranscriptContent): PromptTranscriptEntry[] {
  return [...insertGapsBetweenSegments(source)].map((entry) => {
    const time = formatMeetingOffset(calculateSegmentOffsetMs(entry, source.startedAt))
    return isGap(entry)
      ? { number: null, time, speaker: '', text: formatGap(entry) }
      : { number: entry.number, time, speaker: formatDisplaySpeaker(entry), text: entry.text }
  })
}

async function readPromptDocument(
  documentReader: DocumentReader,
  documentPath: string,
): Promise<PromptDocument> {
  const ref = parsePathInDataFolder(documentPath)
  const text = ref && (await documentReader.read(ref.project, ref.path))
  if (ref === null || text === null) {
    throw new SubjectGone('The document of this run was removed or is not a text')
  }
  const title = findFrontMatter(text)?.fields['title']
  return {
    ...ref,
    title: typeof title === 'string' ? title : posix.basename(ref.path),
    text,
  }
}
