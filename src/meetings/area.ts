import type { Pool } from 'pg'
import type { Db } from '../db/open.ts'
import type { Presence } from '../db/presence.ts'
import type { DeliveryEngine } from '../deliveries/engine.ts'
import type { Clock } from '../lib/clock.ts'
import { createLimit } from '../lib/limit.ts'
import type { Log } from '../log.ts'
import { PLATFORM_NAMES, type Platform, type PlatformName } from '../platforms/platform.ts'
import type { ProjectsArea } from '../projects/area.ts'
import { attend, type AdviserFor } from './attend.ts'
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
  projects: ProjectsArea
  bots: { bots: number; practiceBots: number }
  queue: { limit: number; timeoutMs: number }
  timeZone: string
  /** Null: the coach has the rules alone. */
  adviserFor: AdviserFor | null
  hasRoom(): boolean
  refuseCallback(url: string): Promise<string | null>
  refuseAccount(platform: PlatformName, account: string): Promise<string | null>
}

/** Documents that are written at once: each keeps a connection to the database meanwhile. */
const DOCUMENTS_AT_ONCE = 3
const WAKE = JSON.stringify({ wake: true })

/** The parts of the meetings area, put together. */
export function openMeetings(parts: Parts): MeetingsArea {
  const { db, pool, clock, log, root, platforms, presence, engine, queue, projects } = parts
  const { documentSaved } = projects
  const ledger = createLedger(pool, projects.spelling.learn)
  const metrics = createMeetingMetrics()
  const atDocuments = createLimit(DOCUMENTS_AT_ONCE)
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
          atDocuments,
          platforms,
          ledger,
          feed,
          metrics,
          refuseAccount: parts.refuseAccount,
          adviserFor: parts.adviserFor,
          laneFor: engine.laneFor,
          documentSaved,
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
    documentSaved,
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
