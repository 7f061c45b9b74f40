import type { EventContent } from '../../meetings/event-types.ts'
import type { MeetingDeliveryState } from '../history/delivery-summary.ts'

/** The chats whose webhooks can be used. */
export const NOTIFICATION_FORMATS = ['slack', 'teams', 'mattermost'] as const
export type NotificationFormat = (typeof NOTIFICATION_FORMATS)[number]

/** What a project can be notified about. */
export const NOTIFICATION_TOPICS = ['recaps', 'decisions', 'actions', 'failures'] as const
export type NotificationTopic = (typeof NOTIFICATION_TOPICS)[number]

export const MAX_NOTIFICATIONS = 20

/** An event that a message reports. Tasks have no events for callbacks. */
export type NotifiedEvent =
  | Extract<
      EventContent,
      {
        type:
          | 'recap_ready'
          | 'decision_recorded'
          | 'action_created'
          | 'action_changed'
          | 'meeting_status'
      }
    >
  | { type: 'task_failed'; payload: { status: string; reason: string | null } }

export const TOPIC_OF_EVENT = {
  recap_ready: 'recaps',
  decision_recorded: 'decisions',
  action_created: 'actions',
  action_changed: 'actions',
  meeting_status: 'failures',
  task_failed: 'failures',
} as const satisfies Record<NotifiedEvent['type'], NotificationTopic>

/** What was stored in one transaction. Each notification gets the events of its topics as one message. */
export type NotificationMessage = {
  project: string
  /** Of the meeting, or the name of the task. */
  title: string
  /** Opens the meeting or task in the console, relative to where people open it. */
  path: string
  events: NotifiedEvent[]
}

/** A webhook to which a project sends messages. Its URL is a secret and is never returned. */
export type Notification = {
  id: string
  project: string
  name: string
  format: NotificationFormat
  topics: NotificationTopic[]
  /** The host of the URL. */
  host: string
  /** `closed`: nothing is sent until it is resumed. */
  state: MeetingDeliveryState
  isPaused: boolean
  pending: number
  delivered: number
  /** Messages that were given up. */
  failed: number
  lastError: string | null
  /** The beginning of the receiver's last answer that was not a success. */
  lastAnswer: string | null
  nextAttemptAt: Date | null
  createdBy: string
  createdAt: Date
}

/** The `lastError` of a lane that a person paused. */
export const PAUSED_LAST_ERROR = 'paused'

/** The label under which the URL of a notification is encrypted. */
export function urlLabel(id: string): string {
  return `notification:${id}`
}
