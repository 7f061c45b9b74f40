import { z } from 'zod'

const NAME = z.string().max(300)
const SHORT = z.string().max(2_000)

const SEEN = z.object({
  address: z.string().max(10_000),
  language: NAME,
  words: z.string().max(20_000),
  parts: z.record(NAME, z.string().max(10_000)),
  found: z.record(NAME, z.int().nullable()),
  count: z.int().nullable(),
})
const ITEM = z.object({
  id: NAME,
  label: NAME,
  name: NAME,
  isHost: z.boolean(),
  notes: z.array(NAME).max(20),
})
const ROW = z.tuple([NAME, SHORT, z.string().max(60_000), z.boolean()])

/** What the page looks like at one moment, as far as it can be seen from inside. */
export type Seen = z.output<typeof SEEN>
/** One entry of the page's list of people. */
export type PersonItem = z.output<typeof ITEM>
export type PageRow = { rowId: string; speaker: string; text: string; isGone: boolean }

/** What our own world inside the page tells. */
const WATCHED = z.union([
  z.tuple([z.literal('look'), SEEN]),
  z.tuple([z.literal('same')]),
  z.tuple([z.literal('rows'), z.array(ROW).max(400)]),
  z.tuple([z.literal('people'), z.array(ITEM).max(1_000)]),
  z.tuple([z.literal('trouble'), SHORT]),
])
/** What the hooks beside the page's scripts tell. */
const HEARD = z.union([
  z.tuple([z.enum(['channel', 'socket', 'call']), NAME, z.enum(['text', 'bytes']), z.string()]),
  z.tuple([z.literal('unread'), SHORT, NAME]),
  z.tuple([z.literal('trouble'), SHORT]),
])

/** Something that the page's scripts got from the platform's servers. */
export type Heard = { via: 'channel' | 'socket' | 'call'; name: string; data: string | Uint8Array }

export type Message =
  | { kind: 'look'; seen: Seen }
  | { kind: 'same' }
  | { kind: 'rows'; rows: PageRow[] }
  | { kind: 'people'; items: PersonItem[] }
  | { kind: 'heard'; heard: Heard }
  /** Something came that could not be taken along, or one of our own scripts failed. */
  | { kind: 'trouble'; what: string }

/** With the moment at which it left, in milliseconds of the page's clock. */
export type Letter = { sentAt: number; message: Message }

const ENVELOPE = z.tuple([z.number(), z.unknown()])

/** From our own world. Null for what none of our scripts sends. */
export function readWatched(payload: string): Letter | null {
  return open(payload, watchedIn)
}

/** From the world of the page. */
export function readHeard(payload: string): Letter | null {
  return open(payload, heardIn)
}

function open(payload: string, read: (content: unknown) => Message | null): Letter | null {
  const envelope = ENVELOPE.safeParse(parse(payload))
  if (!envelope.success) return null
  const [sentAt, content] = envelope.data
  const message = read(content)
  return message === null ? null : { sentAt, message }
}

function watchedIn(content: unknown): Message | null {
  const { success, data } = WATCHED.safeParse(content)
  if (!success) return null
  switch (data[0]) {
    case 'look':
      return { kind: 'look', seen: data[1] }
    case 'same':
      return { kind: 'same' }
    case 'people':
      return { kind: 'people', items: data[1] }
    case 'rows': {
      const rows = data[1].map(([rowId, speaker, text, isGone]) => ({
        rowId,
        speaker,
        text,
        isGone,
      }))
      return { kind: 'rows', rows }
    }
    case 'trouble':
      return { kind: 'trouble', what: data[1] }
  }
}

function heardIn(content: unknown): Message | null {
  const { success, data } = HEARD.safeParse(content)
  if (!success) return null
  if (data[0] === 'trouble') return { kind: 'trouble', what: data[1] }
  if (data[0] === 'unread') return { kind: 'trouble', what: `${data[1]} ${data[2]} not read` }
  const [via, name, form, text] = data
  const bytes = form === 'bytes' ? new Uint8Array(Buffer.from(text, 'base64')) : text
  return { kind: 'heard', heard: { via, name, data: bytes } }
}

function parse(payload: string): unknown {
  try {
    return JSON.parse(payload) as unknown
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return null
  }
}
