import { mayAccess } from '../access/subjects.ts'
import type { Viewer } from '../access/viewer.ts'
import type { Db } from '../db/database.ts'
import { ServiceError, throwIfAnyErrors } from '../errors.ts'
import type { Clock } from '../lib/time/clock.ts'
import { DAY_MS } from '../lib/time/durations.ts'
import {
  listAttempts,
  listMeetingDeadLetters,
  type DeliveryAttempt,
  type DeliveryAttemptFilter,
  type DeadLetterRow,
  readDeliveryFigures,
  type DeliveryFigures,
  rebuildSentRequestOrThrow,
  withoutSecrets,
  type SentRequest,
} from './history/attempts.ts'
import {
  summariseDeliveriesByMeeting,
  type MeetingDeliverySummary,
  listReceivers,
  type CallbackReceiver,
} from './history/delivery-summary.ts'
import {
  countReplayableFailedEvents,
  replayFailedEvents,
  type FailedEventCounts,
  type FailedEventsReplayResult,
  startReplay,
  type StartedReplay,
  type ReplayRequest,
} from './history/failed-events.ts'
import { retryFailingLanes } from './lane/lane-rows.ts'
import type { CallbackSecrets } from './signature.ts'
import type { TestCallbackResult, TestCallbackSender } from './test-callback.ts'

export type DeliveryAttemptPage = { attempts: DeliveryAttempt[]; nextCursor: string | null }

/** Reads the delivery log, replays events and sends test calls. */
export interface Deliveries {
  list(
    viewer: Viewer,
    filter: DeliveryAttemptFilter,
    limit: number,
    cursor: string | undefined,
  ): Promise<DeliveryAttemptPage>
  listForMeeting(
    viewer: Viewer,
    meetingId: string,
    filter: DeliveryAttemptFilter,
    limit: number,
    cursor: string | undefined,
  ): Promise<DeliveryAttemptPage & { deadLetters: DeadLetterRow[] }>
  /** Returns one attempt. Throws if it is not kept. */
  get(viewer: Viewer, deliveryId: string): Promise<DeliveryAttempt>
  /** Lists where callbacks are being delivered, failing receivers first. */
  receivers(viewer: Viewer): Promise<CallbackReceiver[]>
  /** Sends waiting events of failing receivers now. Returns the number of meetings. */
  retry(viewer: Viewer, receiver: string | undefined): Promise<number>
  summaries(meetingIds: readonly string[]): Promise<Map<string, MeetingDeliverySummary>>
  /** The error with which `replay` and `testUrl` would refuse this URL. Empty without a URL or a problem. */
  findUrlProblems(fields: { callbackUrl?: string | undefined }): Promise<ServiceError[]>
  replay(request: ReplayRequest): Promise<StartedReplay>
  /** Counts the given-up events of all meetings. */
  failedEvents(viewer: Viewer): Promise<FailedEventCounts>
  replayFailed(viewer: Viewer): Promise<FailedEventsReplayResult>
  testUrl(url: string, tokenId: string): Promise<TestCallbackResult>
  testMeeting(meetingId: string): Promise<TestCallbackResult>
  /** Rebuilds an attempt's HTTP request from the stored event. Only users who may edit the meeting see its secrets. */
  sentRequest(viewer: Viewer, deliveryId: string): Promise<SentRequest>
  /** Returns counts and durations of the delivery attempts of the last 24 hours. */
  figures(viewer: Viewer): Promise<DeliveryFigures>
}

type Parts = {
  db: Db
  clock: Clock
  testCalls: TestCallbackSender
  /** Null if callbacks may go to the URL, otherwise a sentence that says why not. */
  findCallbackProblem(url: string): Promise<string | null>
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  wake(): void
}

export function createDeliveries({
  db,
  clock,
  testCalls,
  findCallbackProblem,
  secretsOf,
  wake,
}: Parts): Deliveries {
  const findUrlProblems = async ({ callbackUrl: url }: { callbackUrl?: string | undefined }) => {
    const problem = url === undefined ? null : await findCallbackProblem(url)
    return problem === null ? [] : [callbackBlockedError(problem)]
  }
  return {
    list: (viewer, filter, limit, cursor) => listAttempts(db, viewer, filter, limit, cursor),
    async listForMeeting(viewer, meetingId, filter, limit, cursor) {
      const meeting = await db
        .selectFrom('meeting')
        .select('id')
        .where('id', '=', meetingId)
        .executeTakeFirst()
      if (meeting === undefined) throw new ServiceError('meeting_not_found')
      const page = await listAttempts(db, viewer, { ...filter, meetingId }, limit, cursor)
      return { ...page, deadLetters: await listMeetingDeadLetters(db, meetingId) }
    },
    async get(viewer, deliveryId) {
      const page = await listAttempts(db, viewer, { id: deliveryId }, 1, undefined)
      const [attempt] = page.attempts
      if (attempt === undefined) throw new ServiceError('delivery_not_kept')
      return attempt
    },
    receivers: (viewer) => listReceivers(db, viewer),
    async retry(viewer, receiver) {
      const meetings = await retryFailingLanes(db, viewer, receiver, clock.now())
      wake()
      return meetings
    },
    summaries: (meetingIds) => summariseDeliveriesByMeeting(db, meetingIds, clock.now()),
    findUrlProblems,
    async replay(request) {
      throwIfAnyErrors(await findUrlProblems(request))
      const replay = await startReplay(db, request, clock.now())
      wake()
      return replay
    },
    failedEvents: (viewer) => countReplayableFailedEvents(db, viewer),
    async replayFailed(viewer) {
      const replay = await replayFailedEvents(db, viewer, clock.now())
      wake()
      return replay
    },
    async testUrl(url, tokenId) {
      throwIfAnyErrors(await findUrlProblems({ callbackUrl: url }))
      return testCalls.toUrl(url, tokenId)
    },
    testMeeting: (meetingId) => testCalls.toMeeting(meetingId),
    async sentRequest(viewer, deliveryId) {
      const request = await rebuildSentRequestOrThrow({ db, secretsOf }, deliveryId)
      const isEditor = await mayAccess(db, viewer, {
        kind: 'delivery',
        id: deliveryId,
        action: 'edit',
      })
      return isEditor ? request : withoutSecrets(request)
    },
    figures: (viewer) => readDeliveryFigures(db, viewer, new Date(clock.now().getTime() - DAY_MS)),
  }
}

export function callbackBlockedError(message: string): ServiceError {
  return new ServiceError('callback_url_blocked', { details: [{ path: 'callbackUrl', message }] })
}
