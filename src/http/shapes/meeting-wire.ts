import type { z } from 'zod'
import type { MeetingDetail } from '../../meetings/detail.ts'
import type { Meeting } from '../../meetings/meeting.ts'
import type { Transcript } from '../../meetings/transcript/read.ts'
import type { TranscriptSegment } from '../../meetings/transcript/source.ts'
import type { ActiveMeeting, PastMeeting, Segment, TranscriptAnswer } from './meetings.ts'

/** A meeting as the interface names its fields. */
export function toWire(meeting: Meeting): z.output<typeof ActiveMeeting> {
  return {
    meetingId: meeting.id,
    status: meeting.status,
    platform: meeting.platform,
    title: meeting.title ?? meeting.label,
    startedAt: meeting.startedAt,
    participantCount: meeting.participantCount,
    segmentCount: meeting.segmentCount,
    project: meeting.project,
    documentPath: meeting.documentPath,
  }
}

export function toPastMeeting(meeting: Meeting): z.output<typeof PastMeeting> {
  const { reason, detail, liveAt, endedAt } = meeting
  return { ...toWire(meeting), reason, detail, liveAt, endedAt }
}

export function toDetail({ meeting, ...detail }: MeetingDetail) {
  const { botName, language } = meeting.options
  return { ...toPastMeeting(meeting), botName, language, ...detail }
}

/** Segments that are turned into text at once. */
const PORTION = 500

/** The transcript as JSON in portions: a day-long meeting is neither built in memory nor blocks anybody. */
export function* transcriptJson({ meeting, segments, source }: Transcript): Generator<string> {
  const { meetingId, status, project, documentPath, title, platform, startedAt } = toWire(meeting)
  const { endedAt } = meeting
  const { participants } = source
  const head: Omit<z.output<typeof TranscriptAnswer>, 'segments'> = {
    meetingId,
    status,
    project,
    documentPath,
    title,
    platform,
    startedAt,
    endedAt,
    participants,
  }
  yield `${JSON.stringify(head).slice(0, -1)},"segments":[`
  for (let i = 0; i < segments.length; i += PORTION) {
    const portion = segments.slice(i, i + PORTION).map(toSegment)
    yield (i === 0 ? '' : ',') + JSON.stringify(portion).slice(1, -1)
  }
  yield ']}'
}

function toSegment(segment: TranscriptSegment): z.output<typeof Segment> {
  const { speaker, text, startedAt: timestamp, number: segmentNumber } = segment
  return { speaker, text, timestamp, segmentNumber }
}
