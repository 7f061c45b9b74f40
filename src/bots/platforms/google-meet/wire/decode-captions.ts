import { MAX_ID_CHARS, type WireCaption } from '../../wire/wire-types.ts'
import { decompress } from '../../wire/decompress.ts'
import { languageTag } from '../../language-tag.ts'
import { decoded, undecodable, type DecodeResult } from '../../wire/decode-result.ts'
import { languageOfId } from './caption-languages.ts'
import {
  bytesIn,
  integerIn,
  messagesAt,
  numberIn,
  decodeFields,
  textIn,
  encodeFields,
  type ProtobufFields,
} from './protobuf.ts'

/** A turn of half an hour has about 30 KB. */
const MAX_BYTES = 512 * 1_024
/** More captions than people can speak at the same time. */
const MAX_CAPTIONS = 100

/** Identifies a received message of `captions_v2`. Without an acknowledgement the servers send it again. */
export type CaptionReceipt = { id: bigint; version: bigint }

export type DecodedCaptionsV2 = { captions: WireCaption[]; receipts: CaptionReceipt[] }

/** Decodes a message of `captions`. A message without captions belongs to the channel's own protocol. */
export function decodeCaptions(bytes: Uint8Array): DecodeResult<WireCaption[]> {
  const root = decodeRoot(bytes)
  if (!root.isDecoded) return root
  if (bytesIn(root.value, 2).length > 0) return decoded([])
  const found = messagesAt(root.value, 1)
  const captions = found.slice(0, MAX_CAPTIONS).flatMap(legacyCaption)
  return captions.length === 0 ? undecodable('unknown') : decoded(captions)
}

/** Decodes a message of `captions_v2`, which has utterances at either of two nesting levels. */
export function decodeCaptionsV2(bytes: Uint8Array): DecodeResult<DecodedCaptionsV2> {
  const root = decodeRoot(bytes)
  if (!root.isDecoded) return root
  const utterances = [...messagesAt(root.value, 1), ...messagesAt(root.value, 1, 1)]
    .filter(isUtterance)
    .slice(0, MAX_CAPTIONS)
  if (utterances.length === 0) return undecodable('unknown')
  return decoded({
    captions: utterances.flatMap(utteranceCaption),
    receipts: utterances.map(receiptFor),
  })
}

/** The acknowledgement is sent on the channel that delivered the message. */
export function encodeAcknowledgement({ id, version }: CaptionReceipt): Uint8Array {
  return encodeFields([
    [
      1,
      [
        [
          1,
          [
            [1, id],
            [2, version],
            [3, 1],
          ],
        ],
      ],
    ],
  ])
}

function decodeRoot(bytes: Uint8Array): DecodeResult<ProtobufFields> {
  const plain = decompress(bytes, { maxBytes: MAX_BYTES, offsets: [0, 3] })
  return plain.isDecoded ? decodeFields(plain.value) : plain
}

/**
 * Whether this message is an utterance: a wrapper has a sub-message where an utterance has its number, and a number
 * of zero is omitted.
 */
function isUtterance(message: ProtobufFields): boolean {
  return bytesIn(message, 1).length === 0 && (message.has(1) || bytesIn(message, 3).length > 0)
}

function legacyCaption(message: ProtobufFields): WireCaption[] {
  return captionOf('captions', integerIn(message, 2) ?? 0n, {
    speakerId: textIn(message, 1),
    version: numberIn(message, 3) ?? 0,
    isFinal: isSet(message, 4),
    text: textIn(message, 6),
    language: languageOfId(numberIn(message, 8)),
  })
}

function utteranceCaption(message: ProtobufFields): WireCaption[] {
  const [body] = messagesAt(message, 3)
  if (body === undefined) return []
  return captionOf('captions_v2', integerIn(message, 1) ?? 0n, {
    speakerId: textIn(body, 6),
    version: numberIn(message, 2) ?? 0,
    isFinal: isSet(body, 9),
    text: textIn(body, 3),
    language: languageTag(textIn(body, 5) ?? textIn(body, 4) ?? ''),
  })
}

function isSet(message: ProtobufFields, number: number): boolean {
  return (numberIn(message, number) ?? 0) !== 0
}

function receiptFor(message: ProtobufFields): CaptionReceipt {
  return { id: integerIn(message, 1) ?? 0n, version: integerIn(message, 2) ?? 0n }
}

type CaptionFields = {
  speakerId: string | undefined
  version: number
  isFinal: boolean
  text: string | undefined
  language: string | null
}

/**
 * The caption id contains the channel, because each channel counts separately and the segmenter merges duplicates. It
 * also contains the device, because devices may not share a counter. Null without text.
 */
function captionOf(channel: string, id: bigint, fields: CaptionFields): WireCaption[] {
  const { speakerId, version, text, isFinal, language } = fields
  if (!speakerId || speakerId.length > MAX_ID_CHARS || !text) return []
  return [
    { captionId: `${speakerId}/${channel}/${id}`, speakerId, version, isFinal, text, language },
  ]
}
