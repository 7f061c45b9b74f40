import { addIfNew, setNewest } from '../../lib/newest-entries.ts'
import type { PageChatMessage } from './bridge/messages.ts'
import type { ChatMessage, ChatOutbox } from './platform.ts'
import type { WireRoster } from './wire/wire-roster.ts'
import type { WireChatMessage } from './wire/wire-types.ts'

/**
 * Merges the chat messages of the wire and of the page, and emits each message once. The two sources have different
 * ids, so their messages are matched by text.
 */
export type ChatMerger = ReturnType<typeof createChatMerger>

type Parts = {
  roster: Pick<WireRoster, 'nameOf' | 'isSelf'>
  ownName: string
  /** Makes the ids of messages without an id unique across the sessions of a visit. */
  idPrefix: string
}

/** How often a text was received from each source, and how often it was emitted. */
type TextCounts = { wire: number; page: number; emitted: number }

/** How long a message on the wire waits for its author's name. */
const NAME_WAIT_MS = 3_000
/** Messages are emitted together at this interval, so that a flood of messages is not a flood of events. */
const TAKE_INTERVAL_MS = 200
/** How far the platform's clock and this machine's clock may differ. */
const CLOCK_TOLERANCE_MS = 60_000
/** The oldest texts and ids are forgotten first. */
const MAX_KNOWN = 5_000
/** More messages than this between two polls are dropped. */
const MAX_QUEUED = 5_000

/** More waiting messages than this are dropped, because the chat did not accept the earlier ones. */
const MAX_WAITING = 20

export function createChatMerger({ roster, ownName, idPrefix }: Parts) {
  const countsByText = new Map<string, TextCounts>()
  const knownIds = new Set<string>()
  const ownTexts = new Set<string>()
  let nameless: Array<{ message: WireChatMessage; since: number }> = []
  let queued: ChatMessage[] = []
  let startedAt: number | null = null
  let takenAt = -Infinity
  let generatedIds = 0

  function isNewId(id: string): boolean {
    return id === '' || addIfNew(knownIds, id, MAX_KNOWN)
  }
  function countsOf(text: string): TextCounts {
    const key = textKey(text)
    const counts = countsByText.get(key) ?? { wire: 0, page: 0, emitted: 0 }
    setNewest(countsByText, key, counts, MAX_KNOWN)
    return counts
  }
  function queue(source: 'wire' | 'page', message: ChatMessage): void {
    const counts = countsOf(message.text)
    counts[source] += 1
    if (counts[source] <= counts.emitted) return
    counts.emitted += 1
    if (queued.length >= MAX_QUEUED) return
    generatedIds += 1
    const messageId = message.messageId || `${idPrefix}/chat-${generatedIds}`
    queued.push({ ...message, messageId })
  }
  /** True if a message with this text seems to be the bot's own, judged by its author. */
  function isOwnText(text: string, author: string): boolean {
    return ownTexts.has(textKey(text)) && (author === '' || nameKey(author) === nameKey(ownName))
  }
  function nameOf({ authorId, authorName }: WireChatMessage): string {
    return roster.nameOf(authorId) ?? authorName ?? ''
  }
  function releaseNamed(at: number): void {
    const isReady = ({ message, since }: (typeof nameless)[number]) =>
      nameOf(message) !== '' || at - since >= NAME_WAIT_MS
    const ready = nameless.filter(isReady)
    nameless = nameless.filter((waiting) => !isReady(waiting))
    for (const { message } of ready) {
      const { messageId, authorId, text } = message
      if (!roster.isSelf(authorId)) queue('wire', { messageId, author: nameOf(message), text })
    }
  }

  return {
    addWireMessages(messages: readonly WireChatMessage[], at: number) {
      for (const message of messages) {
        const { messageId, authorId, text } = message
        if (!isNewId(messageId)) continue
        if (roster.isSelf(authorId) || isOwnText(text, nameOf(message))) continue
        if (nameless.length < MAX_QUEUED) nameless.push({ message, since: at })
      }
      releaseNamed(at)
    },
    addPageMessages(messages: readonly PageChatMessage[], at: number) {
      const meetingAgeMs = startedAt === null ? 0 : at - startedAt
      for (const { id, author, text, ageMs } of messages) {
        if (!isNewId(id === '' ? '' : `page ${id}`) || isOwnText(text, author)) continue
        if (ageMs !== null && ageMs > meetingAgeMs + CLOCK_TOLERANCE_MS) continue
        queue('page', { messageId: id, author, text })
      }
    },
    /** Marks a text that the bot posts itself, so that it is not treated as a participant's message. */
    addOwnText: (text: string) => void ownTexts.add(textKey(text)),
    /** Call this when the bot enters the call. Messages that are clearly older belong to an earlier meeting. */
    start(at: number) {
      startedAt ??= at
    },
    /** The messages that can be emitted now, oldest first. */
    take(at: number): ChatMessage[] {
      if (startedAt === null || at - takenAt < TAKE_INTERVAL_MS) return []
      takenAt = at
      releaseNamed(at)
      const messages = queued
      queued = []
      return messages
    },
  }
}

/** White space differs between the sources. */
function textKey(text: string): string {
  return text.replace(/\s+/g, '').slice(0, 500).toLowerCase()
}

/** A name's form for comparing, because platforms add notes such as “(Guest)”. */
function nameKey(name: string): string {
  return name
    .replace(/(?:\s*\([^()]*\))+$/, '')
    .trim()
    .toLowerCase()
}

/** Creates the queue of messages that a bot has to post in the meeting chat. */
export function createChatOutbox(): ChatOutbox & { add(text: string): void } {
  const waiting: string[] = []
  return {
    add(text) {
      if (waiting.length < MAX_WAITING) waiting.push(text)
    },
    first: () => waiting[0],
    removeFirst: () => void waiting.shift(),
  }
}
