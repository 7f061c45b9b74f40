import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { Db } from './database.ts'

/** What almost every part of an area needs. */
export interface AreaContext {
  db: Db
  /** The database's time, which is the same for all nodes. */
  clock: Clock
  log: Log
}
