import type { Presence } from '../db/presence.ts'

/** Tells whoever watches that a meeting has something new, on this node and on the others. */
export interface Feed {
  /** Events of these meetings have been stored. */
  tell(meetingId: string): void
  /** A caption that still evolves: the whole text of an event that is not stored. */
  show(meetingId: string, body: string): void
  /** Of one meeting, or of all. Dispose to end it. */
  watch(meetingId: string | null, watcher: Watcher): Disposable
  /** Whether a partial would be seen by anybody. */
  isWatched(meetingId: string): boolean
}

export type Watcher = {
  /** There is something to read. May be told too often, and late when another node wrote it. */
  onNews(meetingId: string): void
  onPartial?(meetingId: string, body: string): void
}

type Message = { news: string[] } | { partial: string; of: string }

/** Other nodes are told at most so often. */
const CALL_MS = 20

type Parts = {
  presence: Pick<Presence, 'call' | 'onCall' | 'isAlone'>
  /** Another node has stored events of the meeting. */
  onNewsFromElsewhere(meetingId: string): void
}

export function createFeed({ presence, onNewsFromElsewhere }: Parts): Feed {
  const ofOne = new Map<string, Set<Watcher>>()
  const ofAll = new Set<Watcher>()
  let news = new Set<string>()

  const watchersOf = (meetingId: string) => [...(ofOne.get(meetingId) ?? []), ...ofAll]
  const tellHere = (meetingId: string) => {
    for (const watcher of watchersOf(meetingId)) watcher.onNews(meetingId)
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
  const send = (message: Message) => presence.call(JSON.stringify(message))

  presence.onCall((notice) => {
    const message = JSON.parse(notice) as Message | object
    if ('news' in message) {
      for (const id of message.news) {
        onNewsFromElsewhere(id)
        tellHere(id)
      }
    }
    if ('partial' in message) showHere(message.of, message.partial)
  })

  return {
    tell(meetingId) {
      tellHere(meetingId)
      if (presence.isAlone()) return
      if (news.size === 0) setTimeout(callOut, CALL_MS)
      news.add(meetingId)
    },
    show(meetingId, body) {
      showHere(meetingId, body)
      if (!presence.isAlone()) send({ partial: body, of: meetingId })
    },
    watch(meetingId, watcher) {
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
    isWatched: (meetingId) => ofAll.size > 0 || ofOne.has(meetingId) || !presence.isAlone(),
  }
}
