import { z } from 'zod'
import {
  CallbackProblem,
  Count,
  DeliveryId,
  Instant,
  RequestWarnings,
  NullableText,
} from './common.ts'
import { HttpUrl } from './meetings/start-meeting.ts'
import {
  ATTEMPT_OUTCOMES,
  DELIVERY_STATES,
  NOTIFICATION_FORMATS,
  NOTIFICATION_TOPICS,
} from './values.ts'

const NotificationId = z
  .string()
  .meta({ pattern: '^ntf_[0-9A-Za-z]+$', examples: ['ntf_4fJq0Zb1y9nB4Q2wKxT5'] })
const format = z
  .enum(NOTIFICATION_FORMATS)
  .describe('`teams`: a webhook of a workflow in Microsoft Teams')
const topics = z
  .array(z.enum(NOTIFICATION_TOPICS))
  .describe('`failures`: of meetings and tasks of the project')
const name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ pattern: '\\S', examples: ['Channel sales'] })
const url = HttpUrl.describe('Secret address of the webhook, which the chat shows').meta({
  examples: ['https://chat.example.com/hooks/4fjq0zb1y9nb4q2wkxt5'],
})
const someTopics = topics
  .min(1)
  .max(NOTIFICATION_TOPICS.length)
  .refine((list) => new Set(list).size === list.length, 'Must not name a topic twice')

export const Notification = z
  .object({
    id: NotificationId,
    project: z.string(),
    name: z.string().meta({ examples: ['Channel sales'] }),
    format,
    topics,
    host: z.string().describe('Host of the address; the address itself is never returned'),
    state: z
      .enum(DELIVERY_STATES)
      .describe('`closed`: nothing is sent until it is resumed; the others as for callbacks'),
    isPaused: z
      .boolean()
      .describe('True if a person paused it, or the chat wants no more messages'),
    problem: CallbackProblem.describe('Why messages do not arrive; null while they do'),
    answer: NullableText.describe(
      'What the chat answered to the message that did not arrive; null without one',
    ),
    pending: Count.describe('Messages that were not sent yet'),
    delivered: Count,
    failed: Count.describe('Messages that were given up'),
    nextAttemptAt: Instant.nullable().describe('Null while none fail'),
    createdBy: z.string().describe('Who added it, as in the audit log'),
    createdAt: Instant,
  })
  .meta({ id: 'Notification' })

export const NotificationsResponse = z.object({ notifications: z.array(Notification) })
export const NotificationResponse = z.object({
  notification: Notification,
  warnings: RequestWarnings,
})

const EXAMPLE_URL = 'https://chat.example.com/hooks/4fjq0zb1y9nb4q2wkxt5'
export const CreateNotificationBody = z.object({ name, format, url, topics: someTopics }).meta({
  examples: [
    { name: 'Channel sales', format: 'slack', url: EXAMPLE_URL, topics: ['recaps', 'actions'] },
  ],
})
export const UpdateNotificationBody = z
  .object({
    name: name.optional(),
    format: format.optional(),
    url: url.optional(),
    topics: someTopics.optional(),
    isPaused: z
      .boolean()
      .optional()
      .describe('False sends what waits, and also resumes what the chat stopped'),
  })
  .meta({ examples: [{ isPaused: false }] })

export const PreviewNotificationBody = z
  .object({ format, topics: someTopics })
  .meta({ examples: [{ format: 'slack', topics: ['recaps', 'actions'] }] })
export const NotificationPreviewResponse = z.object({
  body: z.string().describe('The body of the request as JSON, indented'),
  text: z.string().describe('The same message as plain text'),
  warnings: RequestWarnings,
})

const attempt = {
  startedAt: Instant,
  durationMs: Count,
  outcome: z.enum(ATTEMPT_OUTCOMES),
  status: z
    .int()
    .min(100)
    .max(999)
    .nullable()
    .describe('HTTP status of the answer; null when there was none'),
  problem: CallbackProblem.describe('Why the message did not arrive; null if it did'),
  answer: z.string().describe('The first 2 KiB of the answer'),
}
export const NotificationTestResponse = z.object({ ...attempt, warnings: RequestWarnings })
export const NotificationAttemptsResponse = z.object({
  attempts: z
    .array(
      z
        .object({
          ...attempt,
          deliveryId: DeliveryId,
          type: z.string().describe('The topic of the first event in the message, or `test`'),
          nextAttemptAt: Instant.nullable(),
        })
        .meta({ id: 'NotificationAttempt' }),
    )
    .describe('At most 50'),
})

/** The JSON form of the responses, for the console. */
export type ApiNotification = z.input<typeof Notification>
export type ApiNotificationAttempts = z.input<typeof NotificationAttemptsResponse>
