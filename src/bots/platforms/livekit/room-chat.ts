import { randomUUID } from 'node:crypto'
import { setNewest } from '../../../lib/newest-entries.ts'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'
import {
  decodeFields,
  encodeProtobuf,
  findSubMessages,
  readBytesFields,
  readNumberField,
  readTextField,
  type DecodedProtobufFields,
} from '../wire/protobuf.ts'
import { MAX_CHAT_TEXT_CHARS, MAX_WIRE_ID_CHARS, type WireChatMessage } from '../wire/wire-types.ts'

/** The topic of chat messages that are sent as text streams, and the older one of plain packets. */
const TOPIC = 'lk.chat'
const OLD_TOPIC = 'lk-chat-topic'
/** Field numbers in a data packet. */
const PACKET = { user: 2, author: 4, recipients: 5, chat: 9, header: 13, chunk: 14, trailer: 15 }
/** Messages that participants are sending at the same time. The oldest are dropped first. */
const MAX_STREAMS = 100
const MAX_TEXT_BYTES = 4 * MAX_CHAT_TEXT_CHARS

type TextStream = { authorId: string; chunks: Map<number, Uint8Array>; bytes: number }

/** Reads chat messages in the data packets of a room, in each of the forms that LiveKit's libraries send. */
export function createChatReader() {
  const streams = new Map<string, TextStream>()

  /** A stream belongs to its author, so that no other participant can add to it. */
  function keyOf(authorId: string, stream: DecodedProtobufFields): string {
    return `${authorId} ${readTextField(stream, 1) ?? ''}`
  }
  function open(authorId: string, header: DecodedProtobufFields): WireChatMessage[] {
    const id = readTextField(header, 1) ?? ''
    if (readTextField(header, 3) !== TOPIC || id === '' || id.length > MAX_WIRE_ID_CHARS) return []
    // A short message may be complete in its header.
    const [inline] = readBytesFields(header, 11)
    if (inline !== undefined) return toMessages(id, authorId, Buffer.from(inline).toString())
    setNewest(
      streams,
      keyOf(authorId, header),
      { authorId, chunks: new Map(), bytes: 0 },
      MAX_STREAMS,
    )
    return []
  }
  function add(authorId: string, chunk: DecodedProtobufFields): void {
    const stream = streams.get(keyOf(authorId, chunk))
    const [content] = readBytesFields(chunk, 3)
    if (stream === undefined || content === undefined) return
    stream.bytes += content.length
    if (stream.bytes <= MAX_TEXT_BYTES) stream.chunks.set(readNumberField(chunk, 2) ?? 0, content)
  }
  function close(authorId: string, trailer: DecodedProtobufFields): WireChatMessage[] {
    const key = keyOf(authorId, trailer)
    const stream = streams.get(key)
    streams.delete(key)
    if (stream === undefined) return []
    const chunks = [...stream.chunks].toSorted(([a], [b]) => a - b).map(([, content]) => content)
    return toMessages(readTextField(trailer, 1) ?? '', authorId, Buffer.concat(chunks).toString())
  }

  return {
    read(packet: Uint8Array): WireChatMessage[] {
      const decoded = decodeFields(packet)
      if (!decoded.isDecoded) return []
      const fields = decoded.value
      // The server itself sets the author.
      const authorId = readTextField(fields, PACKET.author) ?? ''
      if (authorId === '' || authorId.length > MAX_WIRE_ID_CHARS) return []
      // Messages to some participants only are private.
      if (fields.has(PACKET.recipients)) return []
      const part = (field: number) => findSubMessages(fields, field)[0]
      const [chat, user, header] = [part(PACKET.chat), part(PACKET.user), part(PACKET.header)]
      const [chunk, trailer] = [part(PACKET.chunk), part(PACKET.trailer)]
      if (chat !== undefined) return readChatMessage(authorId, chat)
      if (user !== undefined) return readOldMessage(authorId, user)
      if (header !== undefined) return open(authorId, header)
      if (chunk !== undefined) add(authorId, chunk)
      return trailer === undefined ? [] : close(authorId, trailer)
    },
  }
}

/** Deleted messages, and texts that a program made of what was said, are left out. */
function readChatMessage(authorId: string, chat: DecodedProtobufFields): WireChatMessage[] {
  if (readNumberField(chat, 5) === 1 || readNumberField(chat, 6) === 1) return []
  return toMessages(readTextField(chat, 1) ?? '', authorId, readTextField(chat, 4) ?? '')
}

function readOldMessage(authorId: string, user: DecodedProtobufFields): WireChatMessage[] {
  if (readTextField(user, 4) !== OLD_TOPIC) return []
  const given = tryParseJson(readTextField(user, 2) ?? '') as
    | { id?: unknown; message?: unknown; ignoreLegacy?: unknown }
    | null
    | undefined
  const { id, message, ignoreLegacy } = given ?? {}
  // The same message follows as a text stream.
  if (ignoreLegacy === true || typeof message !== 'string') return []
  return toMessages(typeof id === 'string' ? id : '', authorId, message)
}

function toMessages(messageId: string, authorId: string, text: string): WireChatMessage[] {
  if (text === '' || messageId.length > MAX_WIRE_ID_CHARS) return []
  return [{ messageId, authorId, text: text.slice(0, MAX_CHAT_TEXT_CHARS) }]
}

/**
 * The data packets of a message of the bot: as a text stream, and for older pages as a chat message with the same id.
 * No page shows both.
 */
export function encodeChatPackets(text: string, nowMs: number): Uint8Array[] {
  const id = randomUUID()
  const content = Buffer.from(text)
  const header = [
    [1, id],
    [2, nowMs],
    [3, TOPIC],
    [4, 'text/plain'],
    [5, content.length],
    [9, []],
  ] as const
  const chunk = [
    [1, id],
    [2, 0],
    [3, content],
  ] as const
  const chat = [
    [1, id],
    [2, nowMs],
    [4, text],
  ] as const
  return [
    encodeProtobuf([[PACKET.header, header]]),
    encodeProtobuf([[PACKET.chunk, chunk]]),
    encodeProtobuf([[PACKET.trailer, [[1, id]]]]),
    encodeProtobuf([[PACKET.chat, chat]]),
  ]
}
