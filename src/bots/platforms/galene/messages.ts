import { z } from 'zod'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'
import { MAX_CHAT_TEXT_CHARS, MAX_WIRE_ID_CHARS } from '../wire/wire-types.ts'

/** The largest message that the server itself accepts. A larger one ends the connection. */
export const MAX_MESSAGE_BYTES = 1_024 * 1_024

const ID = z.string().max(MAX_WIRE_ID_CHARS).default('')
const REQUIRED_ID = z.string().min(1).max(MAX_WIRE_ID_CHARS)
const NAME = shortened(300)
const PERMISSIONS = z.array(z.string().max(50)).max(50).nullish()
/** A server may put any value into the field, but only texts are used. */
const TEXT = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' ? value.slice(0, MAX_CHAT_TEXT_CHARS) : ''))

const ICE_SERVER = z.object({
  urls: z
    .union([z.string().max(300), z.array(z.string().max(300)).max(20)])
    .transform((urls) => [urls].flat()),
  username: z.string().max(500).optional(),
  credential: z.string().max(500).optional(),
})
const CANDIDATE = z.object({
  candidate: z.string().max(1_000),
  sdpMid: z.string().max(100).nullish(),
  sdpMLineIndex: z.int().nullish(),
  usernameFragment: z.string().max(300).nullish(),
})

/** The sender of a message. It is `privileged` if it is the server itself, or an operator of the group. */
const SENT = {
  kind: z.string().max(50).default(''),
  source: ID,
  privileged: z.boolean().default(false),
}
const CHAT = { ...SENT, id: ID, dest: ID, username: NAME.default(''), value: TEXT }

const MESSAGE_SCHEMA = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ping') }),
  z.object({ type: z.literal('pong') }),
  z.object({
    type: z.literal('joined'),
    kind: z.string().max(50),
    error: z.string().max(100).default(''),
    username: NAME.default(''),
    permissions: PERMISSIONS,
    value: TEXT,
    rtcConfiguration: z.object({ iceServers: z.array(ICE_SERVER).max(20).nullish() }).nullish(),
  }),
  z.object({
    type: z.literal('user'),
    kind: z.string().max(50),
    id: REQUIRED_ID,
    username: NAME.default(''),
    permissions: PERMISSIONS,
  }),
  z.object({
    type: z.literal('offer'),
    id: REQUIRED_ID,
    replace: ID,
    source: ID,
    username: NAME.default(''),
    sdp: z.string().max(200_000),
  }),
  z.object({ type: z.literal('ice'), id: REQUIRED_ID, candidate: CANDIDATE }),
  z.object({ type: z.literal('close'), id: REQUIRED_ID }),
  z.object({ type: z.literal('chat'), ...CHAT }),
  z.object({ type: z.literal('usermessage'), ...SENT, value: TEXT }),
])

/** A server message that the bot understands. */
export type ServerMessage = z.output<typeof MESSAGE_SCHEMA>
export type MessageOfType<Type extends ServerMessage['type']> = Extract<
  ServerMessage,
  { type: Type }
>

/** Parses a server message; null if it is invalid or if the bot does not know its type. */
export function parseServerMessage(text: string): ServerMessage | null {
  return MESSAGE_SCHEMA.safeParse(tryParseJson(text)).data ?? null
}

function shortened(chars: number) {
  return z.string().transform((value) => value.slice(0, chars))
}
