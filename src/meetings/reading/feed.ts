import type { NodeMembership } from '../../db/nodes/node-membership.ts'

/** Tells whoever watches that a meeting has something new, on this node and on the others. */
export interface Feed {
  /** Events of these meetings have been stored. */
  notify(meetingId: string): void
  /** A caption that still evolves: the whole text of an event that is not stored. */
  publishPartial(meetingId: string, body: string): void
  /** Of one meeting, or of all. Dispose to end it. */
  subscribe(meetingId: string | null, watcher: FeedSubscriber): Disposable
  /** Whether a partial would be seen by anybody. */
  hasSubscribers(meetingId: string): boolean
}

export type FeedSubscriber = {
  /** There is something to read. May be told too often, and late when another node wrote it. */
  onNewEvents(meetingId: string): void
  onPartial?(meetingId: string, body: string): void
}

type FeedMessage = { news: string[] } | { partial: string; of: string }

/** Other nodes are told at most so often. */
const BROADCAST_DELAY_MS = 20

type Parts = {
  presence: Pick<NodeMembership, 'broadcast' | 'onBroadcast' | 'isOnlyNode'>
  /** Another node has stored events of the meeting. */
  onRemoteEvents(meetingId: string): void
}

export function createFeed({ presence, onRemoteEvents }: Parts): Feed {
  const ofOne = new Map<string, Set<FeedSubscriber>>()
  const ofAll = new Set<FeedSubscriber>()
  let news = new Set<string>()

  const watchersOf = (meetingId: string) => [...(ofOne.get(meetingId) ?? []), ...ofAll]
  const tellHere = (meetingId: string) => {
    for (const watcher of watchersOf(meetingId)) watcher.onNewEvents(meetingId)
  }
  const showHere = (meetingId: string, body: string) => {
    for (const watcher of watchersOf(meetingId)) watcher.onPartial?.(meetingId, body)
  }
  const callOut = () => {
    const ids = [...news]
    news = new Set()
    // Some two hundred names fit into one call.
    for (let i = 0; i < ids.length; i += 150) send({ news: ids.slice(i, i + 150) })
  }
  const send = (message: FeedMessage) => presence.broadcast(JSON.stringify(message))

  presence.onBroadcast((notice) => {
    const message = JSON.parse(notice) as FeedMessage | object
    if ('news' in message) {
      for (const id of message.news) {
        onRemoteEvents(id)
        tellHere(id)
      }
    }
    if ('partial' in message) showHere(message.of, message.partial)
  })

  return {
    notify(meetingId) {
      tellHere(meetingId)
      if (presence.isOnlyNode()) return
      if (news.size === 0) setTimeout(callOut, BROADCAST_DELAY_MS)
      news.add(meetingId)
    },
    publishPartial(meetingId, body) {
      showHere(meetingId, body)
      if (!presence.isOnlyNode()) send({ partial: body, of: meetingId })
    },
    subscribe(meetingId, watcher) {
      const watchers = meetingId === null ? ofAll : (ofOne.get(meetingId) ?? new Set())
      if (meetingId !== null) ofOne.set(meetingId, watchers)
      watchers.add(watcher)
      return {
        [Symbol.dispose]() {
          watchers.delete(watcher)
          if (meetingId !== null && watchers.size === 0) ofOne.delete(meetingId)
        },
      }
    },
    hasSubscribers: (meetingId) => ofAll.size > 0 || ofOne.has(meetingId) || !presence.isOnlyNode(),
  }
}
