import { z } from 'zod'
import { tryParseJson } from '../../../lib/text/try-parse-json.ts'

const NAME = z.string().max(300)
const SHORT = z.string().max(2_000)

const OBSERVATION_SCHEMA = z.object({
  address: z.string().max(10_000),
  language: NAME,
  words: z.string().max(20_000),
  parts: z.record(NAME, z.string().max(10_000)),
  found: z.record(NAME, z.int().nullable()),
  count: z.int().nullable(),
})
const PARTICIPANT_ITEM_SCHEMA = z.object({
  id: NAME,
  label: NAME,
  name: NAME,
  isHost: z.boolean(),
  notes: z.array(NAME).max(20),
})
const PAGE_CAPTION_ROW_SCHEMA = z.tuple([
  NAME,
  SHORT,
  z.string().max(60_000),
  z.boolean(),
  NAME.nullable(),
])

const PAGE_CHAT_MESSAGE_SCHEMA = z.object({
  id: NAME,
  author: NAME,
  text: z.string().max(10_000),
  ageMs: z.number().nullable(),
})

/** The visible state of the page at one moment, as our script sees it. */
export type PageStateObservation = z.output<typeof OBSERVATION_SCHEMA>
export type ParticipantListItem = z.output<typeof PARTICIPANT_ITEM_SCHEMA>
export type PageCaptionRow = {
  rowId: string
  speaker: string
  text: string
  isGone: boolean
  /**
   * The row above this one when it appeared; empty for the first row. Absent if the row existed before the script
   * watched the caption area; it may then show something said earlier.
   */
  previousRowId?: string
}
/** A chat message on the page. `id` is empty if the page has none; `ageMs` is null if the page shows no time. */
export type PageChatMessage = z.output<typeof PAGE_CHAT_MESSAGE_SCHEMA>

/** Messages of the page watcher, our script in the isolated world. */
const WATCH_MESSAGE_SCHEMA = z.union([
  z.tuple([z.literal('observation'), OBSERVATION_SCHEMA]),
  z.tuple([z.literal('unchanged')]),
  z.tuple([z.literal('rows'), z.array(PAGE_CAPTION_ROW_SCHEMA).max(400)]),
  z.tuple([z.literal('participants'), z.array(PARTICIPANT_ITEM_SCHEMA).max(1_000)]),
  z.tuple([z.literal('chat'), z.array(PAGE_CHAT_MESSAGE_SCHEMA).max(200)]),
  z.tuple([z.literal('error'), SHORT]),
])
/** Two seconds of 16-bit samples at 16 kHz, as base64. */
const MAX_SOUND_CHARS = Math.ceil((2 * 2 * 16_000) / 3) * 4
const SOUND_SCHEMA = z.tuple([
  z.literal('sound'),
  z.int().min(0).max(1_000_000),
  z.array(z.int().min(0).max(0xffff_ffff)).max(16),
  z.base64().max(MAX_SOUND_CHARS),
  z.number().min(0).max(60_000),
  z.boolean(),
])
const TRAFFIC_KIND = z.enum(['channel', 'socket', 'call', 'callback'])
/** Messages of the network hooks, our script in the page's own world. */
const HOOK_MESSAGE_SCHEMA = z.union([
  z.tuple([TRAFFIC_KIND, NAME, z.enum(['text', 'bytes']), z.string()]),
  SOUND_SCHEMA,
  z.tuple([z.literal('unreadable'), SHORT, NAME]),
  z.tuple([z.literal('error'), SHORT]),
])

/** A message that the page's scripts received from the platform's servers. */
export type ReceivedTrafficMessage = {
  via: z.output<typeof TRAFFIC_KIND>
  name: string
  data: string | Uint8Array
}

/** Sound of one remote audio track of the page: mono, 16 bit, 16 kHz. */
export type TrackSound = {
  track: number
  /** The contributing sources of the sound, the dominant one first. Empty if the platform names none. */
  sources: number[]
  samples: Int16Array
  /** The age of the first sample when the message was sent. */
  ageMs: number
  /** True if the track is silent after this piece. */
  isEnd: boolean
}

export type BridgeMessage =
  | { kind: 'observation'; observation: PageStateObservation }
  | { kind: 'unchanged' }
  | { kind: 'rows'; rows: PageCaptionRow[] }
  | { kind: 'participants'; items: ParticipantListItem[] }
  | { kind: 'chat'; messages: PageChatMessage[] }
  | { kind: 'traffic'; traffic: ReceivedTrafficMessage }
  | { kind: 'sound'; sound: TrackSound }
  /** A message was unreadable, or one of our scripts failed. */
  | { kind: 'error'; text: string }

/** A message from one of our scripts in a page. `sentAtPageTimeMs` is in milliseconds of the page's clock. */
type TimedBridgeMessage = { sentAtPageTimeMs: number; message: BridgeMessage }

const ENVELOPE_SCHEMA = z.tuple([z.number(), z.unknown()])

/** Parses a message of the page watcher; null if it does not match the schema. */
export function parsePageWatcherMessage(payload: string): TimedBridgeMessage | null {
  return parseEnvelope(payload, toWatchMessage)
}

/** Parses a message of the network hooks; null if it does not match the schema. */
export function parseNetworkHookMessage(payload: string): TimedBridgeMessage | null {
  return parseEnvelope(payload, toHookMessage)
}

function parseEnvelope(
  payload: string,
  read: (content: unknown) => BridgeMessage | null,
): TimedBridgeMessage | null {
  const envelope = ENVELOPE_SCHEMA.safeParse(tryParseJson(payload))
  if (!envelope.success) return null
  const [sentAt, content] = envelope.data
  const message = read(content)
  return message === null ? null : { sentAtPageTimeMs: sentAt, message }
}

function toWatchMessage(content: unknown): BridgeMessage | null {
  const { success, data } = WATCH_MESSAGE_SCHEMA.safeParse(content)
  if (!success) return null
  switch (data[0]) {
    case 'observation':
      return { kind: 'observation', observation: data[1] }
    case 'unchanged':
      return { kind: 'unchanged' }
    case 'participants':
      return { kind: 'participants', items: data[1] }
    case 'chat':
      return { kind: 'chat', messages: data[1] }
    case 'rows': {
      const rows = data[1].map(([rowId, speaker, text, isGone, previousRowId]) => ({
        rowId,
        speaker,
        text,
        isGone,
        ...(previousRowId !== null && { previousRowId }),
      }))
      return { kind: 'rows', rows }
    }
    case 'error':
      return { kind: 'error', text: data[1] }
  }
}

function toHookMessage(content: unknown): BridgeMessage | null {
  const { success, data } = HOOK_MESSAGE_SCHEMA.safeParse(content)
  if (!success) return null
  if (data[0] === 'error') return { kind: 'error', text: data[1] }
  if (data[0] === 'unreadable')
    return { kind: 'error', text: `failed to read ${data[1]} ${data[2]}` }
  if (data[0] === 'sound') {
    const [, track, sources, base64, ageMs, isEnd] = data
    return { kind: 'sound', sound: { track, sources, samples: samplesOf(base64), ageMs, isEnd } }
  }
  const [via, name, form, text] = data
  const bytes = form === 'bytes' ? new Uint8Array(Buffer.from(text, 'base64')) : text
  return { kind: 'traffic', traffic: { via, name, data: bytes } }
}

function samplesOf(base64: string): Int16Array {
  const bytes = Buffer.from(base64, 'base64')
  const samples = new Int16Array(Math.floor(bytes.length / 2))
  for (let i = 0; i < samples.length; i += 1) samples[i] = bytes.readInt16LE(2 * i)
  return samples
}
