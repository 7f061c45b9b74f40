import { sql } from 'kysely'
import type { Db } from '../../db/database.ts'
import type { Timers } from '../../lib/time/clock.ts'
import { PARTIAL_EVENT_TYPE } from './partial-captions.ts'

/** Finds the nodes whose lanes send the partial captions of meetings that this node attends. */
export type PartialReceivers = ReturnType<typeof createPartialReceivers>

/** A lane that has moved to another node is found this late. Until then its partial captions are dropped. */
const CACHE_MS = 1_000

/** All meetings share one read, so that more meetings cause no more statements. */
export function createPartialReceivers(db: Db, timers: Pick<Timers, 'now'>) {
  const attended = new Set<{ meetingId: string }>()
  let readAt = -Infinity
  let nodes: Promise<ReadonlyMap<string, string>> = Promise.resolve(new Map())

  const readNodes = () => {
    if (timers.now() - readAt < CACHE_MS) return nodes
    readAt = timers.now()
    const meetingIds = [...attended].map(({ meetingId }) => meetingId)
    nodes = listReceivingNodes(db, meetingIds)
    return nodes
  }
  return {
    /** Open it while a bot of this node attends the meeting. */
    open(meetingId: string) {
      const meeting = { meetingId }
      attended.add(meeting)
      readAt = -Infinity
      return {
        /** Null while no node owns the lane, or if its receiver wants no partial captions. */
        findNode: async () => (await readNodes()).get(meetingId) ?? null,
        [Symbol.dispose]: () => void attended.delete(meeting),
      }
    },
  }
}

async function listReceivingNodes(db: Db, meetingIds: readonly string[]) {
  const { rows } = await sql<{ meetingId: string; nodeId: string }>`
    select meeting_id as "meetingId", owner as "nodeId" from lane
    where meeting_id = any(${meetingIds}::text[]) and kind = 'meeting' and state = 'open' and owner is not null
      and (events is null or ${PARTIAL_EVENT_TYPE} = any(events))`.execute(db)
  return new Map(rows.map(({ meetingId, nodeId }) => [meetingId, nodeId]))
}
