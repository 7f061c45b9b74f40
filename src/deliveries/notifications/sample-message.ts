import {
  TOPIC_OF_EVENT,
  type NotificationMessage,
  type NotificationTopic,
  type NotifiedEvent,
} from './notification.ts'

/** An invented message for a preview or a test, with the events of these topics. */
export function createSampleMessage(
  project: string,
  topics: readonly NotificationTopic[],
  at: Date,
  publicUrl: string,
): NotificationMessage {
  const timestamp = at.toISOString()
  const path = '/meetings'
  const item = {
    project,
    meetingTitle: 'Sample meeting',
    segmentNumbers: [12],
    url: `${publicUrl}${path}`,
    timestamp,
  }
  const action = { text: 'Update the price list', owner: 'Ada', dueDate: timestamp.slice(0, 10) }
  const events: NotifiedEvent[] = [
    {
      type: 'recap_ready',
      payload: {
        version: 1,
        method: 'rules',
        model: null,
        error: null,
        summary: ['This is a test message from Hansard.', 'The new search page is almost ready.'],
        decisionCount: 1,
        actionCount: 1,
        openQuestionCount: 0,
        timestamp,
      },
    },
    {
      type: 'decision_recorded',
      payload: {
        ...item,
        decisionId: 'item_sample',
        text: 'We ship the search page on Friday',
        speaker: 'Ben',
        state: 'recorded',
        previous: null,
      },
    },
    {
      type: 'action_created',
      payload: { ...item, ...action, actionId: 'action_sample', state: 'open' },
    },
  ]
  const failure: NotifiedEvent = {
    type: 'meeting_status',
    payload: {
      status: 'error',
      previousStatus: 'lobby',
      detail: 'This is a test message from Hansard: nobody admitted the bot in time',
    },
  }
  const wanted = events.filter(({ type }) => topics.includes(TOPIC_OF_EVENT[type]))
  return {
    project,
    title: 'Sample meeting',
    path,
    events: wanted.length === 0 ? [failure] : wanted,
  }
}
