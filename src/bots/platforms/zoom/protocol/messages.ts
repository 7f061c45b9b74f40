import { z } from 'zod'
import { tryParseJson } from '../../../../lib/text/try-parse-json.ts'

/**
 * The messages of Zoom's Realtime Media Streams that the bot uses, by their numbers in the event reference and the data
 * types of developers.zoom.us/docs/rtms (as of the release of 9 May 2026).
 */
export const MESSAGE_TYPES = {
  signallingHandshake: 1,
  signallingHandshakeResponse: 2,
  mediaHandshake: 3,
  mediaHandshakeResponse: 4,
  eventSubscription: 5,
  event: 6,
  clientReady: 7,
  streamState: 8,
  sessionState: 9,
  keepAlive: 12,
  keepAliveResponse: 13,
  transcript: 17,
} as const

export const EVENT_TYPES = {
  activeSpeaker: 2,
  participantsJoined: 3,
  participantsLeft: 4,
  mediaInterrupted: 7,
} as const

export const MEDIA_TYPE_TRANSCRIPT = 8
export const CONTENT_TYPE_TEXT = 5

export const STREAM_STATES = { terminating: 3, terminated: 4, paused: 5, resumed: 6 } as const
export const SESSION_STATES = { paused: 3, resumed: 4, stopped: 5 } as const

/** A message with the text of a whole utterance is far smaller. */
export const MAX_MESSAGE_BYTES = 512 * 1_024
const MAX_NAME_CHARS = 500
const MAX_TEXT_CHARS = 20_000
const MAX_PEOPLE = 2_000

const cut = (max: number) => z.string().transform((text) => text.slice(0, max))
const integer = z.int()
/** Ids are numbers in some documents and texts in others. */
const id = z.union([z.int(), z.string().min(1).max(200)]).transform(String)
const name = cut(MAX_NAME_CHARS).optional().catch(undefined)
const time = z.number().nonnegative().finite().optional().catch(undefined)
const url = z.string().max(2_000).optional().catch(undefined)

const response = {
  status_code: integer,
  reason: cut(300).optional().catch(undefined),
}

const event = z.object({
  event_type: integer,
  timestamp: time,
  user_id: id.optional().catch(undefined),
  user_name: name,
  participants: z
    .array(z.object({ user_id: id, user_name: name }).nullable().catch(null))
    .max(MAX_PEOPLE)
    .transform((people) => people.filter((person) => person !== null))
    .optional()
    .catch(undefined),
})

const transcript = z.object({
  user_id: id.catch(''),
  user_name: name,
  start_time: time,
  end_time: time,
  timestamp: time,
  language: integer.optional().catch(undefined),
  data: cut(MAX_TEXT_CHARS),
})
export type TranscriptContent = z.output<typeof transcript>
export type StreamEvent = z.output<typeof event>

const type = <Name extends keyof typeof MESSAGE_TYPES>(key: Name) => z.literal(MESSAGE_TYPES[key])

const SERVER_MESSAGE = z.discriminatedUnion('msg_type', [
  z.object({
    msg_type: type('signallingHandshakeResponse'),
    ...response,
    media_server: z
      .object({ server_urls: z.object({ transcript: url, all: url }) })
      .optional()
      .catch(undefined),
  }),
  z.object({ msg_type: type('mediaHandshakeResponse'), ...response }),
  z.object({ msg_type: type('event'), event }),
  z.object({
    msg_type: type('streamState'),
    state: integer,
    reason: integer.optional().catch(undefined),
    timestamp: time,
  }),
  z.object({
    msg_type: type('sessionState'),
    state: integer,
    rtms_session_id: id.catch(''),
    timestamp: time,
  }),
  z.object({ msg_type: type('keepAlive'), timestamp: time }),
  z.object({ msg_type: type('transcript'), content: transcript }),
])
export type ServerMessage = z.output<typeof SERVER_MESSAGE>

/** A message of the server; null for one that the bot does not use, and for text that is no message. */
export function parseServerMessage(text: string): ServerMessage | null {
  return SERVER_MESSAGE.safeParse(tryParseJson(text)).data ?? null
}
