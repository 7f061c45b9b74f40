import type { AreaContext } from '../../db/context.ts'
import { sql } from 'kysely'
import { appendAudit, type Actor } from '../../accounts/audit.ts'
import type { Db, Tx } from '../../db/database.ts'
import { ServiceError, throwIfAnyErrors } from '../../errors.ts'
import { newId, type SecretBox } from '../../lib/crypto.ts'
import { classifyResponseStatus, type AttemptOutcome } from '../lane/retry-policy.ts'
import { TEST_EVENT_TYPE } from '../test-callback.ts'
import type { PostResult } from '../transport.ts'
import { formatMessage } from './formats.ts'
import { outlineMessage, toPlainMessage } from './message-outline.ts'
import type { MessagePoster } from './message-poster.ts'
import {
  insertNotification,
  listNotifications,
  lockNotification,
  pauseNotification,
  requireNotification,
  resumeNotification,
} from './notification-store.ts'
import {
  urlLabel,
  type Notification,
  type NotificationFormat,
  type NotificationTopic,
} from './notification.ts'
import { createSampleMessage } from './sample-message.ts'

export type NewNotification = {
  name: string
  format: NotificationFormat
  url: string
  topics: NotificationTopic[]
}
/** Absent fields stay as they are. */
export type NotificationChange = {
  [Field in keyof NewNotification]?: NewNotification[Field] | undefined
} & { isPaused?: boolean | undefined }

export type NotificationAttempt = {
  id: string
  type: string
  startedAt: Date
  durationMs: number
  outcome: AttemptOutcome
  status: number | null
  error: string | null
  answer: string
  nextAttemptAt: Date | null
}

export type NotificationTest = Omit<NotificationAttempt, 'id' | 'type' | 'nextAttemptAt'>

/** The webhooks of chats to which a project sends messages. */
export interface Notifications {
  list(project: string): Promise<Notification[]>
  create(
    project: string,
    notification: NewNotification,
    actor: Actor,
    beforeCommit?: (tx: Tx, notification: Notification) => Promise<void>,
  ): Promise<Notification>
  update(
    project: string,
    id: string,
    change: NotificationChange,
    actor: Actor,
  ): Promise<Notification>
  remove(project: string, id: string, actor: Actor): Promise<void>
  /** Lists the newest attempts to send a message. */
  listAttempts(project: string, id: string): Promise<NotificationAttempt[]>
  /** A sample message: the request body, and the same as plain text. */
  preview(
    project: string,
    format: NotificationFormat,
    topics: readonly NotificationTopic[],
  ): { body: string; text: string }
  /** Sends a sample message now, and returns the answer of the chat. */
  test(project: string, id: string): Promise<NotificationTest>
  /** The error with which a URL would be refused. Empty without a URL or a problem. */
  findUrlProblems(fields: { url?: string | undefined }): Promise<ServiceError[]>
}

type Parts = AreaContext & {
  secretBox: SecretBox
  poster: MessagePoster
  publicUrl: string
  timeoutMs: number
  newDeliveryId(at: number): string
  findCallbackProblem(url: string): Promise<string | null>
  wake(): void
}

const MAX_ATTEMPTS = 50

export function createNotifications(parts: Parts): Notifications {
  const { db, clock, secretBox, wake } = parts
  const toUrlColumns = (id: string, url: string) => ({
    host: new URL(url).host,
    url_sealed: secretBox.seal(url, urlLabel(id)),
  })
  const findUrlProblems: Notifications['findUrlProblems'] = async ({ url }) => {
    const problem = url === undefined ? null : await parts.findCallbackProblem(url)
    const details = problem === null ? [] : [{ path: 'url', message: problem }]
    return details.length === 0 ? [] : [new ServiceError('callback_url_blocked', { details })]
  }
  return {
    list: (project) => listNotifications(db, project),
    async create(project, { url, ...fields }, actor, beforeCommit) {
      throwIfAnyErrors(await findUrlProblems({ url }))
      const id = newId('ntf')
      const now = clock.now()
      return db.transaction().execute(async (tx) => {
        const row = { id, project, ...fields, ...toUrlColumns(id, url), created_by: actor.name }
        await insertNotification(tx, row, now)
        await appendAudit(tx, now, actor, 'notification added', id, project)
        const notification = await requireNotification(tx, project, id)
        await beforeCommit?.(tx, notification)
        return notification
      })
    },
    async update(project, id, { url, isPaused, name, format, topics }, actor) {
      throwIfAnyErrors(await findUrlProblems({ url }))
      const now = clock.now()
      const updated = await db.transaction().execute(async (tx) => {
        await lockNotification(tx, project, id)
        const columns = {
          ...(name !== undefined && { name }),
          ...(format !== undefined && { format }),
          ...(topics !== undefined && { topics }),
          ...(url !== undefined && toUrlColumns(id, url)),
        }
        if (Object.keys(columns).length > 0)
          await tx.updateTable('notification').set(columns).where('id', '=', id).execute()
        if (isPaused === true) await pauseNotification(tx, id)
        if (isPaused === false) await resumeNotification(tx, id, now)
        await appendAudit(tx, now, actor, 'notification changed', id, project)
        return requireNotification(tx, project, id)
      })
      wake()
      return updated
    },
    async remove(project, id, actor) {
      await db.transaction().execute(async (tx) => {
        await lockNotification(tx, project, id)
        await tx.deleteFrom('notification').where('id', '=', id).execute()
        await appendAudit(tx, clock.now(), actor, 'notification removed', id, project)
      })
    },
    async listAttempts(project, id) {
      await requireNotification(db, project, id)
      return db
        .selectFrom('delivery_attempt as a')
        .innerJoin('lane as l', 'l.id', 'a.lane_id')
        .select(['a.id', 'a.type', 'a.started_at as startedAt', 'a.duration_ms as durationMs'])
        .select(['a.outcome', 'a.status', 'a.error', 'a.answer'])
        .select('a.next_attempt_at as nextAttemptAt')
        .where('l.notification_id', '=', id)
        .where('a.meeting_id', 'is', null)
        .orderBy('a.started_at', 'desc')
        .orderBy('a.id', 'desc')
        .limit(MAX_ATTEMPTS)
        .execute()
    },
    preview(project, format, topics) {
      const message = createSampleMessage(project, topics, clock.now(), parts.publicUrl)
      const outline = outlineMessage(message, parts.publicUrl)
      const body = JSON.stringify(JSON.parse(formatMessage(format, outline)), null, 2)
      return { body, text: toPlainMessage(outline) }
    },
    async test(project, id) {
      const { topics } = await requireNotification(db, project, id)
      const startedAt = clock.now()
      const deliveryId = parts.newDeliveryId(startedAt.getTime())
      const { signal } = new AbortController()
      const options = { timeoutMs: parts.timeoutMs, isFailing: true, deliveryId, signal }
      const message = createSampleMessage(project, topics, startedAt, parts.publicUrl)
      const result = await parts.poster.postMessage(id, message, {
        ...options,
        connection: 'fresh',
      })
      if (result === null) throw new ServiceError('notification_not_found')
      const test = toTest(result, startedAt)
      await storeTestAttempt(db, id, deliveryId, test)
      return test
    },
    findUrlProblems,
  }
}

function toTest(
  { status, error, answer, durationMs }: PostResult,
  startedAt: Date,
): NotificationTest {
  const outcome = classifyResponseStatus(status, 'notification')
  return { startedAt, durationMs: Math.round(durationMs), outcome, status, error, answer }
}

async function storeTestAttempt(
  db: Db,
  notificationId: string,
  id: string,
  { startedAt, durationMs, outcome, status, error, answer }: NotificationTest,
): Promise<void> {
  await sql`insert into delivery_attempt
      (id, lane_id, sequence, type, started_at, duration_ms, outcome, status, error, answer)
    select ${id}, l.id, 0, ${TEST_EVENT_TYPE}, ${startedAt}, ${durationMs}::int, ${outcome},
      ${status}::int, ${error}, ${answer}
    from lane l where l.notification_id = ${notificationId}`.execute(db)
}
