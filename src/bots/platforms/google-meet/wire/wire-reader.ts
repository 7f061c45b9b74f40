import type { TrafficFilter } from '../../bridge/build-scripts.ts'
import type { ReceivedTrafficMessage } from '../../bridge/messages.ts'
import { type DecodeResult, decodeSuccess, decodeFailure } from '../../wire/decoding.ts'
import { createSourceSpeakers, createWireRoster } from '../../wire/wire-roster.ts'
import {
  type WireUpdate,
  type WireReader,
  type WireParticipant,
  MAX_CHAT_TEXT_CHARS,
  MAX_WIRE_ID_CHARS,
  type WireChatMessage,
  type WireCaption,
} from '../../wire/wire-types.ts'
import { decodeCaptions, decodeCaptionsV2 } from './decode-captions.ts'
import {
  decodeAudioStreams,
  decodeCollectionsRoot,
  decodeFullRoster,
  decodeRosterChanges,
  decodeBase64,
} from './decode-roster.ts'
import {
  findSubMessages,
  readTextField,
  type DecodedProtobufFields,
  readNumberField,
  decodeFields,
} from '../../wire/protobuf.ts'

export const GOOGLE_MEET_TRAFFIC_FILTER: TrafficFilter = {
  hosts: ['meet.google.com'],
  channels: ['captions', 'captions_v2', 'collections'],
  sockets: [],
  calls: ['SyncMeetingSpaceCollections', 'CreateMeetingDevice'],
}

const UNDECODED: WireUpdate = { isUndecoded: true }

const MAX_MESSAGES = 500

const MAX_BYTES = 256 * 1_024
const DEVICE = /spaces\/[\w-]{1,80}\/devices\/[\w-]{1,32}/

/** `isFlaggedAsBot`: Google Meet suspects an automated client and will probably refuse it. */
type OwnDevice = { deviceId: string; isFlaggedAsBot: boolean }

/** Decodes the messages that a Google Meet page receives. It only listens: the page's own client acknowledges them. */
export function createGoogleMeetWireReader(): WireReader {
  const participants = createWireRoster()
  const sourceSpeakers = createSourceSpeakers()

  function roster(decoded: DecodeResult<WireParticipant[]>, isEverybody: boolean): WireUpdate {
    if (!decoded.isDecoded) return UNDECODED
    if (isEverybody) participants.replaceAll(decoded.value)
    else participants.applyChanges(decoded.value)
    const isRemoved = participants.ownPresence() === 'removed'
    return { hasRoster: decoded.value.length > 0, ...(isRemoved && { endReason: 'removed' }) }
  }
  function captions(decoded: DecodeResult<WireCaption[]>): WireUpdate {
    return decoded.isDecoded ? { captions: decoded.value } : UNDECODED
  }
  function ownDevice(body: string): WireUpdate {
    const decoded = decodeOwnDevice(body)
    if (!decoded.isDecoded) return UNDECODED
    participants.setSelf(decoded.value.deviceId)
    return { isFlaggedAsBot: decoded.value.isFlaggedAsBot }
  }
  const readers: Readonly<
    Record<string, (data: { text: string; bytes: Uint8Array }) => WireUpdate>
  > = {
    captions: ({ bytes }) => captions(decodeCaptions(bytes)),
    captions_v2: ({ bytes }) => captions(decodeCaptionsV2(bytes)),
    collections({ bytes }) {
      const root = decodeCollectionsRoot(bytes)
      if (!root.isDecoded) return UNDECODED
      for (const { source, deviceId } of decodeAudioStreams(root.value))
        sourceSpeakers.assign(source, deviceId)
      return {
        ...roster(decodeRosterChanges(root.value), false),
        chat: decodeChatMessages(root.value),
      }
    },
    SyncMeetingSpaceCollections: ({ text }) => roster(decodeFullRoster(text), true),
    CreateMeetingDevice: ({ text }) => ownDevice(text),
  }

  return {
    roster: participants,
    speakerIdOfSource: sourceSpeakers.speakerIdOf,
    read({ name, data }: ReceivedTrafficMessage) {
      const isText = typeof data === 'string'
      const text = isText ? data : Buffer.from(data).toString('latin1')
      const bytes = isText ? Buffer.from(data, 'latin1') : data
      const read = Object.hasOwn(readers, name) ? readers[name] : undefined
      return read?.({ text, bytes }) ?? {}
    },
  }
}

/** Decodes the chat messages in a message of `collections`; most have none. `root` has its outermost fields. */
function decodeChatMessages(root: DecodedProtobufFields): WireChatMessage[] {
  return findSubMessages(root, 1, 2, 13, 4, 2).slice(0, MAX_MESSAGES).flatMap(messageOf)
}

function messageOf(chat: DecodedProtobufFields): WireChatMessage[] {
  const [messageId, authorId] = [readTextField(chat, 1), readTextField(chat, 2)]
  const [body] = findSubMessages(chat, 5)
  const text = body === undefined ? undefined : readTextField(body, 1)
  if (!messageId || !authorId || !text) return []
  if (messageId.length > MAX_WIRE_ID_CHARS || authorId.length > MAX_WIRE_ID_CHARS) return []
  return [{ messageId, authorId, text: text.slice(0, MAX_CHAT_TEXT_CHARS) }]
}

/** Decodes the response of CreateMeetingDevice. The position of the bot's own device varies between versions. */
export function decodeOwnDevice(body: string): DecodeResult<OwnDevice> {
  const bytes = decodeBase64(body, MAX_BYTES)
  if (!bytes.isDecoded) return bytes
  const fields = decodeFields(bytes.value)
  if (!fields.isDecoded) return fields
  const deviceId = find(DEVICE, readTextField(fields.value, 1), bytes.value)
  if (deviceId === undefined || deviceId.length > MAX_WIRE_ID_CHARS) return decodeFailure('unknown')
  return decodeSuccess({ deviceId, isFlaggedAsBot: (readNumberField(fields.value, 36) ?? 0) !== 0 })
}

function find(pattern: RegExp, first: string | undefined, all: Uint8Array): string | undefined {
  return (pattern.exec(first ?? '') ?? pattern.exec(Buffer.from(all).toString('latin1')))?.[0]
}
