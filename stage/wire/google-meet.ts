import { gzipSync } from 'node:zlib'
import { languageId } from './languages.ts'
import { encode, numberAt, textAt, type Field } from './protobuf.ts'

export type WireCaption = {
  deviceId: string
  utteranceId: number
  version: number
  text: string
  /** The captions' language. `spokenLanguage` differs from it if they are translated. */
  language: string
  spokenLanguage?: string
  isFinal: boolean
}

export const USER_STATUS = { inCall: 1, gone: 6, removed: 7 } as const

export type WireUser = {
  deviceId: string
  name: string
  avatar: string
  status: keyof typeof USER_STATUS
  isSelf: boolean
  isHost: boolean
  /** Set for a shared screen, which appears as a second device of its presenter. */
  parentDeviceId?: string
}

export type WireChat = { messageId: string; deviceId: string; atMs: number; text: string }

/** A media stream and its device. The id of an audio stream is its contributing source. */
export type WireStream = {
  streamId: number
  deviceId: string
  isVideo?: boolean
  isDisabled?: boolean
}

/** Always 28 characters long. */
const MEDIA_SESSION = 'stage-media-session-00000001'

/** A message of the channel `captions`. Field 4 is present only in the final version. */
export function captionMessage(caption: WireCaption): Uint8Array {
  const { deviceId, utteranceId, version, text, language, isFinal } = caption
  const fields: Field[] = [
    [1, deviceId],
    [2, utteranceId],
    [3, version],
    ...(isFinal ? [[4, true] as const] : []),
    [6, text],
    [8, languageId(language)],
  ]
  return encode([[1, fields]])
}

/** A message of the channel `captions_v2`. The platform uses both nesting depths. */
export function captionV2Message(caption: WireCaption, wrappers: 1 | 2): Uint8Array {
  const { deviceId, utteranceId, version, text, language, isFinal } = caption
  const body: Field[] = [
    [3, text],
    [4, caption.spokenLanguage ?? language],
    [5, language],
    [6, deviceId],
    ...(isFinal ? [[9, true] as const] : []),
  ]
  const utterance: Field[] = [
    [1, utteranceId],
    [2, version],
    [3, body],
  ]
  return encode([[1, wrappers === 1 ? utterance : [[1, utterance]]]])
}

/** Reads the client's acknowledgement of a `captions_v2` message; null for other messages. */
export function readAcknowledgement(bytes: Uint8Array): { id: number; version: number } | null {
  const [id, version] = [numberAt(bytes, 1, 1, 1), numberAt(bytes, 1, 1, 2)]
  if (id === undefined || version === undefined || numberAt(bytes, 1, 1, 3) !== 1) return null
  return { id, version }
}

/** Reads the caption language that a client requests on `media-session`, and the number to acknowledge. */
export function readLanguageRequest(
  bytes: Uint8Array,
): { operation: number; language: string } | null {
  const operation = numberAt(bytes, 1, 2, 1)
  const language = textAt(bytes, 1, 2, 3, 1, 9, 1)
  return operation === undefined || language === undefined ? null : { operation, language }
}

/** Reads the caption language from the body of an UpdateMediaSession call. */
export function readLanguageUpdate(bytes: Uint8Array): string | undefined {
  return textAt(bytes, 1, 3, 9, 1)
}

export function sessionAcknowledgement(sequence: number): Uint8Array {
  return encode([
    [
      1,
      [
        [
          1,
          [
            [2, sequence],
            [3, true],
          ],
        ],
      ],
    ],
  ])
}

/** A gzipped message of the channel `collections`: changed users, chat messages, and the device of each stream. */
export function collectionsMessage(change: {
  eventNumber: number
  users?: readonly WireUser[]
  chats?: readonly WireChat[]
  streams?: readonly WireStream[]
}): Uint8Array {
  const { eventNumber, users = [], chats = [], streams = [] } = change
  const outputs = streams.map(({ streamId, deviceId, isVideo, isDisabled }): Field => [
    2,
    [
      [2, isVideo ? 2 : 1],
      [4, String(streamId)],
      [6, deviceId],
      [10, [[1, isDisabled ?? false]]],
    ],
  ])
  const people: Field[] = [
    [1, [[1, eventNumber]]],
    ...users.map((user): Field => [2, userFields(user)]),
  ]
  const written = chats.map((chat): Field => [4, [[2, chatFields(chat)]]])
  const body: Field[] = [
    ...(outputs.length > 0 ? [[3, outputs] as const] : []),
    [13, [[1, people], ...written]],
  ]
  return gzipSync(encode([[1, [[2, body]]]]))
}

/** The response of SyncMeetingSpaceCollections: all users, in base64. */
export function encodeRoster(users: readonly WireUser[]): string {
  const list = users.map((user): Field => [2, userFields(user)])
  return Buffer.from(encode([[2, [[2, list]]]])).toString('base64')
}

/** The response of GetMediaSession: the session's name, which UpdateMediaSession needs. */
export function encodeMediaSession(): string {
  return Buffer.from(encode([[1, `mediasessions/${MEDIA_SESSION}`]])).toString('base64')
}

/** The response of CreateMeetingDevice: the client's device, and how strongly the platform suspects a bot. */
export function encodeOwnDevice(deviceId: string, suspicion: number): string {
  const fields: Field[] = [[1, deviceId], ...(suspicion > 0 ? [[36, suspicion] as const] : [])]
  return Buffer.from(encode(fields)).toString('base64')
}

function userFields(user: WireUser): Field[] {
  const { deviceId, name, avatar, status, isSelf, isHost, parentDeviceId } = user
  return [
    [1, deviceId],
    [2, name],
    [3, avatar],
    [4, USER_STATUS[status]],
    ...(isSelf ? [[7, deviceId] as const] : []),
    ...(parentDeviceId === undefined ? [] : [[21, parentDeviceId] as const]),
    [29, name],
    ...(isHost ? [[34, true] as const] : []),
  ]
}

function chatFields({ messageId, deviceId, atMs, text }: WireChat): Field[] {
  return [
    [1, messageId],
    [2, deviceId],
    [3, atMs],
    [5, [[1, text]]],
  ]
}
