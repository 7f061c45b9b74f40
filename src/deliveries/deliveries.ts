import { ServiceError } from '../errors.ts'
import type { Db } from '../db/open.ts'
import type { Clock } from '../lib/clock.ts'
import {
  listAttempts,
  listDeadLetters,
  type Attempt,
  type AttemptFilter,
  type DeadLetterRow,
} from './attempts.ts'
import { startReplay, type Replay, type ReplayRequest } from './replay.ts'
import { summariseDeliveries, type DeliverySummary } from './summary.ts'
import type { TestCall, TestCalls } from './test-call.ts'

export type AttemptPage = { attempts: Attempt[]; nextCursor: string | null }

/** What people and programs can see and mend of the callbacks. */
export interface Deliveries {
  list(filter: AttemptFilter, limit: number, cursor: string | undefined): Promise<AttemptPage>
  ofMeeting(
    meetingId: string,
    filter: AttemptFilter,
    limit: number,
    cursor: string | undefined,
  ): Promise<AttemptPage & { deadLetters: DeadLetterRow[] }>
  summaries(meetingIds: readonly string[]): Promise<Map<string, DeliverySummary>>
  replay(request: ReplayRequest): Promise<Replay>
  testUrl(url: string, tokenId: string): Promise<TestCall>
  testMeeting(meetingId: string): Promise<TestCall>
}

type Parts = {
  db: Db
  clock: Clock
  testCalls: TestCalls
  /** Null when callbacks may go to that URL, otherwise why not. */
  refuseCallback(url: string): Promise<string | null>
  wake(): void
}

export function createDeliveries({
  db,
  clock,
  testCalls,
  refuseCallback,
  wake,
}: Parts): Deliveries {
  const allow = async (url: string) => {
    const refusal = await refuseCallback(url)
    if (refusal !== null) throw blockedCallback(refusal)
  }
  return {
    list: (filter, limit, cursor) => listAttempts(db, filter, limit, cursor),
    async ofMeeting(meetingId, filter, limit, cursor) {
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
      if (request.callbackUrl !== undefined) await allow(request.callbackUrl)
      const replay = await startReplay(db, request, clock.now())
      wake()
      return replay
    },
    async testUrl(url, tokenId) {
      await allow(url)
      return testCalls.toUrl(url, tokenId)
    },
    testMeeting: (meetingId) => testCalls.toMeeting(meetingId),
  }
}

export function blockedCallback(message: string): ServiceError {
  return new ServiceError('callback_url_blocked', { details: [{ path: 'callbackUrl', message }] })
}
