import type { z } from 'zod'
import type { MeetingDetail } from '../../meetings/detail.ts'
import type { Meeting } from '../../meetings/meeting.ts'
import type { Transcript } from '../../meetings/transcript/read.ts'
import type { ActiveMeeting, PastMeeting, TranscriptAnswer } from './meetings.ts'

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

export function toTranscript({
  meeting,
  segments,
  source,
}: Transcript): z.output<typeof TranscriptAnswer> {
  const { meetingId, status, project, documentPath, title, platform, startedAt } = toWire(meeting)
  return {
    meetingId,
    status,
    project,
    documentPath,
    segments: segments.map((segment) => ({
      speaker: segment.speaker,
      text: segment.text,
      timestamp: segment.startedAt,
      segmentNumber: segment.number,
    })),
    title,
    platform,
    startedAt,
    endedAt: meeting.endedAt,
    participants: source.participants,
  }
}
