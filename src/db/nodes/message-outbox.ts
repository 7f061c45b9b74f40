/** PostgreSQL limits a notification to 8,000 bytes. */
const MAX_BYTES = 7_900
/** Messages that follow another one within this time are sent together. */
const WINDOW_MS = 50

export interface MessageOutbox extends Disposable {
  /** Sends a message of one line. One that is too long is dropped: every receiver also reads the database. */
  add(message: string): void
}

/**
 * Sends messages to other nodes, several in one notification when there are many: PostgreSQL commits the transactions that
 * send notifications one after the other, and every node receives each of them. A single message is sent at once.
 */
export function createMessageOutbox(
  send: (messages: string) => void,
  windowMs = WINDOW_MS,
): MessageOutbox {
  let waiting: string[] = []
  let bytes = 0
  let timer: NodeJS.Timeout | undefined
  let isDisposed = false

  const flush = () => {
    if (waiting.length === 0) return
    const messages = waiting.join('\n')
    waiting = []
    bytes = 0
    send(messages)
  }
  const endWindow = () => {
    timer = waiting.length === 0 ? undefined : setTimeout(endWindow, windowMs)
    flush()
  }
  return {
    add(message) {
      const length = Buffer.byteLength(message) + 1
      if (isDisposed || length > MAX_BYTES) return
      if (bytes + length > MAX_BYTES) flush()
      waiting.push(message)
      bytes += length
      if (timer !== undefined) return
      flush()
      timer = setTimeout(endWindow, windowMs)
    },
    [Symbol.dispose]() {
      isDisposed = true
      clearTimeout(timer)
      flush()
    },
  }
}

/** The messages of a notification, as they were added. */
export function splitMessages(messages: string): string[] {
  return messages.split('\n')
}
