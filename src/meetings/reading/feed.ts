import type { NodeMembership } from '../../db/nodes/node-membership.ts'
import { createCaptionReaders } from './caption-readers.ts'

/** Notifies event streams on all nodes that a meeting has new events. */
export type NewEventNotifier = ReturnType<typeof createNewEventNotifier>

export type NewEventSubscriber = {
  /**
   * Called when the meeting may have new events. There may be none, and the call is late if another node wrote them.
   */
  onNewEvents(meetingId: string): void
  onPartial?(meetingId: string, partial: StreamedPartialCaption): void
  onContentChanged?(meetingId: string, type: ContentChangeType): void
}

/**
 * Types of stream messages that are not events: they tell the console what to read again. Streams for programs contain
 * only events.
 */
export const CONTENT_CHANGE_TYPES = [
  'transcript_gap_changed',
  'comments_changed',
  'meeting_details_changed',
  'recap_items_changed',
] as const
export type ContentChangeType = (typeof CONTENT_CHANGE_TYPES)[number]

/** A partial caption with the whole text of its event. */
export type StreamedPartialCaption = { sequence: number; captionId: string; body: string }

type PartialEventBody = { sequence: number; payload: { captionId: string } }

/** Notifications to other nodes are batched for this long. */
const BROADCAST_DELAY_MS = 20
/** How many meeting ids certainly fit into one message to other nodes. */
const IDS_PER_MESSAGE = 150

type Parts = {
  membership: Pick<NodeMembership, 'nodeId' | 'broadcast' | 'send' | 'onMessage' | 'isOnlyNode'>
  /** Called when another node has stored events of the meeting. */
  onRemoteEvents(meetingId: string): void
}

export function createNewEventNotifier({ membership, onRemoteEvents }: Parts) {
  const byMeeting = new Map<string, Set<NewEventSubscriber>>()
  const ofAllMeetings = new Set<NewEventSubscriber>()
  let changed = new Set<string>()
  const showsPartials = ({ onPartial }: NewEventSubscriber) => onPartial !== undefined
  const readers = createCaptionReaders({
    membership,
    readHere() {
      if ([...ofAllMeetings].some(showsPartials)) return null
      const read = [...byMeeting].filter(([, subscribers]) => [...subscribers].some(showsPartials))
      return new Set(read.map(([meetingId]) => meetingId))
    },
  })

  const subscribersOf = (meetingId: string) => [
    ...(byMeeting.get(meetingId) ?? []),
    ...ofAllMeetings,
  ]
  const notifyLocal = (meetingId: string) => {
    for (const subscriber of subscribersOf(meetingId)) subscriber.onNewEvents(meetingId)
  }
  const publishLocal = (meetingId: string, body: string) => {
    const subscribers = subscribersOf(meetingId)
    if (subscribers.length === 0) return
    const { sequence, payload } = JSON.parse(body) as PartialEventBody
    const partial = { sequence, captionId: payload.captionId, body }
    for (const subscriber of subscribers) subscriber.onPartial?.(meetingId, partial)
  }
  const notifyLocalContentChanged = (meetingId: string, type: ContentChangeType) => {
    for (const subscriber of subscribersOf(meetingId))
      subscriber.onContentChanged?.(meetingId, type)
  }
  const notifyContentChanged = (meetingId: string, type: ContentChangeType) => {
    notifyLocalContentChanged(meetingId, type)
    membership.broadcast(type, { meetingId })
  }
  const broadcastChanges = () => {
    const ids = [...changed]
    changed = new Set()
    for (let i = 0; i < ids.length; i += IDS_PER_MESSAGE) {
      membership.broadcast('events_stored', { meetingIds: ids.slice(i, i + IDS_PER_MESSAGE) })
    }
  }

  membership.onMessage('events_stored', ({ meetingIds }) => {
    for (const id of meetingIds) {
      onRemoteEvents(id)
      notifyLocal(id)
    }
  })
  membership.onMessage('partial_caption', ({ meetingId, body }) => publishLocal(meetingId, body))
  for (const type of CONTENT_CHANGE_TYPES)
    membership.onMessage(type, ({ meetingId }) => notifyLocalContentChanged(meetingId, type))

  return {
    /** Notifies the subscribers that the meeting has new events. Call it after the commit. */
    notify(meetingId: string) {
      notifyLocal(meetingId)
      if (membership.isOnlyNode()) return
      if (changed.size === 0) setTimeout(broadcastChanges, BROADCAST_DELAY_MS)
      changed.add(meetingId)
    },
    /** Sends a partial caption to those who read the meeting. `body` is the whole text of an event that is never stored. */
    publishPartial(meetingId: string, body: string) {
      publishLocal(meetingId, body)
      for (const node of readers.nodesReading(meetingId))
        membership.send(node, 'partial_caption', { meetingId, body })
    },
    /** Notifies open consoles that a gap in the transcript started or ended. This is not an event. */
    notifyGapChanged: (meetingId: string) =>
      notifyContentChanged(meetingId, 'transcript_gap_changed'),
    /** Notifies open consoles that a comment was added, changed or deleted. This is not an event. */
    notifyCommentsChanged: (meetingId: string) =>
      notifyContentChanged(meetingId, 'comments_changed'),
    /** Notifies open consoles that a person changed the recap. This is not an event. */
    notifyRecapItemsChanged: (meetingId: string) =>
      notifyContentChanged(meetingId, 'recap_items_changed'),
    /** Notifies open consoles that the title, a speaker's name or a warning was changed. This is not an event. */
    notifyDetailsChanged: (meetingId: string) =>
      notifyContentChanged(meetingId, 'meeting_details_changed'),
    /** Subscribes to one meeting, or to all if null. Dispose to unsubscribe. */
    subscribe(meetingId: string | null, subscriber: NewEventSubscriber): Disposable {
      const subscribers =
        meetingId === null ? ofAllMeetings : (byMeeting.get(meetingId) ?? new Set())
      if (meetingId !== null) byMeeting.set(meetingId, subscribers)
      subscribers.add(subscriber)
      if (showsPartials(subscriber)) readers.changed()
      return {
        [Symbol.dispose]() {
          subscribers.delete(subscriber)
          if (meetingId !== null && subscribers.size === 0) byMeeting.delete(meetingId)
          if (showsPartials(subscriber)) readers.changed()
        },
      }
    },
    /** True if a partial caption of the meeting could reach a subscriber on any node. */
    hasSubscribers: (meetingId: string) =>
      subscribersOf(meetingId).length > 0 || readers.nodesReading(meetingId).length > 0,
  }
}
