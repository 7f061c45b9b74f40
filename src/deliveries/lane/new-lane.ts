import type { Insertable, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { newId } from '../../lib/crypto/random.ts'

type LaneRow = Insertable<Database['lane']>

export type NewLane = Pick<LaneRow, 'meeting_id' | 'kind' | 'url' | 'token_id' | 'events'> & {
  /** Of a replay: what it begins behind, what the receiver should know before that, and where it ends. */
  delivered_through?: number
  previous_sequence?: number
  ends_at?: number
}

/** In the transaction of what the lane is for: whatever is stored from then on will be sent. */
export async function insertLane(
  tx: Transaction<Database>,
  lane: NewLane,
  at: Date,
): Promise<string> {
  const id = newId('lane')
  await tx
    .insertInto('lane')
    .values({ ...lane, id, ends_at: lane.ends_at ?? null, due_at: at, created_at: at })
    .execute()
  return id
}
