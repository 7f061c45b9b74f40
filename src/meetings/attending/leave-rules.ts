import type { LeaveRules } from '../meeting.ts'
import type { EndReason } from '../status.ts'

/** What the rules look at; times in milliseconds, null while it has not happened. */
export type AttendanceState = {
  meetingStartedAt: number
  /** When this bot set out; an earlier one may have been interrupted. */
  botStartedAt: number
  /** When the page turned out to be the way into a meeting. */
  joinPageSeenAt: number | null
  /** Since when the page says that the meeting has not begun. */
  waitingForHostSince: number | null
  lobbySince: number | null
  liveSince: number | null
  /** Since when no human is in the roster; null while one is. */
  emptySince: number | null
  /** In the roster, by this bot or an earlier one. */
  hasHadHumanParticipants: boolean
  /** By what they said, whether or not a roster shows them. */
  hasHadHumanSpeech: boolean
  lastCaptionAt: number | null
}

type LeaveRule = {
  reason: EndReason
  /** When it comes true if nothing changes, or null. */
  dueAt(presence: AttendanceState, rules: LeaveRules): number | null
  says(rules: LeaveRules): string
}

/** A page that is not the way into a meeting by then never will be. */
const JOIN_PAGE_TIMEOUT_SECONDS = 120

/** Each with its own reason. A room counts as empty by two signs: nobody in the roster, and nobody heard. */
const LEAVE_RULES: readonly LeaveRule[] = [
  {
    reason: 'page_not_loaded',
    dueAt: ({ botStartedAt, joinPageSeenAt }) =>
      joinPageSeenAt === null ? addSeconds(botStartedAt, JOIN_PAGE_TIMEOUT_SECONDS) : null,
    says: () => `The page did not become a meeting within ${JOIN_PAGE_TIMEOUT_SECONDS} s`,
  },
  {
    reason: 'meeting_not_started',
    dueAt: ({ waitingForHostSince, lobbySince, liveSince }, { hostTimeout }) =>
      lobbySince === null && liveSince === null
        ? addSeconds(waitingForHostSince, hostTimeout)
        : null,
    says: ({ hostTimeout }) => `The meeting had not started after ${hostTimeout} s`,
  },
  {
    reason: 'lobby_timeout',
    dueAt: ({ lobbySince, liveSince }, { lobbyTimeout }) =>
      liveSince === null ? addSeconds(lobbySince, lobbyTimeout) : null,
    says: ({ lobbyTimeout }) => `Nobody let the bot in within ${lobbyTimeout} s`,
  },
  {
    reason: 'max_duration',
    dueAt: ({ meetingStartedAt }, { maxDuration }) => addSeconds(meetingStartedAt, maxDuration),
    says: ({ maxDuration }) => `The meeting reached the longest duration of ${maxDuration} s`,
  },
  {
    reason: 'nobody_joined',
    dueAt: (
      { liveSince, emptySince, hasHadHumanParticipants, hasHadHumanSpeech },
      { nobodyJoined },
    ) =>
      hasHadHumanParticipants || hasHadHumanSpeech || emptySince === null
        ? null
        : addSeconds(liveSince, nobodyJoined),
    says: ({ nobodyJoined }) => `Nobody else joined within ${nobodyJoined} s`,
  },
  {
    reason: 'everyone_left',
    dueAt: (presence, { everyoneLeft }) =>
      presence.hasHadHumanParticipants ? addSeconds(quietSince(presence), everyoneLeft) : null,
    says: ({ everyoneLeft }) => `Everybody left, and nobody was heard for ${everyoneLeft} s`,
  },
  {
    // Heard and never seen: the roster is not to be trusted, and a pause alone does not empty a room.
    reason: 'everyone_left',
    dueAt: (presence, rules) =>
      presence.hasHadHumanSpeech && !presence.hasHadHumanParticipants
        ? addSeconds(quietSince(presence), noParticipantsSeconds(rules))
        : null,
    says: (rules) =>
      `Nobody was to be seen, and nobody was heard for ${noParticipantsSeconds(rules)} s`,
  },
  {
    reason: 'silence',
    dueAt: ({ liveSince, lastCaptionAt }, { silence }) =>
      silence === null || liveSince === null
        ? null
        : addSeconds(lastCaptionAt ?? liveSince, silence),
    says: ({ silence }) => `Nobody was heard for ${silence} s`,
  },
]

export type LeaveDecision = { reason: EndReason; detail: string }

/** The rule that tells the bot to leave now, if any. */
export function findDueLeave(
  presence: AttendanceState,
  rules: LeaveRules,
  now: number,
): LeaveDecision | null {
  const due = LEAVE_RULES.find(({ dueAt }) => (dueAt(presence, rules) ?? Infinity) <= now)
  return due === undefined ? null : { reason: due.reason, detail: due.says(rules) }
}

/** When the next rule comes true if nothing changes. */
export function nextLeaveAt(presence: AttendanceState, rules: LeaveRules): number {
  return Math.min(...LEAVE_RULES.map(({ dueAt }) => dueAt(presence, rules) ?? Infinity))
}

/** Since when neither sign tells of anybody; null while the roster does. */
function quietSince({ emptySince, lastCaptionAt }: AttendanceState): number | null {
  return emptySince === null ? null : Math.max(emptySince, lastCaptionAt ?? 0)
}

function noParticipantsSeconds({ nobodyJoined, everyoneLeft }: LeaveRules): number {
  return Math.max(nobodyJoined, everyoneLeft)
}

function addSeconds(since: number | null, seconds: number): number | null {
  return since === null ? null : since + seconds * 1000
}
