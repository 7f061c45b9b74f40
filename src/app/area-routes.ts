import { makeListenerLanesDue } from '../deliveries/lane/lane-rows.ts'
import { createCallbackCopyStreamer } from '../deliveries/listeners/callback-copies.ts'
import type { SseSender } from '../http/pipeline/event-streams.ts'
import {
  MEETING_SURFACES,
  PROJECT_SURFACES,
  TASK_SURFACES,
} from '../http/pipeline/access/api-surfaces.ts'
import {
  deliveryListAndReplayRoutes,
  consoleCallbackDebuggingRoutes,
  testCallbackRoute,
} from '../http/routes/deliveries/delivery-routes.ts'
import { eventRoutes } from '../http/routes/meetings/event-routes.ts'
import { executionReadAndCancelRoutes } from '../http/routes/tasks/execution-routes.ts'
import { botAccountRoutes } from '../http/routes/meetings/bot-account-routes.ts'
import { chatRoutes } from '../http/routes/meetings/chat-routes.ts'
import { evidenceRoutes } from '../http/routes/meetings/evidence-routes.ts'
import { askRoutes } from '../http/routes/projects/ask-routes.ts'
import { documentTextRoutes } from '../http/routes/projects/document-routes.ts'
import { meetingRoutes } from '../http/routes/meetings/meeting-routes.ts'
import { listenerRoutes } from '../http/routes/deliveries/listener-routes.ts'
import { projectRoutes } from '../http/routes/projects/project-routes.ts'
import { recapRoutes } from '../http/routes/meetings/recap-routes.ts'
import { removalReportRoutes } from '../http/routes/meetings/removal-routes.ts'
import { transcriptAndDocumentSearchRoutes } from '../http/routes/projects/search-routes.ts'
import {
  consoleStartMeetingRoutes,
  startMeetingRoute,
} from '../http/routes/meetings/start-meeting-routes.ts'
import { recentTaskExecutionRoutes } from '../http/routes/tasks/task-figure-routes.ts'
import { taskRoutes } from '../http/routes/tasks/task-routes.ts'
import { transcriptRoutes } from '../http/routes/meetings/transcript-routes.ts'
import { modelUsageRoutes } from '../http/routes/tasks/usage-routes.ts'
import type { LeaveRules } from '../meetings/meeting.ts'
import type { Areas } from './areas.ts'
import type { BotPlatformsArea } from './bots.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { FastifyApp } from '../http/fastify-app.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import type { TasksArea } from '../tasks/area.ts'

type Parts = {
  areas: Areas
  tasks: TasksArea
  bots: BotPlatformsArea
  config: Config
  db: Db
  clock: Clock
  log: Log
  streams: SseSender
}

/** Registers the routes of the areas. Most exist twice: under /api/v1 for API keys and under /web for signed-in people. */
export function registerAreaRoutes(
  app: FastifyApp,
  { areas, tasks, bots, config, db, clock, log, streams }: Parts,
): void {
  const { meetings, eventLog } = areas.meetings
  const { deliveries, listeners } = areas.deliveries
  const { streamAll } = eventLog
  const timeoutMs = config.callbackTimeout * 1000
  const { secretsOf } = areas
  const copies = createCallbackCopyStreamer({ db, clock, secretsOf, streamAll, timeoutMs })
  const listening = {
    listeners,
    copies,
    currentPosition: eventLog.currentPosition,
    streams,
    makeLanesDue: (name: string) => makeListenerLanesDue(db, name, clock.now()),
  }
  for (const surface of Object.values(MEETING_SURFACES)) {
    transcriptRoutes(app, surface, { meetings })
    chatRoutes(app, surface, { meetings })
    evidenceRoutes(app, surface, { meetings })
    recapRoutes(app, surface, areas.recap)
    eventRoutes(app, surface, { eventLog, streams })
    deliveryListAndReplayRoutes(app, surface, { deliveries })
    listenerRoutes(app, surface, listening)
    meetingRoutes(app, surface, { meetings, deliveries })
  }
  const starting = {
    meetings,
    defaults: {
      botName: config.botName,
      leave: leaveDefaults(config),
      chatNotice: config.chatNotice,
    },
  }
  for (const surface of Object.values(PROJECT_SURFACES)) {
    projectRoutes(app, surface, { db })
    documentTextRoutes(app, surface, areas.projects)
    transcriptAndDocumentSearchRoutes(app, surface, areas.projects)
    askRoutes(app, surface, { ask: areas.ask, streams, log })
  }
  for (const surface of Object.values(TASK_SURFACES)) {
    taskRoutes(app, surface, tasks)
    executionReadAndCancelRoutes(app, surface, { area: tasks, streams })
    modelUsageRoutes(app, surface, { usage: tasks.listUsage, clock })
  }
  recentTaskExecutionRoutes(app, { figures: tasks.recentExecutions })
  botAccountRoutes(app, { botAccounts: bots.accounts, clock })
  removalReportRoutes(app, { db })
  startMeetingRoute(app, starting)
  testCallbackRoute(app, { deliveries })
  consoleStartMeetingRoutes(app, starting)
  consoleCallbackDebuggingRoutes(app, { deliveries })
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
