import type { LeaveRules } from './meeting.ts'
import type { Reason } from './status.ts'

/** What the rules look at; times in milliseconds, null while it has not happened. */
export type Presence = {
  setOutAt: number
  /** When this bot set out; an earlier one may have been interrupted. */
  visitedAt: number
  /** When the page turned out to be the way into a meeting. */
  arrivedAt: number | null
  /** Since when the page says that the meeting has not begun. */
  hostAwaitedSince: number | null
  lobbySince: number | null
  liveSince: number | null
  /** Since when no human is in the roster; null while one is. */
  emptySince: number | null
  /** In the roster, by this bot or an earlier one. */
  hasSeenHumans: boolean
  /** By what they said, whether or not a roster shows them. */
  hasHeardHumans: boolean
  lastCaptionAt: number | null
}

type Rule = {
  reason: Reason
  /** When it comes true if nothing changes, or null. */
  dueAt(presence: Presence, rules: LeaveRules): number | null
  says(rules: LeaveRules): string
}

/** A page that is not the way into a meeting by then never will be. */
const PAGE_SECONDS = 120

/** Each with its own reason. A room counts as empty by two signs: nobody in the roster, and nobody heard. */
const RULES: readonly Rule[] = [
  {
    reason: 'page_not_loaded',
    dueAt: ({ visitedAt, arrivedAt }) =>
      arrivedAt === null ? after(visitedAt, PAGE_SECONDS) : null,
    says: () => `The page did not become a meeting within ${PAGE_SECONDS} s`,
  },
  {
    reason: 'meeting_not_started',
    dueAt: ({ hostAwaitedSince, lobbySince, liveSince }, { hostTimeout }) =>
      lobbySince === null && liveSince === null ? after(hostAwaitedSince, hostTimeout) : null,
    says: ({ hostTimeout }) => `The meeting had not started after ${hostTimeout} s`,
  },
  {
    reason: 'lobby_timeout',
    dueAt: ({ lobbySince, liveSince }, { lobbyTimeout }) =>
      liveSince === null ? after(lobbySince, lobbyTimeout) : null,
    says: ({ lobbyTimeout }) => `Nobody let the bot in within ${lobbyTimeout} s`,
  },
  {
    reason: 'max_duration',
    dueAt: ({ setOutAt }, { maxDuration }) => after(setOutAt, maxDuration),
    says: ({ maxDuration }) => `The meeting reached the longest duration of ${maxDuration} s`,
  },
  {
    reason: 'nobody_joined',
    dueAt: ({ liveSince, emptySince, hasSeenHumans, hasHeardHumans }, { nobodyJoined }) =>
      hasSeenHumans || hasHeardHumans || emptySince === null
        ? null
        : after(liveSince, nobodyJoined),
    says: ({ nobodyJoined }) => `Nobody else joined within ${nobodyJoined} s`,
  },
  {
    reason: 'everyone_left',
    dueAt: (presence, { everyoneLeft }) =>
      presence.hasSeenHumans ? after(quietSince(presence), everyoneLeft) : null,
    says: ({ everyoneLeft }) => `Everybody left, and nobody was heard for ${everyoneLeft} s`,
  },
  {
    // Heard and never seen: the roster is not to be trusted, and a pause alone does not empty a room.
    reason: 'everyone_left',
    dueAt: (presence, rules) =>
      presence.hasHeardHumans && !presence.hasSeenHumans
        ? after(quietSince(presence), unseenSeconds(rules))
        : null,
    says: (rules) => `Nobody was to be seen, and nobody was heard for ${unseenSeconds(rules)} s`,
  },
  {
    reason: 'silence',
    dueAt: ({ liveSince, lastCaptionAt }, { silence }) =>
      silence === null || liveSince === null ? null : after(lastCaptionAt ?? liveSince, silence),
    says: ({ silence }) => `Nobody was heard for ${silence} s`,
  },
]

export type Leave = { reason: Reason; detail: string }

/** The rule that tells the bot to leave now, if any. */
export function leaveNow(presence: Presence, rules: LeaveRules, now: number): Leave | null {
  const due = RULES.find(({ dueAt }) => (dueAt(presence, rules) ?? Infinity) <= now)
  return due === undefined ? null : { reason: due.reason, detail: due.says(rules) }
}

/** When the next rule comes true if nothing changes. */
export function nextLeaveAt(presence: Presence, rules: LeaveRules): number {
  return Math.min(...RULES.map(({ dueAt }) => dueAt(presence, rules) ?? Infinity))
}

/** Since when neither sign tells of anybody; null while the roster does. */
function quietSince({ emptySince, lastCaptionAt }: Presence): number | null {
  return emptySince === null ? null : Math.max(emptySince, lastCaptionAt ?? 0)
}

function unseenSeconds({ nobodyJoined, everyoneLeft }: LeaveRules): number {
  return Math.max(nobodyJoined, everyoneLeft)
}

function after(since: number | null, seconds: number): number | null {
  return since === null ? null : since + seconds * 1000
}
