import type { LeaveRules } from '../../meeting.ts'
import type { EndReason } from '../../status.ts'

/** The facts that leave rules use. Times are in milliseconds since the epoch, and null until the event has happened. */
export type AttendanceState = {
  meetingStartedAt: number
  /** When this bot started, or its join time if that is later. The meeting may have had earlier bots. */
  botStartedAt: number
  /** When the platform first showed the meeting's join page. */
  joinPageSeenAt: number | null
  /** Since when the platform has said that the host has not started the meeting. */
  waitingForHostSince: number | null
  /** What the platform last said about that, if it knows more. */
  notStarted?: { because?: EndReason; detail?: string }
  lobbySince: number | null
  liveSince: number | null
  /** Since when the roster has listed no human participant; null while it lists one. */
  emptySince: number | null
  /** True if this or an earlier bot of the meeting has seen a human participant in the roster. */
  hasHadHumanParticipants: boolean
  /** True if captions of a human were received, even if the roster never listed one. */
  hasHadHumanSpeech: boolean
  lastCaptionAt: number | null
}

type LeaveRule = {
  reason: EndReason
  /** When this rule makes the bot leave if nothing changes; null if the rule does not apply. */
  dueAt(attendance: AttendanceState, rules: RulesWithJoinTimeout): number | null
  detail(rules: RulesWithJoinTimeout): string
}

/** `joinTimeout`: seconds that the platform's page may take to show the join page. A setting of the instance. */
type RulesWithJoinTimeout = LeaveRules & { joinTimeout: number }

/**
 * The rules that make a bot leave. The first one that is due gives the end reason. A meeting is treated as empty while
 * the roster lists no human and no captions arrive.
 */
const LEAVE_RULES: readonly LeaveRule[] = [
  {
    reason: 'page_not_loaded',
    dueAt: ({ botStartedAt, joinPageSeenAt }, { joinTimeout }) =>
      joinPageSeenAt === null ? addSeconds(botStartedAt, joinTimeout) : null,
    detail: ({ joinTimeout }) => `The meeting page did not load within ${joinTimeout} s`,
  },
  {
    reason: 'meeting_not_started',
    dueAt: ({ waitingForHostSince, lobbySince, liveSince }, { hostTimeout }) =>
      lobbySince === null && liveSince === null
        ? addSeconds(waitingForHostSince, hostTimeout)
        : null,
    detail: ({ hostTimeout }) => `The meeting had not started after ${hostTimeout} s`,
  },
  {
    reason: 'lobby_timeout',
    dueAt: ({ lobbySince, liveSince }, { lobbyTimeout }) =>
      liveSince === null ? addSeconds(lobbySince, lobbyTimeout) : null,
    detail: ({ lobbyTimeout }) => `Nobody let the bot in within ${lobbyTimeout} s`,
  },
  {
    reason: 'max_duration',
    dueAt: ({ meetingStartedAt }, { maxDuration }) => addSeconds(meetingStartedAt, maxDuration),
    detail: ({ maxDuration }) => `The meeting reached its maximum duration of ${maxDuration} s`,
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
    detail: ({ nobodyJoined }) => `Nobody else joined within ${nobodyJoined} s`,
  },
  {
    reason: 'everyone_left',
    dueAt: (attendance, { everyoneLeft }) =>
      attendance.hasHadHumanParticipants ? addSeconds(quietSince(attendance), everyoneLeft) : null,
    detail: ({ everyoneLeft }) => `All participants left and nobody spoke for ${everyoneLeft} s`,
  },
  {
    // Humans spoke but the roster never listed one: the roster is unreliable, so a longer silence is required.
    reason: 'everyone_left',
    dueAt: (attendance, rules) =>
      attendance.hasHadHumanSpeech && !attendance.hasHadHumanParticipants
        ? addSeconds(quietSince(attendance), noParticipantsSeconds(rules))
        : null,
    detail: (rules) =>
      `No participants were listed and nobody spoke for ${noParticipantsSeconds(rules)} s`,
  },
  {
    reason: 'silence',
    dueAt: ({ liveSince, lastCaptionAt }, { silence }) =>
      silence === null || liveSince === null
        ? null
        : addSeconds(lastCaptionAt ?? liveSince, silence),
    detail: ({ silence }) => `Nobody spoke for ${silence} s`,
  },
]

export type LeaveDecision = { reason: EndReason; detail: string }

/** Decides when the bot of one meeting leaves by itself. */
export type LeaveCheck = ReturnType<typeof createLeaveCheck>

/** Even a fast practice meeting gives the bot at least this long, because the bot itself does not become faster. */
const SHORTEST_SCALED_SECONDS = 1

/** `speed`: how many seconds of the meeting pass in one second. */
export function createLeaveCheck(
  rules: LeaveRules,
  { speed, joinTimeout }: { speed: number; joinTimeout: number },
) {
  const scaled = { ...scaleLeaveRules(rules, speed), joinTimeout }
  return {
    /**
     * Returns why the bot must leave now, or null. The detail names the time that the caller chose, in meeting time.
     * `hasQueuedEvents`: events of the platform are waiting, for example after a database outage, and may end what a rule
     * waits for.
     */
    findDue(
      attendance: AttendanceState,
      now: number,
      hasQueuedEvents: boolean,
    ): LeaveDecision | null {
      const due = LEAVE_RULES.filter(
        ({ reason }) => !hasQueuedEvents || reason === 'max_duration',
      ).find(({ dueAt }) => (dueAt(attendance, scaled) ?? Infinity) <= now)
      return due === undefined
        ? null
        : { reason: due.reason, detail: due.detail({ ...rules, joinTimeout }) }
    },
    /** The earliest time at which a leave rule makes the bot leave if nothing changes. */
    nextTime: (attendance: AttendanceState) =>
      LEAVE_RULES.reduce(
        (next, { dueAt }) => Math.min(next, dueAt(attendance, scaled) ?? Infinity),
        Infinity,
      ),
  }
}

/**
 * The leave rules of a meeting that runs at a different speed. The maximum duration is not scaled: it starts with the
 * request, so it includes the time that a meeting waits for a free bot.
 */
function scaleLeaveRules(rules: LeaveRules, speed: number): LeaveRules {
  const scale = (seconds: number) =>
    Math.max(seconds / speed, Math.min(seconds, SHORTEST_SCALED_SECONDS))
  return {
    lobbyTimeout: scale(rules.lobbyTimeout),
    hostTimeout: scale(rules.hostTimeout),
    nobodyJoined: scale(rules.nobodyJoined),
    everyoneLeft: scale(rules.everyoneLeft),
    silence: rules.silence === null ? null : scale(rules.silence),
    maxDuration: rules.maxDuration,
  }
}

/** Since when the roster has listed no human and no caption has arrived; null while the roster lists a human. */
function quietSince({ emptySince, lastCaptionAt }: AttendanceState): number | null {
  return emptySince === null ? null : Math.max(emptySince, lastCaptionAt ?? 0)
}

/** How long a meeting may be silent if humans appear only in its captions. */
function noParticipantsSeconds({ nobodyJoined, everyoneLeft }: LeaveRules): number {
  return Math.max(nobodyJoined, everyoneLeft)
}

function addSeconds(since: number | null, seconds: number): number | null {
  return since === null ? null : since + seconds * 1000
}
