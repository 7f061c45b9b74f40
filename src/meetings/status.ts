/**
 * The life of a meeting. `next`: where it may go; an empty row is final. `announced`: whether entering
 * it sends a meeting_status event (`stopping` is only ever an answer of the interface).
 */
export const MEETING_STATUS = {
  joining: { announced: true, next: ['lobby', 'live', 'stopping', 'leaving', 'error'] },
  lobby: { announced: true, next: ['live', 'stopping', 'leaving', 'error'] },
  live: { announced: true, next: ['stopping', 'leaving', 'error'] },
  stopping: { announced: false, next: ['leaving', 'error'] },
  leaving: { announced: true, next: ['ended', 'error'] },
  ended: { announced: true, next: [] },
  error: { announced: true, next: [] },
} as const satisfies Record<string, { announced: boolean; next: readonly string[] }>

export type MeetingStatus = keyof typeof MEETING_STATUS

export const MEETING_STATUSES = Object.keys(MEETING_STATUS) as MeetingStatus[]
export const ACTIVE_STATUSES = MEETING_STATUSES.filter((status) => !isFinal(status))
export const ANNOUNCED_STATUSES = MEETING_STATUSES.filter(isAnnounced)

export type AnnouncedStatus = Exclude<MeetingStatus, 'stopping'>

export function isFinal(status: MeetingStatus): boolean {
  return MEETING_STATUS[status].next.length === 0
}

export function isAnnounced(status: MeetingStatus): status is AnnouncedStatus {
  return MEETING_STATUS[status].announced
}

/** From where a meeting may come into a status: the guard of every move. */
export function statusesBefore(to: MeetingStatus): MeetingStatus[] {
  return MEETING_STATUSES.filter((from) =>
    (MEETING_STATUS[from].next as readonly MeetingStatus[]).includes(to),
  )
}

/** Why a meeting is over or went wrong. Closed: receivers branch on it. */
export const REASONS = [
  'stopped',
  'host_ended',
  'removed',
  'everyone_left',
  'nobody_joined',
  'silence',
  'max_duration',
  'denied',
  'lobby_timeout',
  'no_answer',
  'sign_in_required',
  'blocked_by_platform',
  'captcha',
  'meeting_not_found',
  'meeting_not_started',
  'page_not_loaded',
  'captions_unavailable',
  'browser_crashed',
  'service_restarted',
  'at_capacity',
  'internal',
] as const

export type Reason = (typeof REASONS)[number]
