import { mayReadLines, type FoundLine } from '../access/project-use.ts'
import { INSTANCE_VIEWER, type Viewer } from '../access/viewer.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import {
  createAnswerAccess,
  type ListenerCaller,
  createCallbackCopyStreamer,
} from '../deliveries/callback-copies.ts'
import { makeListenerLanesDue } from '../deliveries/lane/lane-rows.ts'
import { ServiceError, invalidField } from '../errors.ts'
import type { FastifyApp } from '../http/fastify-app.ts'
import {
  MEETING_SURFACES,
  PROJECT_SURFACES,
  TASK_SURFACES,
} from '../http/pipeline/access/api-surfaces.ts'
import type { SseSender } from '../http/pipeline/event-streams.ts'
import type { RequestCounter } from '../http/pipeline/rate-limit.ts'
import { digestFeedRoutes } from '../http/routes/accounts/digest-feed-routes.ts'
import { unsubscribeRoutes } from '../http/routes/accounts/unsubscribe-routes.ts'
import { calendarAccountRoutes } from '../http/routes/calendars/calendar-account-routes.ts'
import { calendarNotificationRoutes } from '../http/routes/notifications/calendar-notification-routes.ts'
import { connectionNotificationRoutes } from '../http/routes/notifications/connection-notification-routes.ts'
import { calendarRoutes } from '../http/routes/calendars/calendar-routes.ts'
import { upcomingRoutes } from '../http/routes/calendars/upcoming-routes.ts'
import {
  deliveryListRoutes,
  deliveryReplayRoutes,
  consoleCallbackDebuggingRoutes,
  testCallbackRoute,
} from '../http/routes/deliveries/delivery-routes.ts'
import { listenerRoutes } from '../http/routes/deliveries/listener-routes.ts'
import { botAccountRoutes } from '../http/routes/meetings/bot-account-routes.ts'
import { editRoutes } from '../http/routes/meetings/edit-routes.ts'
import { eventRoutes } from '../http/routes/meetings/event-routes.ts'
import { evidenceRoutes } from '../http/routes/meetings/evidence-routes.ts'
import { recordingRoutes } from '../http/routes/meetings/recording-routes.ts'
import { importRoutes } from '../http/routes/meetings/import-routes.ts'
import { lineNoteRoutes } from '../http/routes/meetings/line-note-routes.ts'
import { meetingRoutes, removalReportRoutes } from '../http/routes/meetings/meeting-routes.ts'
import { recapItemRoutes } from '../http/routes/meetings/recap-item-routes.ts'
import { recapRoutes } from '../http/routes/meetings/recap-routes.ts'
import {
  consoleStartMeetingRoutes,
  startMeetingRoute,
} from '../http/routes/meetings/start-meeting-routes.ts'
import { chatRoutes, transcriptRoutes } from '../http/routes/meetings/transcript-routes.ts'
import { zoomWebhookRoute } from '../http/routes/meetings/zoom-webhook-routes.ts'
import { askRoutes } from '../http/routes/projects/ask-routes.ts'
import { documentTextRoutes } from '../http/routes/projects/document-routes.ts'
import {
  projectAccessRoutes,
  projectAdminRoutes,
} from '../http/routes/projects/project-access-routes.ts'
import { projectRoutes } from '../http/routes/projects/project-routes.ts'
import { projectNotificationRoutes } from '../http/routes/projects/notification-routes.ts'
import { recapSettingsRoutes } from '../http/routes/projects/recap-settings-routes.ts'
import { vocabularyRoutes } from '../http/routes/projects/vocabulary-routes.ts'
import { transcriptSettingsRoutes } from '../http/routes/projects/transcript-settings-routes.ts'
import { transcriptAndDocumentSearchRoutes } from '../http/routes/projects/search-routes.ts'
import { meetingShareRoutes, projectShareRoutes } from '../http/routes/sharing/share-routes.ts'
import {
  createSharedPageLimit,
  sharedPageRoutes,
} from '../http/routes/sharing/shared-page-routes.ts'
import {
  executionReadAndCancelRoutes,
  recentTaskExecutionRoutes,
} from '../http/routes/tasks/execution-routes.ts'
import { promptRoutes } from '../http/routes/tasks/prompt-routes.ts'
import { taskRoutes } from '../http/routes/tasks/task-routes.ts'
import { modelUsageRoutes } from '../http/routes/tasks/usage-routes.ts'
import type { Clock } from '../lib/time/clock.ts'
import type { Log } from '../log.ts'
import { isInMeetingsFolder } from '../projects/document-ref.ts'
import type { TasksArea } from '../tasks/area.ts'
import type { Areas } from './areas.ts'
import type { BotPlatformsArea } from './bots.ts'
import { toLeaveRules } from './configured-areas.ts'

type Parts = {
  /** Counts the requests of this minute. */
  counts: RequestCounter
  areas: Areas
  tasks: TasksArea
  bots: BotPlatformsArea
  config: Config
  db: Db
  clock: Clock
  log: Log
  streams: SseSender
  /** The URL that links in API responses start with. */
  baseUrl(): string
}

/** Registers the areas' routes. Most exist twice: under /api/v1 for API keys and under /web for signed-in people. */
export function registerAreaRoutes(
  app: FastifyApp,
  { areas, tasks, bots, config, db, clock, log, streams, baseUrl, counts }: Parts,
): void {
  const { meetings, editor, eventLog } = areas.meetings
  const { recaps } = areas.recap
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
    createAnswerAccess: (getCaller: () => ListenerCaller) => createAnswerAccess(db, getCaller),
    makeLanesDue: (name: string) => makeListenerLanesDue(db, name, clock.now()),
  }
  const { shares } = areas
  const { getAccess: requireProject } = areas.projectAccess
  const sharing = {
    shares,
    requireMeeting: meetings.get,
    requireProject,
    ...createSharedDocumentReader(areas),
    baseUrl,
  }
  for (const surface of Object.values(MEETING_SURFACES)) {
    transcriptRoutes(app, surface, { meetings })
    chatRoutes(app, surface, { meetings })
    lineNoteRoutes(app, surface, areas.meetings)
    evidenceRoutes(app, surface, { meetings })
    recapRoutes(app, surface, areas.recap)
    recapItemRoutes(app, surface, areas.recap)
    eventRoutes(app, surface, { eventLog, streams })
    deliveryListRoutes(app, surface, { deliveries })
    deliveryReplayRoutes(app, surface, { deliveries })
    listenerRoutes(app, surface, listening)
    meetingShareRoutes(app, surface, sharing)
    meetingRoutes(app, surface, { meetings, deliveries, recaps, clock })
    editRoutes(app, surface, { editor, recaps, clock })
    calendarRoutes(app, surface, areas.calendars)
    calendarAccountRoutes(app, surface, areas.calendars)
    upcomingRoutes(app, surface, { area: areas.calendars, collectBrief: areas.collectBrief, clock })
    importRoutes(app, surface, { imports: areas.meetings.imports })
    recordingRoutes(app, surface, areas.recordings)
  }
  const starting = {
    meetings,
    defaults: {
      botName: config.botName,
      leave: toLeaveRules(config),
      chatNotice: config.chatNotice,
    },
  }
  const asking = {
    ask: areas.ask,
    streams,
    log,
    mayReadLines: (viewer: Viewer, lines: readonly FoundLine[]) => mayReadLines(db, viewer, lines),
  }
  for (const surface of Object.values(PROJECT_SURFACES)) {
    projectRoutes(app, surface, { db })
    projectAccessRoutes(app, surface, areas)
    recapSettingsRoutes(app, surface, {
      recaps,
      requireProject,
      hasMail: areas.mail.isOn,
      isSharingOn: config.sharing,
      clock,
    })
    vocabularyRoutes(app, surface, { ...areas.projects, requireProject })
    transcriptSettingsRoutes(app, surface, { db, clock, requireProject })
    projectNotificationRoutes(app, surface, { ...areas.deliveries, requireProject })
    projectShareRoutes(app, surface, sharing)
    documentTextRoutes(app, surface, areas.projects)
    transcriptAndDocumentSearchRoutes(app, surface, areas.projects)
    askRoutes(app, surface, asking)
  }
  for (const surface of Object.values(TASK_SURFACES)) {
    taskRoutes(app, surface, { ...tasks, clock })
    executionReadAndCancelRoutes(app, surface, { area: tasks, streams })
    modelUsageRoutes(app, surface, { usage: tasks.listUsage, clock })
  }
  const { timeZone } = config
  const limit = createSharedPageLimit({ counts, clock, isOn: config.rateLimit })
  sharedPageRoutes(app, { ...sharing, ...areas.recap, meetings, timeZone, limit })
  calendarNotificationRoutes(app, areas.calendars)
  connectionNotificationRoutes(app, areas.connections)
  unsubscribeRoutes(app, { mail: areas.mail, limit })
  digestFeedRoutes(app, { mail: areas.mail, limit })
  promptRoutes(app, { ...tasks, clock })
  recentTaskExecutionRoutes(app, { figures: tasks.recentExecutions })
  const { zoomWebhooks: webhooks } = bots
  zoomWebhookRoute(app, { webhooks, counts, clock, hasLimits: config.rateLimit })
  botAccountRoutes(app, { botAccounts: bots.accounts, clock })
  removalReportRoutes(app, { db })
  projectAdminRoutes(app, areas)
  startMeetingRoute(app, starting)
  testCallbackRoute(app, { deliveries })
  consoleStartMeetingRoutes(app, starting)
  consoleCallbackDebuggingRoutes(app, { deliveries })
}

/** Reads documents for share links. Access was checked when the link was found. */
function createSharedDocumentReader({ projects }: Areas) {
  const reader = projects.openDocumentReader(INSTANCE_VIEWER)
  return {
    readDocument: reader.read,
    async requireShareableDocument(project: string, path: string) {
      if (isInMeetingsFolder({ project, path })) {
        const message = 'Is a transcript: share its meeting instead'
        throw invalidField('path', message)
      }
      if ((await reader.read(project, path)) === null) throw new ServiceError('document_not_found')
    },
  }
}
