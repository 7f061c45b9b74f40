import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/database.ts'
import { timeOfId } from '../../lib/crypto/random.ts'
import { callbackHeaders, type CallbackSecrets } from '../signature.ts'

export type SentRequest = { url: string; headers: Record<string, string>; body: string }

/** An attempt starts when its id is made, or as near to it as makes no difference. */
const ID_TIME_TOLERANCE_MS = 60_000

type Parts = { db: Db; secretsOf(tokenId: string): Promise<CallbackSecrets | null> }

/**
 * What an attempt posted, from the stored bytes: the body is the very one, the signatures are those of the
 * secrets that are valid now. Without the token there is nothing to sign with, and so no signature.
 */
export async function rebuildSentRequest(
  { db, secretsOf }: Parts,
  deliveryId: string,
): Promise<SentRequest> {
  const madeAt = timeOfId(deliveryId)
  if (madeAt === null) throw new ServiceError('delivery_not_kept')
  const row = await db
    .selectFrom('delivery_attempt as a')
    .innerJoin('event as e', (join) =>
      join.onRef('e.meeting_id', '=', 'a.meeting_id').onRef('e.sequence', '=', 'a.sequence'),
    )
    .innerJoin('lane as l', 'l.id', 'a.lane_id')
    .select(['a.meeting_id', 'a.sequence', 'a.type', 'a.started_at', 'e.body', 'l.url'])
    .select(['l.token_id', 'l.events'])
    // The id says when it was made, which is what they are found by.
    .where('a.started_at', '>=', new Date(madeAt - ID_TIME_TOLERANCE_MS))
    .where('a.started_at', '<=', new Date(madeAt + ID_TIME_TOLERANCE_MS))
    .where('a.id', '=', deliveryId)
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('delivery_not_kept')
  const before = await db
    .selectFrom('event')
    .select(({ fn }) => fn.max('sequence').as('sequence'))
    .where('meeting_id', '=', row.meeting_id)
    .where('sequence', '<', row.sequence)
    // The receiver knows only of what it wanted.
    .$if(row.events !== null, (query) => query.where('type', 'in', row.events ?? []))
    .executeTakeFirst()
  const { meeting_id: meetingId, sequence, type, url, body } = row
  const previousSequence = before?.sequence ?? 0
  const event = { meetingId, sequence, previousSequence, type, body: Buffer.from(body) }
  const secrets = await secretsOf(row.token_id ?? '')
  const signed = callbackHeaders(
    event,
    secrets ?? { signing: '', others: [] },
    deliveryId,
    row.started_at,
  )
  return { url, headers: secrets === null ? withoutSignatures(signed) : signed, body }
}

function withoutSignatures(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.endsWith('signature')))
}
