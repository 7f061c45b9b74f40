import type { NodeMembership } from '../../db/nodes/node-membership.ts'

/** Notifies event streams that a meeting has new events, on this node and on the others. */
export interface Feed {
  /** Call after events of the meeting were committed. */
  notify(meetingId: string): void
  /** Sends a caption that is not final. `body` is the whole text of an event that is never stored. */
  publishPartial(meetingId: string, body: string): void
  /** Subscribes to one meeting, or to all with null. Dispose to unsubscribe. */
  subscribe(meetingId: string | null, subscriber: FeedSubscriber): Disposable
  /** Whether a partial would reach a subscriber. */
  hasSubscribers(meetingId: string): boolean
}

export type FeedSubscriber = {
  /** There may be new events to read. Calls can be spurious, and late when another node wrote the events. */
  onNewEvents(meetingId: string): void
  onPartial?(meetingId: string, body: string): void
}

/** Notifications to other nodes are batched for this long. */
const BROADCAST_DELAY_MS = 20
/** As many meeting ids as surely fit into one message. */
const IDS_PER_MESSAGE = 150

type Parts = {
  presence: Pick<NodeMembership, 'broadcast' | 'onMessage' | 'isOnlyNode'>
  /** Another node has stored events of the meeting. */
  onRemoteEvents(meetingId: string): void
}

export function createFeed({ presence, onRemoteEvents }: Parts): Feed {
  const byMeeting = new Map<string, Set<FeedSubscriber>>()
  const ofAllMeetings = new Set<FeedSubscriber>()
  let changed = new Set<string>()

  const subscribersOf = (meetingId: string) => [
    ...(byMeeting.get(meetingId) ?? []),
    ...ofAllMeetings,
  ]
  const notifyLocal = (meetingId: string) => {
    for (const subscriber of subscribersOf(meetingId)) subscriber.onNewEvents(meetingId)
  }
  const publishLocal = (meetingId: string, body: string) => {
    for (const subscriber of subscribersOf(meetingId)) subscriber.onPartial?.(meetingId, body)
  }
  const broadcastChanges = () => {
    const ids = [...changed]
    changed = new Set()
    for (let i = 0; i < ids.length; i += IDS_PER_MESSAGE) {
      presence.broadcast('events_stored', { meetingIds: ids.slice(i, i + IDS_PER_MESSAGE) })
    }
  }

  presence.onMessage('events_stored', ({ meetingIds }) => {
    for (const id of meetingIds) {
      onRemoteEvents(id)
      notifyLocal(id)
    }
  })
  presence.onMessage('partial_caption', ({ meetingId, body }) => publishLocal(meetingId, body))

  return {
    notify(meetingId) {
      notifyLocal(meetingId)
      if (presence.isOnlyNode()) return
      if (changed.size === 0) setTimeout(broadcastChanges, BROADCAST_DELAY_MS)
      changed.add(meetingId)
    },
    publishPartial(meetingId, body) {
      publishLocal(meetingId, body)
      presence.broadcast('partial_caption', { meetingId, body })
    },
    subscribe(meetingId, subscriber) {
      const subscribers =
        meetingId === null ? ofAllMeetings : (byMeeting.get(meetingId) ?? new Set())
      if (meetingId !== null) byMeeting.set(meetingId, subscribers)
      subscribers.add(subscriber)
      return {
        [Symbol.dispose]() {
          subscribers.delete(subscriber)
          if (meetingId !== null && subscribers.size === 0) byMeeting.delete(meetingId)
        },
      }
    },
    hasSubscribers: (meetingId) =>
      ofAllMeetings.size > 0 || byMeeting.has(meetingId) || !presence.isOnlyNode(),
  }
}
