import type { ReceivedTrafficMessage } from '../../bridge/messages.ts'
import type { TrafficFilter } from '../../bridge/build-scripts.ts'
import type { WireUpdate, WireReader } from '../../wire/wire-reader.ts'
import type { WireParticipant } from '../../wire/wire-types.ts'
import { createSourceSpeakers } from '../../wire/source-speakers.ts'
import { createWireRoster } from '../../wire/wire-roster.ts'
import type { DecodeResult } from '../../wire/decode-result.ts'
import { decodeCaptions, decodeCaptionsV2 } from './decode-captions.ts'
import { decodeChatMessages } from './decode-chat.ts'
import {
  decodeAudioStreams,
  decodeCollectionsRoot,
  decodeFullRoster,
  decodeRosterChanges,
} from './decode-roster.ts'
import { decodeOwnDevice } from './media-session.ts'

export const GOOGLE_MEET_TRAFFIC_FILTER: TrafficFilter = {
  hosts: ['meet.google.com'],
  channels: ['captions', 'captions_v2', 'collections'],
  sockets: [],
  calls: ['SyncMeetingSpaceCollections', 'CreateMeetingDevice'],
}

const UNDECODED: WireUpdate = { isUndecoded: true }

/** Decodes the messages that a Google Meet page receives. It only listens; the page's own client acknowledges them. */
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
  function ownDevice(body: string): WireUpdate {
    const decoded = decodeOwnDevice(body)
    if (!decoded.isDecoded) return UNDECODED
    participants.setSelf(decoded.value.deviceId)
    return { isFlaggedAsBot: decoded.value.isFlaggedAsBot }
  }
  const readers: Readonly<
    Record<string, (data: { text: string; bytes: Uint8Array }) => WireUpdate>
  > = {
    captions({ bytes }) {
      const decoded = decodeCaptions(bytes)
      return decoded.isDecoded ? { captions: decoded.value } : UNDECODED
    },
    captions_v2({ bytes }) {
      const decoded = decodeCaptionsV2(bytes)
      return decoded.isDecoded ? { captions: decoded.value } : UNDECODED
    },
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
