import { ServiceError } from '../../errors.ts'
import type { Db } from '../../db/database.ts'
import { callbackHeaders, type CallbackSecrets } from '../signature.ts'
import { isAttempt } from './attempts.ts'

export type SentRequest = { url: string; headers: Record<string, string>; body: string }

type Parts = { db: Db; secretsOf(tokenId: string): Promise<CallbackSecrets | null> }

/**
 * Rebuilds the request of an attempt. The body has the original bytes; the signatures use the secrets that are valid
 * now. Without the token the request has no signature.
 */
export async function rebuildSentRequestOrThrow(
  { db, secretsOf }: Parts,
  deliveryId: string,
): Promise<SentRequest> {
  const row = await db
    .selectFrom('delivery_attempt as a')
    .innerJoin('event as e', (join) =>
      join.onRef('e.meeting_id', '=', 'a.meeting_id').onRef('e.sequence', '=', 'a.sequence'),
    )
    .innerJoin('lane as l', 'l.id', 'a.lane_id')
    .select(['a.meeting_id', 'a.sequence', 'a.type', 'a.started_at', 'e.body', 'l.url'])
    .select(['l.token_id', 'l.events'])
    .where(isAttempt('a', deliveryId))
    .executeTakeFirst()
  if (row === undefined) throw new ServiceError('delivery_not_kept')
  const previous = await db
    .selectFrom('event')
    .select(({ fn }) => fn.max('sequence').as('sequence'))
    .where('meeting_id', '=', row.meeting_id)
    .where('sequence', '<', row.sequence)
    // The receiver only knows events of the types it asked for.
    .$if(row.events !== null, (query) => query.where('type', 'in', row.events ?? []))
    .executeTakeFirst()
  const { meeting_id: meetingId, sequence, type, url, body } = row
  const previousSequence = previous?.sequence ?? 0
  const event = { meetingId, sequence, previousSequence, type, body: Buffer.from(body) }
  const secrets = await secretsOf(row.token_id ?? '')
  const signed = callbackHeaders(
    event,
    secrets ?? { signing: '', alsoValid: [] },
    deliveryId,
    row.started_at,
  )
  return { url, headers: secrets === null ? withoutSignatures(signed) : signed, body }
}

/** What readers of the meeting see: without signatures, and of the URL only the host, because the rest can be a secret. */
export function withoutSecrets({ url, headers, body }: SentRequest): SentRequest {
  const { protocol, host } = new URL(url)
  const shown = host === '' ? url : `${protocol}//${host}/…`
  return { url: shown, headers: withoutSignatures(headers), body }
}

function withoutSignatures(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !name.endsWith('signature')))
}
