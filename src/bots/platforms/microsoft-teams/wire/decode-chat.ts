import { z } from 'zod'
import { decodeEntities } from '../../../../lib/text/entities.ts'
import {
  decodeFailure,
  decodeSuccess,
  type DecodeResult,
  parseJsonText,
} from '../../wire/decoding.ts'
import {
  MAX_CHAT_TEXT_CHARS,
  MAX_WIRE_ID_CHARS,
  type WireChatMessage,
} from '../../wire/wire-types.ts'

const MAX_CHARS = 1_024 * 1_024
const MAX_MESSAGES = 500
/** Types of messages from participants. Other types report that the meeting started or that a participant joined. */
const WRITTEN_TYPES: ReadonlySet<string> = new Set([
  'RichText',
  'RichText/Html',
  'RichText/Sms',
  'Text',
])
const BATCH = z.object({ data: z.object({ chatServiceBatchEvent: z.array(z.unknown()) }) })
const EVENT = z.object({
  message: z.object({
    clientMessageId: z.string().min(1).max(MAX_WIRE_ID_CHARS),
    from: z.string().min(1).max(1_000),
    content: z.string().min(1),
    messageType: z.string().catch(''),
    imDisplayName: z.string().optional().catch(undefined),
  }),
})

/** Decodes an event of the chat service. The page passes it to its function `onMessageReceived`. */
export function decodeChatEvent(text: string): DecodeResult<WireChatMessage[]> {
  if (text.length > MAX_CHARS) return decodeFailure('too large')
  const json = parseJsonText(text)
  if (!json.isDecoded) return json
  const batch = BATCH.safeParse(json.value)
  // The page passes other events to the same function.
  if (!batch.success) return decodeSuccess([])
  const events = batch.data.data.chatServiceBatchEvent.slice(0, MAX_MESSAGES)
  return decodeSuccess(events.flatMap(messageOf))
}

function messageOf(event: unknown): WireChatMessage[] {
  const found = EVENT.safeParse(event)
  if (!found.success) return []
  const { clientMessageId, from, content, messageType, imDisplayName } = found.data.message
  if (!WRITTEN_TYPES.has(messageType)) return []
  const text = messageType.startsWith('RichText') ? textOfHtml(content) : content
  // The author is an address that ends in the id: `https://…/contacts/8:orgid:…`.
  const authorId = from.slice(from.lastIndexOf('/') + 1).slice(0, MAX_WIRE_ID_CHARS)
  return [
    {
      messageId: clientMessageId,
      authorId,
      ...(imDisplayName && { authorName: imDisplayName }),
      text: text.slice(0, MAX_CHAT_TEXT_CHARS),
    },
  ]
}

/** The text of simple HTML. It is only compared and stored as text, never shown as HTML. */
export function textOfHtml(html: string): string {
  const text = html
    .slice(0, 4 * MAX_CHAT_TEXT_CHARS)
    .replace(/<(?:br|\/p|\/div|\/li)\b[^<>]*>/gi, ' ')
    .replace(/<[^<>]*>/g, '')
  return decodeEntities(text).replace(/\s+/g, ' ').trim()
}
