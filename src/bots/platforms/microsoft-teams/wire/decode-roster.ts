import { z } from 'zod'
import { MAX_WIRE_ID_CHARS, type WireParticipant } from '../../wire/wire-types.ts'
import { decompressIfCompressed } from '../../wire/decompress.ts'
import { decodeSuccess, decodeFailure, type DecodeResult } from '../../wire/decode-result.ts'
import { parseSource } from '../../wire/source-speakers.ts'
import { parseJsonText } from './decode-json.ts'

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

/** Decodes a body of the socket: plain JSON, or compressed and in base64. */
export function decodeSocketBody(body: string): DecodeResult<unknown> {
  if (body.length > MAX_BYTES * 1.5) return decodeFailure('too large')
  if (/^\s*[[{]/.test(body)) return parseJsonText(body)
  if (!/^[\w+/=\s-]+$/.test(body)) return decodeFailure('malformed')
  const plain = decompressIfCompressed(Buffer.from(body, 'base64'), { maxBytes: MAX_BYTES })
  return plain.isDecoded ? parseJsonText(new TextDecoder().decode(plain.value)) : plain
}

/**
 * The participants that changed; right after the join, all participants. An entry without a name is a service, not a
 * person.
 */
export function decodeRosterUpdate(body: string): DecodeResult<WireParticipant[]> {
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

/** A participant has one endpoint for each device. One that is not in the call has no streams. */
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
