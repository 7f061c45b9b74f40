import { PLATFORM_END_REASONS } from '../bots/platforms/platform.ts'
import type { Meeting } from './meeting.ts'

/**
 * The statuses of a meeting. `next` lists the statuses that can follow; a status without any is final. `announced`
 * means that entering the status sends a `meeting_status` event. `scheduled` and `stopping` only appear in API
 * responses.
 */
export const MEETING_STATUS_RULES = {
  scheduled: { announced: false, next: ['joining', 'awaiting_transcript', 'ended', 'error'] },
  awaiting_transcript: { announced: true, next: ['ended', 'error'] },
  joining: { announced: true, next: ['lobby', 'live', 'stopping', 'leaving', 'error'] },
  lobby: { announced: true, next: ['live', 'stopping', 'leaving', 'error'] },
  live: { announced: true, next: ['stopping', 'leaving', 'error'] },
  stopping: { announced: false, next: ['leaving', 'error'] },
  leaving: { announced: true, next: ['ended', 'error'] },
  ended: { announced: true, next: [] },
  error: { announced: true, next: [] },
} as const satisfies Record<string, { announced: boolean; next: readonly string[] }>

export type MeetingStatus = keyof typeof MEETING_STATUS_RULES

export const MEETING_STATUSES = Object.keys(MEETING_STATUS_RULES) as MeetingStatus[]

/**
 * Problems that do not stop a meeting: the page looks different than expected, the platform does not recognize the bot
 * as a bot, the bot could not write in the chat, the captions are in another language or lack speakers' names, or the
 * bot recognizes speech instead of reading captions, or does so incompletely, late or not at all.
 */
export const WARNING_CODES = [
  'page_drift',
  'unidentified',
  'chat_unavailable',
  'caption_language',
  'speaker_names',
  'speech_used',
  'speech_incomplete',
  'speech_behind',
  'speech_unavailable',
] as const
export type WarningCode = (typeof WARNING_CODES)[number]

/** The statuses of meetings that are not over. */
export const OPEN_STATUSES = MEETING_STATUSES.filter((status) => !isFinalStatus(status))
/** The statuses of meetings that have begun and are not over. */
export const BEGUN_STATUSES = OPEN_STATUSES.filter((status) => status !== 'scheduled')
/** The statuses of meetings that a bot attends. */
export const ACTIVE_STATUSES = BEGUN_STATUSES.filter((status) => status !== 'awaiting_transcript')
export const ANNOUNCED_STATUSES = MEETING_STATUSES.filter(isAnnouncedStatus)

export type AnnouncedStatus = Exclude<MeetingStatus, 'scheduled' | 'stopping'>

export function isFinalStatus(status: MeetingStatus): boolean {
  return MEETING_STATUS_RULES[status].next.length === 0
}

export function isAnnouncedStatus(status: MeetingStatus): status is AnnouncedStatus {
  return MEETING_STATUS_RULES[status].announced
}

/** The statuses from which a meeting may change to `to`. */
export function listStatusesThatCanChangeTo(to: MeetingStatus): MeetingStatus[] {
  return MEETING_STATUSES.filter((from) =>
    (MEETING_STATUS_RULES[from].next as readonly MeetingStatus[]).includes(to),
  )
}

/**
 * True if the end of the meeting is already decided, so that no bot joins again. `attending/claiming/meeting-claims.ts`
 * has the same rule in SQL.
 */
export function isFinishing({ status, reason }: Pick<Meeting, 'status' | 'reason'>): boolean {
  return status === 'leaving' || status === 'stopping' || reason !== null
}

/** True if the meeting's bot records what is said. A bot that is asked to stop records until it leaves. */
export function isRecording({
  status,
  reason,
  liveAt,
}: Pick<Meeting, 'status' | 'reason' | 'liveAt'>): boolean {
  if (status === 'live') return reason === null
  return status === 'stopping' && liveAt !== null && (reason === null || reason === 'stopped')
}

const { everyone_left: everyoneLeft, ...otherPlatformReasons } = PLATFORM_END_REASONS

/**
 * Why a meeting ended: reasons of the service, then reasons that platforms report. Receivers branch on the codes, so
 * existing codes never change.
 */
export const END_REASON_FAILURE_FLAGS = {
  stopped: { isFailure: false },
  asked_to_leave: { isFailure: false },
  everyone_left: everyoneLeft,
  nobody_joined: { isFailure: false },
  silence: { isFailure: false },
  max_duration: { isFailure: false },
  lobby_timeout: { isFailure: true },
  service_restarted: { isFailure: true },
  at_capacity: { isFailure: true },
  missed: { isFailure: true },
  not_allowed: { isFailure: true },
  transcription_off: { isFailure: true },
  transcript_not_allowed: { isFailure: true },
  transcript_not_ready: { isFailure: true },
  transcript_expired: { isFailure: true },
  transcript_no_licence: { isFailure: true },
  no_connection: { isFailure: true },
  ...otherPlatformReasons,
} as const satisfies Record<string, { isFailure: boolean }>

export type EndReason = keyof typeof END_REASON_FAILURE_FLAGS
export const END_REASONS = Object.keys(END_REASON_FAILURE_FLAGS) as [EndReason, ...EndReason[]]
