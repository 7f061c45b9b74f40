import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { DEAD_AFTER_SECONDS } from './node-membership.ts'

/** A process of this instance, as the database knows it. */
export type NodeInfo = {
  id: string
  /** False: it has not beaten for a while, and what it held is free. */
  isAlive: boolean
  beatAt: Date
  /** How many bots it takes, and how many meetings it attends. */
  bots: number
  meetings: number
}

export async function listNodes(db: Db): Promise<NodeInfo[]> {
  const { rows } = await sql<NodeInfo>`
    select id, beat_at as "beatAt", bots,
      beat_at > now() - make_interval(secs => ${DEAD_AFTER_SECONDS}) as "isAlive",
      (select count(*)::int from meeting
       where owner = node.id and status not in ('ended', 'error')) as meetings
    from node order by id`.execute(db)
  return rows
}
