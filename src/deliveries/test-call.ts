import { ServiceError } from '../errors.ts'
import type { Db } from '../db/database.ts'
import type { Clock } from '../lib/time/clock.ts'
import { newId } from '../lib/crypto/random.ts'
import { classifyStatus, type AttemptOutcome } from './lane/retry-policy.ts'
import { callbackHeaders, type CallbackSecrets } from './signature.ts'
import type { PostResult, Transport } from './network/transport.ts'

export type TestCall = PostResult & {
  deliveryId: string
  startedAt: Date
  outcome: AttemptOutcome
  url: string
}

/** Sends an event that means nothing, on the same way as those that do, and tells what came back. */
export interface TestCalls {
  toUrl(url: string, tokenId: string): Promise<TestCall>
  /** To the URL that the meeting was started with, signed with the secret of its token. */
  toMeeting(meetingId: string): Promise<TestCall>
}

export const TEST_EVENT_TYPE = 'test'

type Parts = {
  db: Db
  clock: Clock
  transport: Transport
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  newDeliveryId(at: number): string
  timeoutMs: number
}

export function createTestCalls(parts: Parts): TestCalls {
  const { db, clock, transport, secretsOf, newDeliveryId, timeoutMs } = parts

  const call = async (url: string, tokenId: string): Promise<TestCall> => {
    const secrets = await secretsOf(tokenId)
    if (secrets === null) throw new ServiceError('token_not_found')
    const at = clock.now()
    // A meeting that is nobody's: what a receiver keeps of it is never in the way of a real event.
    const meetingId = newId('meeting_test')
    const payload = { message: 'This is a test. It reports nothing.' }
    const body = Buffer.from(
      JSON.stringify({
        type: TEST_EVENT_TYPE,
        meetingId,
        sequence: 1,
        timestamp: at.toISOString(),
        payload,
      }),
    )
    const deliveryId = newDeliveryId(at.getTime())
    const event = { meetingId, sequence: 1, previousSequence: 0, type: TEST_EVENT_TYPE, body }
    const headers = callbackHeaders(event, secrets, deliveryId, at)
    const never = new AbortController().signal
    const posted = await transport.post({ url, headers, body, timeoutMs, pool: 'failing' }, never)
    return { ...posted, deliveryId, startedAt: at, outcome: classifyStatus(posted.status), url }
  }

  return {
    toUrl: call,
    async toMeeting(meetingId) {
      const row = await db
        .selectFrom('lane')
        .select(['id', 'url', 'token_id'])
        .where('meeting_id', '=', meetingId)
        .where('kind', '=', 'meeting')
        .executeTakeFirst()
      if (row === undefined) throw new ServiceError('meeting_not_found')
      const made = await call(row.url, row.token_id ?? '')
      await db.transaction().execute(async (tx) => {
        // Held while the attempt is written: a meeting that was removed meanwhile leaves nothing behind.
        const lane = await tx
          .selectFrom('lane')
          .select('id')
          .where('id', '=', row.id)
          .forShare()
          .executeTakeFirst()
        if (lane === undefined) return
        await tx
          .insertInto('delivery_attempt')
          .values(toAttemptRow(made, meetingId, row.id))
          .execute()
      })
      return made
    },
  }
}

function toAttemptRow(
  { deliveryId, startedAt, durationMs, outcome, status, error, answer }: TestCall,
  meetingId: string,
  laneId: string,
) {
  return {
    id: deliveryId,
    lane_id: laneId,
    meeting_id: meetingId,
    sequence: 0,
    type: TEST_EVENT_TYPE,
    started_at: startedAt,
    duration_ms: Math.round(durationMs),
    outcome,
    status,
    error,
    answer,
    next_attempt_at: null,
  }
}
