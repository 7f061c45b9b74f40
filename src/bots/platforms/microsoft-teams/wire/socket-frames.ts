import { z } from 'zod'
import type { PlatformEndReason } from '../../platform.ts'
import {
  decodeSuccess,
  decodeFailure,
  type DecodeResult,
  decompressIfCompressed,
  parseJsonText,
} from '../../wire/decoding.ts'
import { parseSource } from '../../wire/wire-roster.ts'
import { type WireParticipant, MAX_WIRE_ID_CHARS } from '../../wire/wire-types.ts'

/** A frame of the socket. `callId` identifies the call, because a page also gets frames of other calls. */
export type SocketFrame =
  | { kind: 'roster'; callId: string; people: WireParticipant[] }
  | { kind: 'end'; callId: string; end: ConversationEnd }
  | { kind: 'other' }

export type ConversationEnd = { subCode: number | null; senderId: string | null }

const MESSAGE = '3:::'
const MAX_CHARS = 12 * 1_024 * 1_024
const CALL_ID = 'x-microsoft-skype-chain-id'

const MAX_BYTES = 8 * 1_024 * 1_024
const MAX_PEOPLE = 5_000
const HOSTS: ReadonlySet<string> = new Set(['organizer', 'coorganizer', 'co-organizer'])

const MAX_ENDPOINTS = 50
const MAX_STREAMS = 50

const STREAM = z.object({ type: z.string(), sourceId: z.unknown() })
const ENDPOINT = z.object({ call: z.object({ mediaStreams: z.array(z.unknown()) }) })

const PARTICIPANT = z.object({
  details: z
    .object({ id: z.string().catch(''), displayName: z.string().catch('') })
    .catch({ id: '', displayName: '' }),
  state: z.string().catch(''),
  meetingRole: z.string().optional().catch(undefined),
  endpoints: z.record(z.string(), z.unknown()).optional().catch(undefined),
})
const PARTICIPANTS = z.object({ participants: z.record(z.string(), z.unknown()) })
const ROSTER = z.union([
  PARTICIPANTS,
  z.object({ roster: PARTICIPANTS }).transform(({ roster }) => roster),
])

const ENVELOPE = z.object({
  url: z.string(),
  headers: z.record(z.string(), z.unknown()).catch({}),
  body: z.string().catch(''),
})
const END = z.object({
  subCode: z.coerce.number().int().nullable().catch(null),
  sender: z
    .object({ id: z.string().nullable().catch(null) })
    .nullable()
    .catch(null),
})

/** The meaning of the end codes of Teams. */
const END_REASON_BY_SUBCODE: ReadonlyArray<{
  subCodes: readonly number[]
  because: PlatformEndReason
}> = [
  { subCodes: [5854], because: 'denied' },
  { subCodes: [5723], because: 'sign_in_required' },
  { subCodes: [5000, 5300], because: 'removed' },
]

export function decodeSocketFrame(text: string): DecodeResult<SocketFrame> {
  if (!text.startsWith(MESSAGE)) return decodeSuccess({ kind: 'other' })
  if (text.length > MAX_CHARS) return decodeFailure('too large')
  const json = parseJsonText(text.slice(MESSAGE.length))
  if (!json.isDecoded) return json
  const envelope = ENVELOPE.safeParse(json.value)
  if (!envelope.success) return decodeSuccess({ kind: 'other' })
  const { url, headers, body } = envelope.data
  const path = url.replace(/[?#].*$/s, '').replace(/\/?$/, '/')
  if (path.endsWith('/rosterUpdate/')) return rosterFrame(callIdIn(headers), body)
  if (path.endsWith('/conversation/conversationEnd/')) return endFrame(callIdIn(headers), body)
  return decodeSuccess({ kind: 'other' })
}

/**
 * Why Teams ended the call for the bot. Without a sender, a removal means that the host ended the meeting, because only
 * a participant can remove the bot.
 */
export function toEndReasonOrHostEnded({ subCode, senderId }: ConversationEnd): PlatformEndReason {
  const because = END_REASON_BY_SUBCODE.find(({ subCodes }) =>
    subCodes.includes(subCode ?? -1),
  )?.because
  if (because === 'removed' && senderId === null) return 'host_ended'
  return because ?? 'host_ended'
}

function rosterFrame(callId: string, body: string): DecodeResult<SocketFrame> {
  const people = decodeRosterUpdate(body)
  return people.isDecoded ? decodeSuccess({ kind: 'roster', callId, people: people.value }) : people
}

/** The frame that ends a call. It ends the call even if its body cannot be decoded. */
function endFrame(callId: string, body: string): DecodeResult<SocketFrame> {
  const json = decodeSocketBody(body)
  const found = END.safeParse(json.isDecoded ? json.value : {})
  const { subCode, sender } = found.success ? found.data : { subCode: null, sender: null }
  return decodeSuccess({ kind: 'end', callId, end: { subCode, senderId: sender?.id ?? null } })
}

function callIdIn(headers: Record<string, unknown>): string {
  const found = Object.entries(headers).find(([name]) => name.toLowerCase() === CALL_ID)
  return typeof found?.[1] === 'string' ? found[1] : ''
}

/** Decodes a body of the socket: plain JSON, or compressed and in base64. */
function decodeSocketBody(body: string): DecodeResult<unknown> {
  if (body.length > MAX_BYTES * 1.5) return decodeFailure('too large')
  if (/^\s*[[{]/.test(body)) return parseJsonText(body)
  if (!/^[\w+/=\s-]+$/.test(body)) return decodeFailure('malformed')
  const plain = decompressIfCompressed(Buffer.from(body, 'base64'), { maxBytes: MAX_BYTES })
  return plain.isDecoded ? parseJsonText(new TextDecoder().decode(plain.value)) : plain
}

/** The changed participants; right after the join, all of them. An entry without a name is a service, not a person. */
function decodeRosterUpdate(body: string): DecodeResult<WireParticipant[]> {
  const json = decodeSocketBody(body)
  if (!json.isDecoded) return json
  const roster = ROSTER.safeParse(json.value)
  if (!roster.success) return decodeFailure('unknown')
  const entries = Object.entries(roster.data.participants).slice(0, MAX_PEOPLE)
  return decodeSuccess(entries.flatMap(([key, value]) => personOf(key, value)))
}

function personOf(key: string, value: unknown): WireParticipant[] {
  const found = PARTICIPANT.safeParse(value)
  if (!found.success) return []
  const { details, state, meetingRole, endpoints } = found.data
  const id = details.id || key
  if (id === '' || id.length > MAX_WIRE_ID_CHARS) return []
  return [
    {
      id,
      presence: state === 'active' ? 'here' : state === 'inactive' ? 'gone' : 'unsaid',
      ...(details.displayName && { name: details.displayName }),
      ...(meetingRole !== undefined && { isHost: HOSTS.has(meetingRole.toLowerCase()) }),
      ...(endpoints !== undefined && { audioSources: audioSourcesOf(endpoints) }),
    },
  ]
}

/** A participant has one endpoint for each device. A device that is not in the call has no streams. */
function audioSourcesOf(endpoints: Record<string, unknown>): number[] {
  const streams = Object.values(endpoints)
    .slice(0, MAX_ENDPOINTS)
    .flatMap((endpoint) => {
      const found = ENDPOINT.safeParse(endpoint)
      return found.success ? found.data.call.mediaStreams.slice(0, MAX_STREAMS) : []
    })
  return streams.flatMap((stream) => {
    const found = STREAM.safeParse(stream)
    if (!found.success || found.data.type !== 'audio') return []
    return parseSource(found.data.sourceId) ?? []
  })
}
