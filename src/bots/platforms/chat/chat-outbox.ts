import type { ChatOutbox } from '../platform.ts'

/** Waiting messages above this number are dropped, because the chat did not accept the earlier ones. */
const MAX_WAITING = 20

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
