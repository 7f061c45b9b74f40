import { z } from 'zod'
import type { WireParticipant } from '../../wire/wire-types.ts'
import { decodeSuccess, decodeFailure, type DecodeResult } from '../../wire/decode-result.ts'
import type { PlatformEndReason } from '../../platform.ts'
import { parseJsonText } from './decode-json.ts'
import { decodeSocketBody, decodeRosterUpdate } from './decode-roster.ts'

/** A frame of the socket. `callId` identifies the call, because a page also gets frames of other calls. */
export type SocketFrame =
  | { kind: 'roster'; callId: string; people: WireParticipant[] }
  | { kind: 'end'; callId: string; end: ConversationEnd }
  | { kind: 'other' }

export type ConversationEnd = { subCode: number | null; senderId: string | null }

const MESSAGE = '3:::'
const MAX_CHARS = 12 * 1_024 * 1_024
const CALL_ID = 'x-microsoft-skype-chain-id'

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
 * Why Teams ended the call for the bot. A removal without a sender counts as ended by the host, because only a
 * participant can remove the bot.
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

/** The frame that ends a call. It ends the call also when its body cannot be decoded. */
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
