import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { createConcurrencyLimit } from '../../lib/async/queues.ts'
import { createWakeableLoop } from '../../lib/async/wake-up.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { Tracer } from '../../lib/tracer.ts'
import {
  beginScheduledMeeting,
  type BeginParts,
  type BegunMeeting,
  type BriefCounter,
} from './begin-meeting.ts'
import {
  LEAD_MS,
  findDueMeetings,
  findNextJoinTime,
  type DueMeeting,
  type DuePosition,
} from './scheduled-meetings.ts'

/** Begins every scheduled meeting shortly before its join time. Across all nodes, each begins exactly once. */
export interface MeetingScheduler extends AsyncDisposable {
  /** Checks for due meetings now, because one was scheduled or moved. */
  wake(): void
  /** Begins due meetings. Resolves with the milliseconds until the next check. */
  runOnce(): Promise<number>
}

type Parts = BeginParts & {
  clock: Clock
  tracer: Tracer
  membership: Pick<NodeMembership, 'hasFreshHeartbeat'>
  /** Returns null if callbacks may be sent to that URL, otherwise the reason why not. */
  findCallbackProblem(url: string): Promise<string | null>
  /** What the viewer may know before the meeting. Null if nothing is known. */
  findBriefCounts: BriefCounter
  /** Called after the commit for each meeting that began, even if it also ended. */
  onBegun(begun: BegunMeeting): Promise<void>
}

const BATCH_SIZE = 50
/** How many meetings this node begins at the same time. Each one occupies a database connection. */
const CONCURRENCY = 4
/** The longest pause between two checks. The clock may change, and another node's wake-up may be lost. */
const MAX_SLEEP_MS = 5_000
/** The shortest pause. A due meeting may have to wait, for example for disk space. */
const MIN_SLEEP_MS = 500

const FIRST_DELAY_MS = 5_000
const MAX_DELAY_MS = 60_000

export function createMeetingScheduler(parts: Parts): MeetingScheduler {
  const { db, clock, log, membership } = parts
  const closing = new AbortController()
  const limit = createConcurrencyLimit(CONCURRENCY)
  const retries = createBeginRetries(clock)

  /** A failure must not keep the meeting from beginning. */
  const findBrief = async ({ id, viewer }: DueMeeting) => {
    try {
      return await parts.findBriefCounts(viewer, id)
    } catch (error) {
      log.error({ err: error, meetingId: id }, 'failed to collect the brief of a meeting')
      return null
    }
  }
  const begin = async (due: DueMeeting, callbackProblem: string | null) => {
    if (closing.signal.aborted) return
    const brief = due.wantsBrief ? await findBrief(due) : null
    const facts = { callbackProblem, brief, now: clock.now() }
    const attributes = { 'hansard.meeting.id': due.id }
    const begun = await parts.tracer.run(
      'begin meeting',
      { parent: due.traceParent, attributes },
      () => beginScheduledMeeting(parts, due, facts),
    )
    if (begun === null) return
    const { end } = begun
    if (end !== null)
      log.warn({ meetingId: due.id, ...end }, 'scheduled meeting ended at its beginning')
    try {
      await parts.onBegun(begun)
    } catch (error) {
      // The meeting has begun. The next poll finds what was not reported.
      log.error({ err: error, meetingId: due.id }, 'failed to report the beginning of a meeting')
    }
  }
  const checkAndBegin = async (due: DueMeeting) => {
    try {
      // Not limited, because a name server that does not answer must not delay the other meetings.
      const callbackProblem = await parts.findCallbackProblem(due.callbackUrl)
      await limit(() => begin(due, callbackProblem))
    } catch (error) {
      // This meeting is retried later, so the others do not wait for it.
      retries.addFailure(due.id)
      log.error({ err: error, meetingId: due.id }, 'failed to begin scheduled meeting')
    }
  }
  const runOnce = async (): Promise<number> => {
    if (!membership.hasFreshHeartbeat()) return MIN_SLEEP_MS
    const until = new Date(clock.now().getTime() + LEAD_MS)
    const dueIds = new Set<string>()
    for (let after: DuePosition | null = null; !closing.signal.aborted;) {
      const due: DueMeeting[] = await findDueMeetings(db, until, after, BATCH_SIZE)
      for (const { id } of due) dueIds.add(id)
      await Promise.all(due.filter(({ id }) => !retries.isWaiting(id)).map(checkAndBegin))
      after = due.at(-1) ?? null
      if (due.length < BATCH_SIZE) break
    }
    retries.keepOnly(dueIds)
    const next = await findNextJoinTime(db)
    return next === null ? Infinity : next.getTime() - LEAD_MS - clock.now().getTime()
  }
  const loop = createWakeableLoop({
    closing,
    round: async () => Math.max(MIN_SLEEP_MS, Math.min(await runOnce(), MAX_SLEEP_MS)),
    onError(error) {
      log.error({ err: error }, 'failed to check for scheduled meetings')
      return MAX_SLEEP_MS
    },
  })
  return { ...loop, runOnce }
}

/** When failed beginnings are retried. Each node has its own list. */
function createBeginRetries(clock: Clock) {
  const failures = new Map<string, { delayMs: number; retryAt: number }>()
  return {
    isWaiting: (id: string) => (failures.get(id)?.retryAt ?? 0) > clock.now().getTime(),
    addFailure(id: string) {
      const before = failures.get(id)
      const delayMs = before ? Math.min(before.delayMs * 2, MAX_DELAY_MS) : FIRST_DELAY_MS
      failures.set(id, { delayMs, retryAt: clock.now().getTime() + delayMs })
    },
    /** Drops all other meetings, because they have begun, moved or ended. */
    keepOnly(ids: ReadonlySet<string>) {
      for (const id of failures.keys()) if (!ids.has(id)) failures.delete(id)
    },
  }
}
