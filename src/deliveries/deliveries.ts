import type { AreaContext } from '../db/context.ts'
import { mayAccess } from '../access/subjects.ts'
import type { Viewer } from '../access/viewer.ts'
import { ServiceError, throwIfAnyErrors } from '../errors.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import {
  listAttempts,
  listMeetingDeadLetters,
  type DeliveryAttempt,
  type DeliveryAttemptFilter,
  readDeliveryFigures,
  rebuildSentRequestOrThrow,
  withoutSecrets,
  type SentRequest,
} from './history/attempts.ts'
import { summariseDeliveriesByMeeting, listReceivers } from './history/delivery-summary.ts'
import {
  countReplayableFailedEvents,
  replayFailedEvents,
  type FailedEventsReplayResult,
  startReplay,
  type StartedReplay,
  type ReplayRequest,
} from './history/failed-events.ts'
import { retryFailingLanes } from './lane/lane-rows.ts'
import type { CallbackSecrets } from './signature.ts'
import type { TestCallbackResult, TestCallbackSender } from './test-callback.ts'

export type DeliveryAttemptPage = { attempts: DeliveryAttempt[]; nextCursor: string | null }

type Parts = AreaContext & {
  testCalls: TestCallbackSender
  /** Null if callbacks may go to the URL, otherwise a sentence that says why not. */
  findCallbackProblem(url: string): Promise<string | null>
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  wake(): void
}

/** Reads the delivery log, replays events and sends test calls. */
export function createDeliveries({
  db,
  clock,
  testCalls,
  findCallbackProblem,
  secretsOf,
  wake,
}: Parts) {
  const findUrlProblems = async ({ callbackUrl: url }: { callbackUrl?: string | undefined }) => {
    const problem = url === undefined ? null : await findCallbackProblem(url)
    return problem === null ? [] : [callbackBlockedError(problem)]
  }
  return {
    list: (
      viewer: Viewer,
      filter: DeliveryAttemptFilter,
      limit: number,
      cursor: string | undefined,
    ) => listAttempts(db, viewer, filter, limit, cursor),
    async listForMeeting(
      viewer: Viewer,
      meetingId: string,
      filter: DeliveryAttemptFilter,
      limit: number,
      cursor: string | undefined,
    ) {
      const meeting = await db
        .selectFrom('meeting')
        .select('id')
        .where('id', '=', meetingId)
        .executeTakeFirst()
      if (meeting === undefined) throw new ServiceError('meeting_not_found')
      const page = await listAttempts(db, viewer, { ...filter, meetingId }, limit, cursor)
      return { ...page, deadLetters: await listMeetingDeadLetters(db, meetingId) }
    },
    /** Returns one attempt. Throws if it is not kept. */
    async get(viewer: Viewer, deliveryId: string): Promise<DeliveryAttempt> {
      const page = await listAttempts(db, viewer, { id: deliveryId }, 1, undefined)
      const [attempt] = page.attempts
      if (attempt === undefined) throw new ServiceError('delivery_not_kept')
      return attempt
    },
    /** Lists where callbacks are being delivered, failing receivers first. */
    receivers: (viewer: Viewer) => listReceivers(db, viewer),
    /** Sends waiting events of failing receivers now. Returns the number of meetings. */
    async retry(viewer: Viewer, receiver: string | undefined): Promise<number> {
      const meetings = await retryFailingLanes(db, viewer, receiver, clock.now())
      wake()
      return meetings
    },
    summaries: (meetingIds: readonly string[]) =>
      summariseDeliveriesByMeeting(db, meetingIds, clock.now()),
    /** The error with which `replay` and `testUrl` would refuse this URL. Empty without a URL or a problem. */
    findUrlProblems,
    async replay(request: ReplayRequest): Promise<StartedReplay> {
      throwIfAnyErrors(await findUrlProblems(request))
      const replay = await startReplay(db, request, clock.now())
      wake()
      return replay
    },
    /** Counts the given-up events of all meetings. */
    failedEvents: (viewer: Viewer) => countReplayableFailedEvents(db, viewer),
    async replayFailed(viewer: Viewer): Promise<FailedEventsReplayResult> {
      const replay = await replayFailedEvents(db, viewer, clock.now())
      wake()
      return replay
    },
    async testUrl(url: string, tokenId: string): Promise<TestCallbackResult> {
      throwIfAnyErrors(await findUrlProblems({ callbackUrl: url }))
      return testCalls.toUrl(url, tokenId)
    },
    testMeeting: (meetingId: string) => testCalls.toMeeting(meetingId),
    /** Rebuilds an attempt's HTTP request from the stored event. Only users who may edit the meeting see its secrets. */
    async sentRequest(viewer: Viewer, deliveryId: string): Promise<SentRequest> {
      const request = await rebuildSentRequestOrThrow({ db, secretsOf }, deliveryId)
      const isEditor = await mayAccess(db, viewer, {
        kind: 'delivery',
        id: deliveryId,
        action: 'edit',
      })
      return isEditor ? request : withoutSecrets(request)
    },
    /** Returns counts and durations of the delivery attempts of the last 24 hours. */
    figures: (viewer: Viewer) =>
      readDeliveryFigures(db, viewer, new Date(clock.now().getTime() - DAY_MS)),
  }
}

export type Deliveries = ReturnType<typeof createDeliveries>

export function callbackBlockedError(message: string): ServiceError {
  return new ServiceError('callback_url_blocked', { details: [{ path: 'callbackUrl', message }] })
}
