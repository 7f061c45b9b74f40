import {
  MAX_CHAT_TEXT_CHARS,
  MAX_WIRE_ID_CHARS,
  type WireChatMessage,
} from '../../wire/wire-types.ts'
import { findSubMessages, readTextField, type DecodedProtobufFields } from './protobuf.ts'

const MAX_MESSAGES = 500

/** Decodes the chat messages in a message of `collections`; none in most of them. `root` are its outermost fields. */
export function decodeChatMessages(root: DecodedProtobufFields): WireChatMessage[] {
  return findSubMessages(root, 1, 2, 13, 4, 2).slice(0, MAX_MESSAGES).flatMap(messageOf)
}

function messageOf(chat: DecodedProtobufFields): WireChatMessage[] {
  const [messageId, authorId] = [readTextField(chat, 1), readTextField(chat, 2)]
  const [body] = findSubMessages(chat, 5)
  const text = body === undefined ? undefined : readTextField(body, 1)
  if (!messageId || !authorId || !text) return []
  if (messageId.length > MAX_WIRE_ID_CHARS || authorId.length > MAX_WIRE_ID_CHARS) return []
  return [{ messageId, authorId, text: text.slice(0, MAX_CHAT_TEXT_CHARS) }]
}
