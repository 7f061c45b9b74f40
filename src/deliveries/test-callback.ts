import type { AreaContext } from '../db/context.ts'
import { ServiceError } from '../errors.ts'
import { newId } from '../lib/crypto.ts'
import { classifyResponseStatus, type AttemptOutcome } from './lane/retry-policy.ts'
import type { PostResult, CallbackTransport } from './transport.ts'
import { type CallbackSecrets, createSignedEventPoster } from './signature.ts'

export type TestCallbackResult = PostResult & {
  deliveryId: string
  startedAt: Date
  outcome: AttemptOutcome
  url: string
}

export const TEST_EVENT_TYPE = 'test'

type Parts = AreaContext & {
  transport: CallbackTransport
  secretsOf(tokenId: string): Promise<CallbackSecrets | null>
  newDeliveryId(at: number): string
  timeoutMs: number
}

/** Sends a test event through the same transport as real events, and returns the receiver's answer. */
export function createTestCallbackSender(parts: Parts) {
  const { db, clock, transport, secretsOf, newDeliveryId, timeoutMs } = parts
  const now = () => clock.now().getTime()
  const post = createSignedEventPoster({ transport, secretsOf, now })

  const call = async (url: string, tokenId: string): Promise<TestCallbackResult> => {
    const at = clock.now()
    // An invented meeting id, so that a receiver never mixes this event with events of a real meeting.
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
    const { signal } = new AbortController()
    // A fresh connection cannot be stale, so one request always answers the question.
    const connection = 'fresh' as const
    const options = { timeoutMs, isFailing: true, connection, deliveryId, signal }
    const result = await post({ url, tokenId }, event, options)
    if (result === null) throw new ServiceError('token_not_found')
    return {
      ...result,
      deliveryId,
      startedAt: at,
      outcome: classifyResponseStatus(result.status),
      url,
    }
  }

  return {
    toUrl: call,
    /** Posts to the callback URL of the meeting, signed with the secret of the token that started it. */
    async toMeeting(meetingId: string): Promise<TestCallbackResult> {
      const row = await db
        .selectFrom('meeting')
        .leftJoin('lane', (join) =>
          join.onRef('lane.meeting_id', '=', 'meeting.id').on('lane.kind', '=', 'meeting'),
        )
        .select(['lane.id', 'lane.url', 'meeting.callback_url', 'meeting.token_id'])
        .where('meeting.id', '=', meetingId)
        .executeTakeFirst()
      if (row === undefined) throw new ServiceError('meeting_not_found')
      const { id: laneId } = row
      const testCall = await call(row.url ?? row.callback_url, row.token_id ?? '')
      // A meeting that has not begun has no lane, and therefore no list of attempts.
      if (laneId === null) return testCall
      await db.transaction().execute(async (tx) => {
        // The share lock prevents the removal of the meeting until its attempt is stored.
        const lane = await tx
          .selectFrom('lane')
          .select('id')
          .where('id', '=', laneId)
          .forShare()
          .executeTakeFirst()
        if (lane === undefined) return
        await tx
          .insertInto('delivery_attempt')
          .values(toAttemptRow(testCall, meetingId, laneId))
          .execute()
      })
      return testCall
    },
  }
}

export type TestCallbackSender = ReturnType<typeof createTestCallbackSender>

function toAttemptRow(
  { deliveryId, startedAt, durationMs, outcome, status, error, answer }: TestCallbackResult,
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
