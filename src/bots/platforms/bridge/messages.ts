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
const PAGE_CAPTION_ROW_SCHEMA = z
  .tuple([NAME, SHORT, z.string().max(60_000), z.boolean(), NAME.nullable()])
  .transform(([rowId, speaker, text, isGone, previousRowId]): PageCaptionRow => ({
    rowId,
    speaker,
    text,
    isGone,
    ...(previousRowId !== null && { previousRowId }),
  }))

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
const WATCH_MESSAGE_SCHEMA: z.ZodType<BridgeMessage> = z.union([
  message('observation', OBSERVATION_SCHEMA, (observation) => ({ observation })),
  z.tuple([z.literal('unchanged')]).transform(([kind]) => ({ kind })),
  message('rows', z.array(PAGE_CAPTION_ROW_SCHEMA).max(400), (rows) => ({ rows })),
  message('participants', z.array(PARTICIPANT_ITEM_SCHEMA).max(1_000), (items) => ({ items })),
  message('chat', z.array(PAGE_CHAT_MESSAGE_SCHEMA).max(200), (messages) => ({ messages })),
  message('error', SHORT, (text) => ({ text })),
])

/** A message with its kind and its content, and the fields of the content. */
function message<Kind extends string, Content extends z.ZodType, Fields extends object>(
  kind: Kind,
  content: Content,
  toFields: (content: z.output<Content>) => Fields,
) {
  return z
    .tuple([z.literal(kind), content])
    .transform(([, value]) => ({ kind, ...toFields(value as z.output<Content>) }))
}

/** Two seconds of 16-bit samples at 16 kHz, as base64. */
const MAX_SOUND_CHARS = Math.ceil((2 * 2 * 16_000) / 3) * 4
const SOUND_SCHEMA = z
  .tuple([
    z.literal('sound'),
    z.int().min(0).max(1_000_000),
    z.array(z.int().min(0).max(0xffff_ffff)).max(16),
    z.base64().max(MAX_SOUND_CHARS),
    z.number().min(0).max(60_000),
    z.boolean(),
  ])
  .transform(([kind, track, sources, base64, ageMs, isEnd]) => ({
    kind,
    sound: { track, sources, samples: decodeSamples(base64), ageMs, isEnd },
  }))
const TRAFFIC_KIND = z.enum(['channel', 'socket', 'call', 'callback'])
/** Messages of the network hooks, our script in the page's own world. */
const HOOK_MESSAGE_SCHEMA: z.ZodType<BridgeMessage> = z.union([
  z
    .tuple([TRAFFIC_KIND, NAME, z.enum(['text', 'bytes']), z.string()])
    .transform(([via, name, form, text]) => {
      const data = form === 'bytes' ? new Uint8Array(Buffer.from(text, 'base64')) : text
      return { kind: 'traffic' as const, traffic: { via, name, data } }
    }),
  SOUND_SCHEMA,
  z.tuple([z.literal('unreadable'), SHORT, NAME]).transform(([, kind, name]) => ({
    kind: 'error' as const,
    text: `failed to read ${kind} ${name}`,
  })),
  message('error', SHORT, (text) => ({ text })),
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
  return parseEnvelope(payload, WATCH_MESSAGE_SCHEMA)
}

/** Parses a message of the network hooks; null if it does not match the schema. */
export function parseNetworkHookMessage(payload: string): TimedBridgeMessage | null {
  return parseEnvelope(payload, HOOK_MESSAGE_SCHEMA)
}

function parseEnvelope(
  payload: string,
  schema: z.ZodType<BridgeMessage>,
): TimedBridgeMessage | null {
  const envelope = ENVELOPE_SCHEMA.safeParse(tryParseJson(payload))
  if (!envelope.success) return null
  const [sentAtPageTimeMs, content] = envelope.data
  const { data: message } = schema.safeParse(content)
  return message === undefined ? null : { sentAtPageTimeMs, message }
}

/** Decodes 16-bit samples in base64. */
export function decodeSamples(base64: string): Int16Array {
  const bytes = Buffer.from(base64, 'base64')
  const samples = new Int16Array(Math.floor(bytes.length / 2))
  for (let i = 0; i < samples.length; i += 1) samples[i] = bytes.readInt16LE(2 * i)
  return samples
}
