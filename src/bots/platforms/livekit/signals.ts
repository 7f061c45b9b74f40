import { tryParseJson } from '../../../lib/text/try-parse-json.ts'
import type { IceCandidate } from '../sound-call/sound-page.ts'
import type { IceServer } from '../sound-call/turn-servers.ts'
import {
  decodeFields,
  encodeProtobuf,
  findSubMessages,
  readBytesFields,
  readNumberField,
  readTextField,
  type DecodedProtobufFields,
  type ProtobufField,
} from '../wire/protobuf.ts'
import { MAX_WIRE_ID_CHARS } from '../wire/wire-types.ts'

/** A participant, as the server describes it. */
export type RoomMember = {
  /** The id of this stay in the room. */
  sid: string
  /** The id that a participant keeps when it joins again. */
  identity: string
  name: string
  isPresent: boolean
  isHost: boolean
  /** By the clock of the server. */
  joinedAtMs: number
  mayWrite: boolean
  audioTracks: Array<{ sid: string; isEncrypted: boolean }>
}

export type SignalTarget = 'publisher' | 'subscriber'

/** Whether the server expects the bot after it was told to leave. */
export type LeaveAction = 'leave' | 'resume' | 'join again'

/** A message of the server that the bot understands. */
export type ServerSignal =
  | { type: 'join'; self: RoomMember; others: RoomMember[]; iceServers: IceServer[] }
  | { type: 'resumed' }
  | { type: 'offer' | 'answer'; sdp: string; id: number }
  | { type: 'candidate'; candidate: IceCandidate; target: SignalTarget }
  | { type: 'members'; members: RoomMember[] }
  | { type: 'leave'; reason: number; action: LeaveAction }
  | { type: 'new token'; token: string }

const MAX_NAME_CHARS = 300
const MAX_SDP_CHARS = 400_000
const MAX_MEMBERS = 10_000
const MAX_TRACKS = 50
const MAX_TOKEN_CHARS = 20_000

/** Field numbers of messages from the server, and of messages to it. */
const FROM = {
  join: 1,
  answer: 2,
  offer: 3,
  trickle: 4,
  update: 5,
  leave: 8,
  token: 16,
  reconnect: 19,
}
const TO = { offer: 1, answer: 2, trickle: 3, subscription: 6, leave: 8, syncState: 12, ping: 16 }
const DISCONNECTED = 3
const AUDIO = 0
const CLIENT_INITIATED = 1

/** Parses a message of the server; null if it is invalid or of a kind that the bot does not need. */
export function parseServerSignal(bytes: Uint8Array): ServerSignal | null {
  const decoded = decodeFields(bytes)
  if (!decoded.isDecoded) return null
  const signal = decoded.value
  const part = (field: number) => findSubMessages(signal, field)[0]

  const join = part(FROM.join)
  if (join !== undefined) {
    const [self] = readMembers(join, 2)
    if (self === undefined) return null
    return { type: 'join', self, others: readMembers(join, 3), iceServers: readIceServers(join) }
  }
  if (part(FROM.reconnect) !== undefined) return { type: 'resumed' }
  for (const type of ['offer', 'answer'] as const) {
    const description = part(FROM[type])
    const sdp = description && readTextField(description, 2)
    if (description !== undefined && sdp !== undefined && sdp.length <= MAX_SDP_CHARS)
      return { type, sdp, id: readNumberField(description, 3) ?? 0 }
  }
  const trickle = part(FROM.trickle)
  if (trickle !== undefined) return readTrickle(trickle)
  const update = part(FROM.update)
  if (update !== undefined) return { type: 'members', members: readMembers(update, 1) }
  const leave = part(FROM.leave)
  if (leave !== undefined)
    return { type: 'leave', reason: readNumberField(leave, 2) ?? 0, action: readAction(leave) }
  const token = readTextField(signal, FROM.token)
  return token === undefined || token.length > MAX_TOKEN_CHARS ? null : { type: 'new token', token }
}

/** Older servers say only whether the bot may connect again. */
function readAction(leave: DecodedProtobufFields): LeaveAction {
  const action = readNumberField(leave, 3) ?? 0
  if (action === 1) return 'resume'
  return action === 2 || readNumberField(leave, 1) === 1 ? 'join again' : 'leave'
}

function readTrickle(trickle: DecodedProtobufFields): ServerSignal | null {
  const given = tryParseJson(readTextField(trickle, 1) ?? '') as Partial<IceCandidate> | undefined
  if (typeof given?.candidate !== 'string' || given.candidate.length > 1_000) return null
  const { candidate, sdpMid, sdpMLineIndex } = given
  return {
    type: 'candidate',
    target: (readNumberField(trickle, 2) ?? 0) === 1 ? 'subscriber' : 'publisher',
    candidate: {
      candidate,
      ...(typeof sdpMid === 'string' && { sdpMid: sdpMid.slice(0, 100) }),
      ...(Number.isInteger(sdpMLineIndex) && { sdpMLineIndex }),
    },
  }
}

function readMembers(message: DecodedProtobufFields, field: number): RoomMember[] {
  return readBytesFields(message, field)
    .slice(0, MAX_MEMBERS)
    .flatMap((bytes) => {
      const member = decodeFields(bytes)
      return member.isDecoded ? readMember(member.value) : []
    })
}

function readMember(member: DecodedProtobufFields): RoomMember[] {
  const [sid, identity] = [readTextField(member, 1) ?? '', readTextField(member, 2) ?? '']
  if (sid === '' || identity === '') return []
  if (sid.length > MAX_WIRE_ID_CHARS || identity.length > MAX_WIRE_ID_CHARS) return []
  const [permission] = findSubMessages(member, 11)
  // La Suite Meet names the role of a participant there.
  const isHost = findSubMessages(member, 15).some(
    (attribute) =>
      readTextField(attribute, 1) === 'room_role' &&
      ['owner', 'administrator'].includes(readTextField(attribute, 2) ?? ''),
  )
  return [
    {
      sid,
      identity,
      // The identity is also what LiveKit's own pages show of a participant without a name.
      name: (readTextField(member, 9) || identity).slice(0, MAX_NAME_CHARS),
      isPresent: (readNumberField(member, 3) ?? 0) !== DISCONNECTED,
      isHost,
      joinedAtMs: readNumberField(member, 17) ?? (readNumberField(member, 6) ?? 0) * 1_000,
      mayWrite: permission === undefined || readNumberField(permission, 3) === 1,
      audioTracks: readBytesFields(member, 4).slice(0, MAX_TRACKS).flatMap(readAudioTrack),
    },
  ]
}

function readAudioTrack(bytes: Uint8Array): RoomMember['audioTracks'] {
  const track = decodeFields(bytes)
  if (!track.isDecoded || (readNumberField(track.value, 2) ?? AUDIO) !== AUDIO) return []
  const sid = readTextField(track.value, 1) ?? ''
  if (sid === '' || sid.length > MAX_WIRE_ID_CHARS) return []
  return [{ sid, isEncrypted: (readNumberField(track.value, 16) ?? 0) !== 0 }]
}

function readIceServers(join: DecodedProtobufFields): IceServer[] {
  return findSubMessages(join, 5)
    .slice(0, 20)
    .map((server) => ({
      urls: readBytesFields(server, 1)
        .slice(0, 20)
        .map((url) => Buffer.from(url).toString().slice(0, 300)),
      username: readTextField(server, 2)?.slice(0, 500),
      credential: readTextField(server, 3)?.slice(0, 500),
    }))
}

/** Messages to the server. */
export const clientSignals = {
  offer: (sdp: string, id: number) => encodeDescription(TO.offer, { type: 'offer', sdp, id }),
  answer: (sdp: string, id: number) => encodeDescription(TO.answer, { type: 'answer', sdp, id }),
  candidate: (candidate: object, target: SignalTarget) =>
    encodeProtobuf([
      [
        TO.trickle,
        [
          [1, JSON.stringify(candidate)],
          [2, target === 'subscriber' ? 1 : 0],
        ],
      ],
    ]),
  subscribe: (trackSids: readonly string[]) =>
    encodeProtobuf([[TO.subscription, encodeSubscription(trackSids)]]),
  /** Sent after a resume: what the bot listens to. */
  syncState: (trackSids: readonly string[]) =>
    encodeProtobuf([[TO.syncState, [[2, encodeSubscription(trackSids)]]]]),
  leave: () => encodeProtobuf([[TO.leave, [[2, CLIENT_INITIATED]]]]),
  ping: (nowMs: number) => encodeProtobuf([[TO.ping, [[1, Math.max(0, Math.floor(nowMs))]]]]),
}

function encodeSubscription(trackSids: readonly string[]): ProtobufField[] {
  return [...trackSids.map((sid) => [1, sid] as const), [2, true]]
}

function encodeDescription(
  field: number,
  { type, sdp, id }: { type: string; sdp: string; id: number },
): Uint8Array {
  const description: ProtobufField[] = [
    [1, type],
    [2, sdp],
  ]
  // The server ignores an answer to an older offer of its own.
  if (id !== 0) description.push([3, id])
  return encodeProtobuf([[field, description]])
}
