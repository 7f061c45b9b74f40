import { sql } from 'kysely'
import type { Db } from './open.ts'
import { SILENT_SECONDS } from './presence.ts'

/** A process of this instance, as the database knows it. */
export type NodeRow = {
  id: string
  /** False: it has not beaten for a while, and what it held is free. */
  isAlive: boolean
  beatAt: Date
  /** How many bots it takes, and how many meetings it attends. */
  bots: number
  meetings: number
}

export async function listNodes(db: Db): Promise<NodeRow[]> {
  const { rows } = await sql<NodeRow>`
    select id, beat_at as "beatAt", bots,
      beat_at > now() - make_interval(secs => ${SILENT_SECONDS}) as "isAlive",
      (select count(*)::int from meeting
       where owner = node.id and status not in ('ended', 'error')) as meetings
    from node order by id`.execute(db)
  return rows
}
