import type { FaultRow } from './fault-row.ts'
import {
  connectionsExhausted,
  connectionsKilled,
  databaseFrozen,
  databaseRestart,
} from './rows/database-faults.ts'
import { droppedLinkOf } from './rows/dropped-link.ts'
import { fullDisk } from './rows/full-disk.ts'
import { mixedReceiver } from './rows/mixed-receiver.ts'
import { kills, pauseOf, rollingRestart } from './rows/node-faults.ts'
import { receivers } from './rows/receivers.ts'
import { manyStreams } from './rows/streams.ts'
import { tasksWithKills } from './rows/tasks.ts'
import { tricklingReceivers } from './rows/trickling-receivers.ts'
import { clockWrongBy } from './rows/wrong-clocks.ts'

/** Every row of the table by name, in the order in which they run. */
export const FAULT_ROWS: Readonly<Record<string, FaultRow>> = {
  kill: kills,
  'pause-5': pauseOf(5),
  'pause-20': pauseOf(20),
  'pause-40': pauseOf(40),
  'rolling-restart': rollingRestart,
  'database-restart': databaseRestart,
  'database-frozen': databaseFrozen,
  'connections-killed': connectionsKilled,
  'connections-exhausted': connectionsExhausted,
  'link-30': droppedLinkOf(30),
  'link-60': droppedLinkOf(60),
  'clock-ahead-1h': clockWrongBy(1),
  'clock-behind-1h': clockWrongBy(-1),
  'clock-ahead-25h': clockWrongBy(25),
  'full-disk': fullDisk,
  receivers,
  'mixed-receiver': mixedReceiver,
  'trickling-receivers': tricklingReceivers,
  streams: manyStreams,
  tasks: tasksWithKills,
}
