import type { z } from 'zod'
import type { MeetingDetail } from '../../../meetings/reading/meeting-detail.ts'
import { findShownTitle, type Meeting } from '../../../meetings/meeting.ts'
import { formatGapText } from '../../../meetings/transcript/gap-causes.ts'
import type {
  MeetingWithTranscript,
  StoredSegment,
} from '../../../meetings/transcript/read-transcript.ts'
import type { TranscriptGap as StoredGap } from '../../../meetings/transcript/source.ts'
import { DEFAULT_CAPTURE, DEFAULT_SPEECH_MODE } from '../values.ts'
import type { ActiveMeeting, PastMeeting } from './meetings.ts'
import type { Segment, TranscriptGap, TranscriptResponse } from './transcript.ts'

/** Maps a meeting to the field names of the API. */
export function toApiActiveMeeting(meeting: Meeting): z.output<typeof ActiveMeeting> {
  return {
    meetingId: meeting.id,
    status: meeting.status,
    platform: meeting.platform,
    title: findShownTitle(meeting),
    startedAt: meeting.startedAt,
    joinAt: meeting.joinAt,
    participantCount: meeting.participantCount,
    segmentCount: meeting.segmentCount,
    project: meeting.project,
    documentPath: meeting.documentPath,
  }
}

export function toApiPastMeeting(meeting: Meeting): z.output<typeof PastMeeting> {
  const { reason, detail, liveAt, endedAt } = meeting
  return { ...toApiActiveMeeting(meeting), reason, detail, liveAt, endedAt }
}

export function toApiMeetingDetail({ meeting, ...detail }: MeetingDetail) {
  const { botName, language, account, chat, ...rest } = meeting.options
  const { speech = DEFAULT_SPEECH_MODE, recapLanguage = null, capture = DEFAULT_CAPTURE } = rest
  const storesChat = chat?.store ?? false
  const options = { botName, language, recapLanguage, account, speech, storesChat, capture }
  return { ...toApiPastMeeting(meeting), ...options, ...detail }
}

/** Segments per chunk of the streamed JSON of a transcript. */
const SEGMENTS_PER_CHUNK = 500

/** Yields a transcript as chunks of JSON, so that a very long one neither fills memory nor blocks other requests. */
export function* streamTranscriptJson({
  meeting,
  segments,
  source,
}: MeetingWithTranscript): Generator<string> {
  const { meetingId, status, project, documentPath, title, platform, startedAt } =
    toApiActiveMeeting(meeting)
  const { endedAt } = meeting
  const { participants, gaps } = source
  const head: Omit<z.output<typeof TranscriptResponse>, 'segments'> = {
    meetingId,
    status,
    project,
    documentPath,
    title,
    platform,
    startedAt,
    endedAt,
    participants,
    gaps: gaps.map(toTranscriptGap),
  }
  yield `${JSON.stringify(head).slice(0, -1)},"segments":[`
  for (let i = 0; i < segments.length; i += SEGMENTS_PER_CHUNK) {
    const chunk = segments.slice(i, i + SEGMENTS_PER_CHUNK).map(toTranscriptSegment)
    yield (i === 0 ? '' : ',') + JSON.stringify(chunk).slice(1, -1)
  }
  yield ']}'
}

function toTranscriptSegment(segment: StoredSegment): z.output<typeof Segment> {
  const { speaker, text, startedAt: timestamp, number: segmentNumber } = segment
  const { source, isIncomplete } = segment
  return {
    speaker,
    text,
    timestamp,
    segmentNumber,
    source,
    ...(isIncomplete && { incomplete: true }),
  }
}

function toTranscriptGap(gap: StoredGap): z.output<typeof TranscriptGap> {
  const { cause, startedAt, endedAt, afterSegment: afterSegmentNumber } = gap
  const text = formatGapText({
    cause,
    startMs: startedAt.getTime(),
    endMs: endedAt?.getTime() ?? null,
  })
  return { cause, startedAt, endedAt, afterSegmentNumber, text }
}
