import type { BriefedMeeting, ExpectedPerson } from '../calendars/briefed-meeting.ts'
import type { MeetingRelation } from './brief-values.ts'

export type EarlierMeeting = {
  meetingId: string
  title: string
  project: string
  startedAt: Date
  relation: MeetingRelation
  /** One line about what it was about. Null without a recap. */
  gist: string | null
}

/** A decision, an open action item or an open question of an earlier meeting, which cites its lines. */
export type BriefStatement = {
  text: string
  /** Who said it or, for an action item, who does it. Null if unknown. */
  person: string | null
  /** Null for everything but action items. */
  dueDate: string | null
  meetingId: string
  segmentNumbers: number[]
}

export type RelatedDocument = { project: string; path: string; title: string }

/** What a reader may know before a meeting, from the recaps of earlier meetings and from documents. */
export type Brief = {
  upcoming: Pick<
    BriefedMeeting,
    'id' | 'meetingId' | 'title' | 'startsAt' | 'endsAt' | 'project' | 'platform' | 'isPlanned'
  > & {
    /** Who is expected. Empty if the reader may not see it, or no calendar knows. */
    people: ExpectedPerson[]
  }
  /** Newest first. */
  meetings: EarlierMeeting[]
  decisions: BriefStatement[]
  actions: BriefStatement[]
  openQuestions: BriefStatement[]
  documents: RelatedDocument[]
}

/** How much is known. Null for an empty brief. */
export function countBrief(brief: Brief | null) {
  if (brief === null || isEmptyBrief(brief)) return null
  const { meetings, decisions, actions, openQuestions } = brief
  return {
    meetingCount: meetings.length,
    decisionCount: decisions.length,
    actionCount: actions.length,
    openQuestionCount: openQuestions.length,
  }
}

/** True if nothing is known about the series and the people. Documents with similar words alone are no brief. */
export function isEmptyBrief({ meetings }: Brief): boolean {
  return meetings.length === 0
}
