import {
  decompressIfCompressed,
  decodeSuccess,
  decodeFailure,
  type DecodeResult,
} from '../../wire/decoding.ts'
import { parseSource } from '../../wire/wire-roster.ts'
import {
  MAX_WIRE_ID_CHARS,
  type RosterPresence,
  type WireParticipant,
} from '../../wire/wire-types.ts'
import {
  findSubMessages,
  readNumberField,
  decodeFields,
  readTextField,
  type DecodedProtobufFields,
} from '../../wire/protobuf.ts'

/** The largest accepted roster message: several thousand participants with long names and picture URLs. */
const MAX_BYTES = 4 * 1_024 * 1_024
const MAX_PEOPLE = 5_000

const MAX_STREAMS = 5_000
/** The kind of audio streams. */
const AUDIO = 1

const PRESENCE: Readonly<Record<number, RosterPresence>> = { 1: 'here', 6: 'gone', 7: 'removed' }

/** Decodes a message of `collections`: the participants that changed, often none. `root` has its outermost fields. */
export function decodeRosterChanges(root: DecodedProtobufFields): DecodeResult<WireParticipant[]> {
  if (findSubMessages(root, 1).length === 0) return decodeFailure('unknown')
  return decodeSuccess(peopleOf(findSubMessages(root, 1, 2, 13, 1, 2)))
}

/**
 * The audio streams in a message of `collections`: each stream's contributing source and device. Muted streams are
 * listed too, because their devices keep them.
 */
export function decodeAudioStreams(
  root: DecodedProtobufFields,
): Array<{ source: number; deviceId: string }> {
  return findSubMessages(root, 1, 2, 3, 2)
    .slice(0, MAX_STREAMS)
    .flatMap((stream) => {
      const source = parseSource(readTextField(stream, 4))
      const deviceId = readTextField(stream, 6)
      const isAudio = readNumberField(stream, 2) === AUDIO
      if (!isAudio || source === null || !deviceId || deviceId.length > MAX_WIRE_ID_CHARS) return []
      return [{ source, deviceId }]
    })
}

/** Decodes the SyncMeetingSpaceCollections response: all participants. At least the bot must be in the list. */
export function decodeFullRoster(body: string): DecodeResult<WireParticipant[]> {
  const bytes = decodeBase64(body, MAX_BYTES)
  if (!bytes.isDecoded) return bytes
  const root = decodeCollectionsRoot(bytes.value)
  if (!root.isDecoded) return root
  const people = peopleOf(findSubMessages(root.value, 2, 2, 2))
  return people.length === 0 ? decodeFailure('unknown') : decodeSuccess(people)
}

/** Decodes base64 or base64url text. White space is skipped; any other foreign character makes the text malformed. */
export function decodeBase64(text: string, maxBytes: number): DecodeResult<Uint8Array> {
  if (text.length > maxBytes * 1.5) return decodeFailure('too large')
  if (!/^[\w+/=\s-]*$/.test(text)) return decodeFailure('malformed')
  return decodeSuccess(Buffer.from(text, 'base64'))
}

/** The outermost fields of a message about participants or chat. The message may be compressed. */
export function decodeCollectionsRoot(bytes: Uint8Array): DecodeResult<DecodedProtobufFields> {
  const plain = decompressIfCompressed(bytes, { maxBytes: MAX_BYTES, offsets: [0, 3] })
  return plain.isDecoded ? decodeFields(plain.value) : plain
}

function peopleOf(users: readonly DecodedProtobufFields[]): WireParticipant[] {
  return users.slice(0, MAX_PEOPLE).flatMap(personOf)
}

function personOf(user: DecodedProtobufFields): WireParticipant[] {
  const id = readTextField(user, 1)
  if (!id || id.length > MAX_WIRE_ID_CHARS) return []
  const name = readTextField(user, 2) || readTextField(user, 29)
  const parentId = readTextField(user, 21)
  const host = readNumberField(user, 34)
  return [
    {
      id,
      presence: PRESENCE[readNumberField(user, 4) ?? 0] ?? 'unsaid',
      ...(name && { name }),
      ...(host !== undefined && { isHost: host !== 0 }),
      ...(readTextField(user, 7) && { isSelf: true }),
      ...(parentId && { parentId }),
    },
  ]
}
