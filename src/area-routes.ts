import { callLanes } from './deliveries/listeners.ts'
import { createTaps } from './deliveries/taps.ts'
import type { EventStreams } from './http/event-stream.ts'
import { DOORS, LIBRARY_DOORS, TASK_DOORS } from './http/doors.ts'
import { deliveryRoutes, personDeliveryRoutes, testCallRoute } from './http/routes/deliveries.ts'
import { eventRoutes } from './http/routes/events.ts'
import { executionRoutes } from './http/routes/executions.ts'
import { botAccountRoutes } from './http/routes/bot-accounts.ts'
import { evidenceRoutes } from './http/routes/evidence.ts'
import { documentRoutes } from './http/routes/documents.ts'
import { meetingRoutes } from './http/routes/meetings.ts'
import { listenerRoutes } from './http/routes/listeners.ts'
import { projectRoutes } from './http/routes/projects.ts'
import { removalRoutes } from './http/routes/removals.ts'
import { searchRoutes } from './http/routes/search.ts'
import { personStartRoutes, startRoute } from './http/routes/start.ts'
import { taskFigureRoutes } from './http/routes/task-figures.ts'
import { taskRoutes } from './http/routes/tasks.ts'
import { transcriptRoutes } from './http/routes/transcripts.ts'
import { usageRoutes } from './http/routes/usage.ts'
import type { LeaveRules } from './meetings/meeting.ts'
import type { Areas } from './areas.ts'
import type { Bots } from './bots.ts'
import type { Config } from './config.ts'
import type { Db } from './db/open.ts'
import type { App } from './http/type-provider.ts'
import type { Clock } from './lib/clock.ts'
import type { TasksArea } from './tasks/area.ts'

type Parts = {
  areas: Areas
  tasks: TasksArea
  bots: Bots
  config: Config
  db: Db
  clock: Clock
  streams: EventStreams
}

/** What programs do under /api/v1 and people under /web: nearly the same, so it is written once. */
export function areaRoutes(
  app: App,
  { areas, tasks, bots, config, db, clock, streams }: Parts,
): void {
  const { meetings, eventLog } = areas.meetings
  const { deliveries, listeners } = areas.deliveries
  const { streamAll } = eventLog
  const timeoutMs = config.callbackTimeout * 1000
  const taps = createTaps({ db, clock, secretsOf: areas.secretsOf, streamAll, timeoutMs })
  const listening = {
    listeners,
    taps,
    present: eventLog.present,
    streams,
    callLanes: (name: string) => callLanes(db, name, clock.now()),
  }
  for (const door of Object.values(DOORS)) {
    transcriptRoutes(app, door, { meetings })
    evidenceRoutes(app, door, { meetings })
    eventRoutes(app, door, { eventLog, streams })
    deliveryRoutes(app, door, { deliveries })
    listenerRoutes(app, door, listening)
    meetingRoutes(app, door, { meetings, deliveries })
  }
  const starting = {
    meetings,
    defaults: { botName: config.botName, leave: leaveDefaults(config) },
  }
  for (const door of Object.values(LIBRARY_DOORS)) {
    projectRoutes(app, door, { db })
    documentRoutes(app, door, areas.projects)
    searchRoutes(app, door, areas.projects)
  }
  for (const door of Object.values(TASK_DOORS)) {
    taskRoutes(app, door, tasks)
    executionRoutes(app, door, { area: tasks, streams })
    usageRoutes(app, door, { usage: tasks.usage, clock })
  }
  taskFigureRoutes(app, { figures: tasks.figures })
  botAccountRoutes(app, { botAccounts: bots.accounts, clock })
  removalRoutes(app, { db })
  startRoute(app, starting)
  testCallRoute(app, { deliveries })
  personStartRoutes(app, starting)
  personDeliveryRoutes(app, { deliveries })
}

function leaveDefaults(config: Config): LeaveRules {
  return {
    lobbyTimeout: config.leaveLobbyTimeout,
    hostTimeout: config.leaveHostTimeout,
    nobodyJoined: config.leaveNobodyJoined,
    everyoneLeft: config.leaveEveryoneLeft,
    silence: config.leaveSilence ?? null,
    maxDuration: config.leaveMaxDuration,
  }
}
