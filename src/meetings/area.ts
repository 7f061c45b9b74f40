import type { Pool } from 'pg'
import type { Db } from '../db/open.ts'
import type { Presence } from '../db/presence.ts'
import type { DeliveryEngine } from '../deliveries/engine.ts'
import type { Clock } from '../lib/clock.ts'
import type { Log } from '../log.ts'
import { PLATFORM_NAMES, type Platform, type PlatformName } from '../platforms/platform.ts'
import { attend } from './attend.ts'
import { createCapacity } from './capacity.ts'
import { createEventLog, type EventLog } from './event-log.ts'
import { createFeed } from './feed.ts'
import { createLedger } from './ledger.ts'
import { createMeetings, type Meetings } from './meetings.ts'
import { createMeetingMetrics, type MeetingMetrics } from './metrics.ts'
import { startRunner, type Berth } from './runner.ts'

export type MeetingsArea = AsyncDisposable & {
  meetings: Meetings
  eventLog: EventLog
  metrics: MeetingMetrics
}

type Parts = {
  db: Db
  pool: Pool
  clock: Clock
  log: Log
  /** The data folder. */
  root: string
  platforms: readonly Platform[]
  presence: Presence
  engine: DeliveryEngine
  bots: { bots: number; practiceBots: number }
  queue: { limit: number; timeoutMs: number }
  timeZone: string
  hasRoom(): boolean
  refuseCallback(url: string): Promise<string | null>
  refuseAccount(platform: PlatformName, account: string): Promise<string | null>
}

const WAKE = JSON.stringify({ wake: true })

/** The parts of the meetings area, put together. */
export function openMeetings(parts: Parts): MeetingsArea {
  const { db, pool, clock, log, root, platforms, presence, engine, queue } = parts
  const ledger = createLedger(pool)
  const metrics = createMeetingMetrics()
  const feed = createFeed({ presence, onNewsFromElsewhere: engine.look })
  const runner = startRunner({
    db,
    clock,
    log,
    presence,
    berths: berthsFor(parts.bots),
    queueTimeoutMs: queue.timeoutMs,
    run: (job) =>
      attend(
        {
          db,
          clock,
          log,
          root,
          platforms,
          ledger,
          feed,
          metrics,
          refuseAccount: parts.refuseAccount,
          laneFor: engine.laneFor,
          onWritten(meetingId, events) {
            engine.tell(
              meetingId,
              events.map((event) => ({ ...event, at: event.at.getTime() })),
            )
            feed.tell(meetingId)
          },
        },
        job,
      ),
    onClaimed: engine.wake,
  })
  presence.onCall((notice) => {
    if (notice === WAKE) runner.wake()
  })
  const meetings = createMeetings({
    ...parts,
    capacity: createCapacity(db, queue.limit),
    wake() {
      runner.wake()
      presence.call(WAKE)
    },
  })
  const eventLog = createEventLog({ db, feed })
  return { meetings, eventLog, metrics, [Symbol.asyncDispose]: () => runner[Symbol.asyncDispose]() }
}

/** Practice meetings need no browser and have a limit of their own. */
function berthsFor({ bots, practiceBots }: Parts['bots']): Berth[] {
  return [
    { platforms: PLATFORM_NAMES.filter((name) => name !== 'practice'), limit: bots },
    { platforms: ['practice'], limit: practiceBots },
  ]
}
