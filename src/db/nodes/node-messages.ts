import { z } from 'zod'
import type { DeliveryErrorCode } from '../../deliveries/transport.ts'

/** Every message between nodes, by kind. Delivery is best effort, so nodes read the database for important changes. */
export const NODE_MESSAGE_SCHEMAS = {
  /** A meeting was started or changed. A node with free capacity may claim it. */
  meetings_changed: z.object({}),
  /** A meeting ended, a document was saved or a recap was requested on a node without the role `tasks`. */
  follow_ups_due: z.object({}),
  /** Mail was stored on a node without the role `tasks`. */
  mail_waiting: z.object({}),
  /** Events of these meetings were committed. */
  events_stored: z.object({ meetingIds: z.array(z.string()) }),
  /** The meetings whose partial captions somebody reads on this node; null for all meetings. */
  captions_read: z.object({ nodeId: z.string(), meetingIds: z.array(z.string()).nullable() }),
  /** A caption that is not final: the body of an event that is never stored. Sent to nodes that read the meeting. */
  partial_caption: z.object({ meetingId: z.string(), body: z.string() }),
  /** A caption that is not final. Sent to the node that delivers the callbacks of this meeting. */
  callback_partial: z.object({
    meetingId: z.string(),
    captionId: z.string(),
    at: z.number(),
    sequence: z.int(),
    body: z.string(),
  }),
  /** A gap in the transcript of this meeting started or ended. */
  transcript_gap_changed: z.object({ meetingId: z.string() }),
  /** A comment on a line of this meeting was added, changed or deleted. */
  comments_changed: z.object({ meetingId: z.string() }),
  /** A person added, changed or deleted an item of this meeting's recap. */
  recap_items_changed: z.object({ meetingId: z.string() }),
  /** The title of this meeting, the name of a speaker or a warning was changed. */
  meeting_details_changed: z.object({ meetingId: z.string() }),
  /** A receiver behind `hansard listen` answered a callback that another node sent. */
  listener_answer: z.object({
    deliveryId: z.string(),
    /** The caller who reported the answer. The waiting node compares it with the caller that it asked. */
    caller: z.string(),
    answer: z.object({
      status: z.int().nullable(),
      error: z.custom<DeliveryErrorCode | null>(
        (value) => value === null || typeof value === 'string',
      ),
      answer: z.string(),
      durationMs: z.number(),
    }),
  }),
  /** A calendar is due, or its plan has changed. */
  calendars_changed: z.object({}),
  /** A connection is due, or was changed. */
  connections_changed: z.object({}),
  /** A task was created, changed or removed. Its next run may be earlier. */
  tasks_changed: z.object({}),
  /** A recording was added, changed or removed. */
  recordings_changed: z.object({}),
  execution_queued: z.object({}),
  /** These executions ended, for example because a person cancelled them. */
  executions_ended: z.object({ executionIds: z.array(z.string()) }),
  /** An execution has more output, or has ended. */
  execution_output: z.object({ executionId: z.string() }),
} as const

export type NodeMessageKind = keyof typeof NODE_MESSAGE_SCHEMAS
export type NodeMessageData<Kind extends NodeMessageKind> = z.infer<
  (typeof NODE_MESSAGE_SCHEMAS)[Kind]
>

/** A message between nodes as JSON, which PostgreSQL's notification channel carries. */
type Envelope = { from: string; kind: NodeMessageKind; data: unknown }

/** PostgreSQL limits a notification to 8,000 bytes. */
const MAX_BYTES = 7_900
/** Messages that follow another one within this time are sent together. */
const WINDOW_MS = 50

const ENVELOPE = z.object({ from: z.string(), kind: z.string(), data: z.unknown() })

export function encodeNodeMessage<Kind extends NodeMessageKind>(
  from: string,
  kind: Kind,
  data: NodeMessageData<Kind>,
): string {
  return JSON.stringify({ from, kind, data } satisfies Envelope)
}

export type DecodedNodeMessage = { from: string; kind: NodeMessageKind; data: never }

/** Parses a message of another node. Null for an unknown message, which a node of another version may send. */
export function decodeNodeMessage(text: string): DecodedNodeMessage | null {
  const envelope = ENVELOPE.safeParse(parseJson(text))
  if (!envelope.success || !isKind(envelope.data.kind)) return null
  const { from, kind } = envelope.data
  const data = NODE_MESSAGE_SCHEMAS[kind].safeParse(envelope.data.data)
  return data.success ? { from, kind, data: data.data as never } : null
}

function isKind(kind: string): kind is NodeMessageKind {
  return Object.hasOwn(NODE_MESSAGE_SCHEMAS, kind)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}

/**
 * Sends messages to other nodes, several in one notification if there are many. PostgreSQL commits transactions that
 * send notifications one after the other, and every node receives each of them. A single message is sent at once.
 */
export function createMessageOutbox(send: (messages: string) => void, windowMs = WINDOW_MS) {
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
    /** Sends a message of one line. It is dropped if it is too long, because every receiver also reads the database. */
    add(message: string): void {
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

export type MessageOutbox = ReturnType<typeof createMessageOutbox>

/** Splits a notification into the messages that were added. */
export function splitMessages(messages: string): string[] {
  return messages.split('\n')
}
