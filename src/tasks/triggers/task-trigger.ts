import type { PlatformName } from '../../bots/platforms/platform.ts'
import type { PlannedMeeting } from '../../brief/brief-claims.ts'
import { matchesWildcardPattern } from '../../lib/text/compare-text.ts'
import type { Meeting } from '../../meetings/meeting.ts'
import type { TriggeringMeetingStatus } from '../task.ts'

const DEFAULT_STATUSES: readonly TriggeringMeetingStatus[] = ['ended']

/** Starts a task when a meeting ends and all conditions that are set are met. */
export type MeetingEndedTrigger = {
  on: 'meeting_ended'
  projects?: string[] | undefined
  platforms?: Array<Meeting['platform']> | undefined
  /** A part of the title or, with `*`, the whole title; see `matchesWildcardPattern`. */
  titlePattern?: string | undefined
  minWords?: number | undefined
  minMinutes?: number | undefined
  statuses?: TriggeringMeetingStatus[] | undefined
}

/** Starts a task when a document is saved through the API or the console. */
export type DocumentSavedTrigger = {
  on: 'document_saved'
  projects?: string[] | undefined
  /** A part of the path inside the project or, with `*`, the whole path. */
  pathPattern?: string | undefined
}

/** Starts a task some minutes before a meeting that a bot will join. */
export type BeforeMeetingTrigger = {
  on: 'before_meeting'
  /** Default: `BRIEF_MINUTES.default`. */
  minutes?: number | undefined
  projects?: string[] | undefined
  platforms?: PlatformName[] | undefined
  titlePattern?: string | undefined
}

export type TaskTrigger = MeetingEndedTrigger | DocumentSavedTrigger | BeforeMeetingTrigger

export type TriggerSource =
  | { meetingId: string }
  | { documentPath: string }
  /** The project decides who may read the execution, even after the meeting is gone from its calendar. */
  | { upcomingId: string; project: string }

/** The facts of an ended meeting that triggers compare with their conditions. */
export type EndedMeetingFacts = Pick<Meeting, 'project' | 'platform' | 'status'> & {
  title: string
  words: number
  /** Minutes from joining to the end; 0 if the bot was never in the call. */
  minutes: number
}

export function matchesEndedMeeting(trigger: TaskTrigger, meeting: EndedMeetingFacts): boolean {
  if (trigger.on !== 'meeting_ended') return false
  const { projects, platforms, titlePattern, minWords = 0, minMinutes = 0 } = trigger
  const statuses: readonly string[] = trigger.statuses ?? DEFAULT_STATUSES
  return (
    statuses.includes(meeting.status) &&
    (projects === undefined || projects.includes(meeting.project)) &&
    (platforms === undefined || platforms.includes(meeting.platform)) &&
    (titlePattern === undefined || matchesWildcardPattern(meeting.title, titlePattern)) &&
    meeting.words >= minWords &&
    meeting.minutes >= minMinutes
  )
}

export function matchesPlannedMeeting(
  trigger: TaskTrigger,
  { project, platform, title }: Pick<PlannedMeeting, 'project' | 'platform' | 'title'>,
): boolean {
  if (trigger.on !== 'before_meeting') return false
  const { projects, platforms, titlePattern } = trigger
  return (
    (projects === undefined || projects.includes(project)) &&
    (platforms === undefined || (platform !== null && platforms.includes(platform))) &&
    (titlePattern === undefined || matchesWildcardPattern(title, titlePattern))
  )
}

export function matchesSavedDocument(
  trigger: TaskTrigger,
  document: { project: string; path: string },
): boolean {
  if (trigger.on !== 'document_saved') return false
  const { projects, pathPattern } = trigger
  return (
    (projects === undefined || projects.includes(document.project)) &&
    (pathPattern === undefined || matchesWildcardPattern(document.path, pathPattern))
  )
}
