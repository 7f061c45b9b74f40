import { MAX_WIRE_ID_CHARS } from '../../wire/wire-types.ts'
import { decodeSuccess, decodeFailure, type DecodeResult } from '../../wire/decode-result.ts'
import {
  readNumberField,
  decodeFields,
  readTextField,
  encodeFields,
  type EncodableProtobufField,
} from './protobuf.ts'
import { decodeBase64 } from './decode-roster.ts'

const MAX_BYTES = 256 * 1_024
const DEVICE = /spaces\/[\w-]{1,80}\/devices\/[\w-]{1,32}/
const SESSION = /mediasessions\/[\w-]{1,80}/

/** `isFlaggedAsBot`: Google Meet suspects an automated client and will probably refuse it. */
export type OwnDevice = { deviceId: string; isFlaggedAsBot: boolean }

/** Decodes the response of CreateMeetingDevice. The position of the own device varies between versions. */
export function decodeOwnDevice(body: string): DecodeResult<OwnDevice> {
  const bytes = decodeBase64(body, MAX_BYTES)
  if (!bytes.isDecoded) return bytes
  const fields = decodeFields(bytes.value)
  if (!fields.isDecoded) return fields
  const deviceId = find(DEVICE, readTextField(fields.value, 1), bytes.value)
  if (deviceId === undefined || deviceId.length > MAX_WIRE_ID_CHARS) return decodeFailure('unknown')
  return decodeSuccess({ deviceId, isFlaggedAsBot: (readNumberField(fields.value, 36) ?? 0) !== 0 })
}

/** Decodes the response of GetMediaSession: the session name, which is needed to set the caption language. */
export function decodeMediaSessionName(body: string): DecodeResult<string> {
  const bytes = decodeBase64(body, MAX_BYTES)
  if (!bytes.isDecoded) return bytes
  const fields = decodeFields(bytes.value)
  if (!fields.isDecoded) return fields
  const session = find(SESSION, readTextField(fields.value, 1), bytes.value)
  return session === undefined ? decodeFailure('unknown') : decodeSuccess(session)
}

/**
 * Requests captions in a language on the channel `media-session`. `operation` increases with every request of a
 * connection.
 */
export function encodeCaptionLanguageChannelMessage(
  operation: number,
  language: string,
): Uint8Array {
  const request: EncodableProtobufField[] = [
    [1, operation],
    [3, [[1, captionConfig(language)], configMask()]],
  ]
  return encodeFields([[1, [[2, request]]]])
}

/** The body of UpdateMediaSession that sets the caption language. */
export function encodeCaptionLanguageHttpBody(session: string, language: string): Uint8Array {
  return encodeFields([
    [
      1,
      [
        [1, session],
        [3, captionConfig(language)],
      ],
    ],
    configMask(),
  ])
}

/** Acknowledges a message of the servers on the channel `media-session`. */
export function encodeMediaSessionAcknowledgement(sequence: number): Uint8Array {
  return encodeFields([
    [
      1,
      [
        [
          1,
          [
            [2, sequence],
            [3, 1],
          ],
        ],
      ],
    ],
  ])
}

function captionConfig(language: string): EncodableProtobufField[] {
  return [
    [
      9,
      [
        [1, language],
        [2, language],
      ],
    ],
  ]
}

function configMask(): EncodableProtobufField {
  return [2, [[1, 'client_config.caption_config']]]
}

function find(pattern: RegExp, first: string | undefined, all: Uint8Array): string | undefined {
  return (pattern.exec(first ?? '') ?? pattern.exec(Buffer.from(all).toString('latin1')))?.[0]
}
