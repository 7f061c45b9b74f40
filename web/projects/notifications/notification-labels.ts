import type { NotificationFormat, NotificationTopic } from '../../../src/http/shapes/values.ts'

export const FORMAT_LABELS: Record<NotificationFormat, string> = {
  slack: 'Slack',
  teams: 'Microsoft Teams',
  mattermost: 'Mattermost',
}

export const TOPIC_LABELS: Record<NotificationTopic, string> = {
  recaps: 'Recaps',
  decisions: 'Decisions',
  actions: 'Action items',
  failures: 'Failed meetings and tasks',
}
