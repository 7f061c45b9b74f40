import type { Db, Tx } from '../../../db/database.ts'
import { describeChatProblem } from '../../../deliveries/notifications/chat-problem.ts'
import type { Notification } from '../../../deliveries/notifications/notification.ts'
import type {
  NotificationTest,
  Notifications,
} from '../../../deliveries/notifications/notifications.ts'
import type { FastifyApp } from '../../fastify-app.ts'
import { defineRoutes } from '../../pipeline/define-routes.ts'
import type { ApiSurface } from '../../pipeline/access/api-surfaces.ts'
import { readAuditActor } from '../../pipeline/access/caller.ts'
import { PROJECT_SUBJECT } from '../../pipeline/access/subject-access.ts'
import { SuccessResponse } from '../../shapes/common.ts'
import {
  CreateNotificationBody,
  NotificationAttemptsResponse,
  NotificationPreviewResponse,
  NotificationResponse,
  NotificationsResponse,
  NotificationTestResponse,
  PreviewNotificationBody,
  UpdateNotificationBody,
} from '../../shapes/notifications.ts'

type Parts = {
  notifications: Notifications
  /** Throws `project_not_found` if the project does not exist. */
  requireProject(project: string): Promise<unknown>
}
const NOT_FOUND = ['project_not_found', 'notification_not_found'] as const

/** Messages to the chats of a project. Only those who may edit the project see and change them. */
export function projectNotificationRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  parts: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Projects')

  const { notifications, requireProject } = parts

  routes.get('/projects/:projectId/notifications', {
    subject: PROJECT_SUBJECT.edit,
    summary: 'The notifications of a project by name',
    description: 'For those who may edit the project. Addresses are never returned.',
    response: NotificationsResponse,
    handler: async (request) => {
      const { projectId } = request.params
      await requireProject(projectId)
      return { notifications: (await notifications.list(projectId)).map(toApiNotification) }
    },
  })

  routes.get('/projects/:projectId/notifications/:notificationId/attempts', {
    subject: PROJECT_SUBJECT.edit,
    errorCodes: NOT_FOUND,
    summary: 'The newest attempts to send a message, newest first',
    description: 'Each HTTP request to the chat is one attempt.',
    response: NotificationAttemptsResponse,
    handler: async (request) => {
      const { projectId, notificationId } = request.params
      await requireProject(projectId)
      const attempts = await notifications.listAttempts(projectId, notificationId)
      return {
        attempts: attempts.map(({ id, type, nextAttemptAt, ...attempt }) => ({
          deliveryId: id,
          type,
          nextAttemptAt,
          ...toApiAttempt(attempt),
        })),
      }
    },
  })

  routes.idempotentPost('/projects/:projectId/notifications', {
    subject: PROJECT_SUBJECT.edit,
    findFieldProblems: notifications.findUrlProblems,
    errorCodes: ['too_many_notifications', 'callback_url_blocked'],
    summary: 'Add a notification: send messages to a chat',
    description:
      'From now on, what happens in the project is posted to a webhook of Slack, Microsoft Teams or Mattermost.',
    body: CreateNotificationBody,
    status: 201,
    response: NotificationResponse,
    async run(request, beforeCommit: (tx: Db, notification: Notification) => Promise<void>) {
      const { projectId } = request.params
      await requireProject(projectId)
      return notifications.create(
        projectId,
        request.body,
        readAuditActor(request),
        (tx: Tx, notification) => beforeCommit(tx, notification),
      )
    },
    toResponse: (notification) => ({ notification: toApiNotification(notification) }),
  })

  routes.patch('/projects/:projectId/notifications/:notificationId', {
    subject: PROJECT_SUBJECT.edit,
    findFieldProblems: notifications.findUrlProblems,
    errorCodes: [...NOT_FOUND, 'callback_url_blocked'],
    summary: 'Change a notification; only the sent fields change',
    description: 'A notification that the chat stopped stays paused until it is resumed.',
    body: UpdateNotificationBody,
    response: NotificationResponse,
    handler: async (request) => {
      const { projectId, notificationId } = request.params
      await requireProject(projectId)
      const actor = readAuditActor(request)
      const changed = await notifications.update(projectId, notificationId, request.body, actor)
      return { notification: toApiNotification(changed) }
    },
  })

  routes.delete('/projects/:projectId/notifications/:notificationId', {
    subject: PROJECT_SUBJECT.edit,
    errorCodes: NOT_FOUND,
    summary: 'Remove a notification',
    description: 'Its waiting messages are not sent.',
    response: SuccessResponse,
    handler: async (request) => {
      const { projectId, notificationId } = request.params
      await requireProject(projectId)
      await notifications.remove(projectId, notificationId, readAuditActor(request))
    },
  })
  trialRoutes(app, surface, parts)
}

function trialRoutes(
  app: FastifyApp,
  surface: ApiSurface,
  { notifications, requireProject }: Parts,
): void {
  const routes = defineRoutes(app, surface, 'Projects')

  const url = '/projects/:projectId/notifications'
  routes.post(`${url}/preview`, {
    subject: PROJECT_SUBJECT.edit,
    summary: 'Show a sample message in the format of a chat',
    description: 'Nothing is stored or sent.',
    body: PreviewNotificationBody,
    response: NotificationPreviewResponse,
    handler: async (request) => {
      const { projectId } = request.params
      await requireProject(projectId)
      return notifications.preview(projectId, request.body.format, request.body.topics)
    },
  })

  routes.post(`${url}/:notificationId/test`, {
    subject: PROJECT_SUBJECT.edit,
    rateLimit: 'starts',
    errorCodes: NOT_FOUND,
    summary: 'Send a sample message and return the answer of the chat',
    description: 'Sent once, to the stored address.',
    response: NotificationTestResponse,
    handler: async (request) => {
      const { projectId, notificationId } = request.params
      await requireProject(projectId)
      return toApiAttempt(await notifications.test(projectId, notificationId))
    },
  })
}

function toApiNotification({ lastError, lastAnswer, ...notification }: Notification) {
  return { ...notification, problem: describeChatProblem(lastError), answer: lastAnswer }
}

function toApiAttempt({ error, ...attempt }: NotificationTest) {
  const { status, outcome } = attempt
  const code = status === null ? error : `http_${status}`
  return { ...attempt, problem: outcome === 'delivered' ? null : describeChatProblem(code) }
}
