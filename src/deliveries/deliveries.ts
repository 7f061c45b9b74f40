import { ServiceError } from '../errors.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import {
  listAttempts,
  listDeadLetters,
  type Attempt,
  type AttemptFilter,
  type DeadLetterRow,
} from './history/attempts.ts'
import {
  readFailedEvents,
  replayFailedEvents,
  type FailedEvents,
  type FailedReplay,
} from './history/failed-events.ts'
import { readDeliveryFigures, type DeliveryFigures } from './history/figures.ts'
import { startReplay, type Replay, type ReplayRequest } from './history/replay.ts'
import { rebuildSentRequest, type SentRequest } from './history/sent-request.ts'
import type { CallbackSecrets } from './signature.ts'
import { summariseDeliveries, type DeliverySummary } from './history/delivery-summary.ts'
import type { TestCall, TestCalls } from './test-call.ts'

const DAY_MS = 86_400_000

export type AttemptPage = { attempts: Attempt[]; nextCursor: string | null }

/** Reads the delivery log, replays events and sends test calls. */
export interface Deliveries {
  list(filter: AttemptFilter, limit: number, cursor: string | undefined): Promise<AttemptPage>
  listForMeeting(
    meetingId: string,
    filter: AttemptFilter,
    limit: number,
    cursor: string | undefined,
  ): Promise<AttemptPage & { deadLetters: DeadLetterRow[] }>
  summaries(meetingIds: readonly string[]): Promise<Map<string, DeliverySummary>>
  replay(request: ReplayRequest): Promise<Replay>
  /** The events of all meetings that were given up. */
  failedEvents(): Promise<FailedEvents>
  replayFailed(): Promise<FailedReplay>
  testUrl(url: string, tokenId: string): Promise<TestCall>
  testMeeting(meetingId: string): Promise<TestCall>
  /** The request that an attempt sent. */
  sentRequest(deliveryId: string): Promise<SentRequest>
  /** Counts and durations of the last 24 hours. */
  figures(): Promise<DeliveryFigures>
}

type Parts = {
  db: Db
  clock: Clock
  testCalls: TestCalls
  /** Null when callbacks may go to the URL, otherwise a sentence that says why not. */
  refuseCallback(url: string): Promise<string | null>
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  wake(): void
}

export function createDeliveries({
  db,
  clock,
  testCalls,
  refuseCallback,
  secretsOf,
  wake,
}: Parts): Deliveries {
  const requireAllowed = async (url: string) => {
    const refusal = await refuseCallback(url)
    if (refusal !== null) throw callbackBlockedError(refusal)
  }
  return {
    list: (filter, limit, cursor) => listAttempts(db, filter, limit, cursor),
    async listForMeeting(meetingId, filter, limit, cursor) {
      const meeting = await db
        .selectFrom('meeting')
        .select('id')
        .where('id', '=', meetingId)
        .executeTakeFirst()
      if (meeting === undefined) throw new ServiceError('meeting_not_found')
      const page = await listAttempts(db, { ...filter, meetingId }, limit, cursor)
      return { ...page, deadLetters: await listDeadLetters(db, meetingId) }
    },
    summaries: (meetingIds) => summariseDeliveries(db, meetingIds, clock.now()),
    async replay(request) {
      if (request.callbackUrl !== undefined) await requireAllowed(request.callbackUrl)
      const replay = await startReplay(db, request, clock.now())
      wake()
      return replay
    },
    failedEvents: () => readFailedEvents(db),
    async replayFailed() {
      const replay = await replayFailedEvents(db, clock.now())
      wake()
      return replay
    },
    async testUrl(url, tokenId) {
      await requireAllowed(url)
      return testCalls.toUrl(url, tokenId)
    },
    testMeeting: (meetingId) => testCalls.toMeeting(meetingId),
    sentRequest: (deliveryId) => rebuildSentRequest({ db, secretsOf }, deliveryId),
    figures: () => readDeliveryFigures(db, new Date(clock.now().getTime() - DAY_MS)),
  }
}

export function callbackBlockedError(message: string): ServiceError {
  return new ServiceError('callback_url_blocked', { details: [{ path: 'callbackUrl', message }] })
}
