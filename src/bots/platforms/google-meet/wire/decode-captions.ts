import { canonicalizeLanguageTag, describeTranslation } from '../../language-tag.ts'
import {
  decodeSuccess,
  decodeFailure,
  type DecodeResult,
  decompressIfCompressed,
} from '../../wire/decoding.ts'
import { MAX_WIRE_ID_CHARS, type WireCaption } from '../../wire/wire-types.ts'
import {
  readBytesFields,
  readBigIntField,
  findSubMessages,
  readNumberField,
  decodeFields,
  readTextField,
  type DecodedProtobufFields,
} from '../../wire/protobuf.ts'

/** The largest accepted caption message. A half-hour turn of one speaker has about 30 KB. */
const MAX_BYTES = 512 * 1_024
/** The limit of captions in one message. Fewer people can speak at the same time. */
const MAX_CAPTIONS = 100

/** Language numbers of the older caption format. Later entries have the language's most common region. */
const LANGUAGES: Readonly<Record<number, string>> = {
  1: 'en-US',
  2: 'es-MX',
  3: 'es-ES',
  4: 'pt-BR',
  5: 'fr-FR',
  6: 'de-DE',
  7: 'it-IT',
  8: 'nl-NL',
  9: 'ja-JP',
  10: 'ru-RU',
  11: 'ko-KR',
  17: 'pt-PT',
  18: 'hi-IN',
  19: 'en-IN',
  20: 'en-GB',
  21: 'en-CA',
  22: 'en-AU',
  24: 'sv-SE',
  25: 'nb-NO',
  34: 'zh-CN',
  35: 'zh-TW',
  37: 'th-TH',
  38: 'tr-TR',
  39: 'pl-PL',
  40: 'ro-RO',
  41: 'id-ID',
  42: 'vi-VN',
  44: 'uk-UA',
  47: 'ar-EG',
  93: 'cs-CZ',
  94: 'da-DK',
  95: 'fi-FI',
  101: 'el-GR',
  105: 'he-IL',
  106: 'hu-HU',
}

/** Decodes a message of `captions`. A message without captions belongs to the channel's own protocol. */
export function decodeCaptions(bytes: Uint8Array): DecodeResult<WireCaption[]> {
  const root = decodeRoot(bytes)
  if (!root.isDecoded) return root
  if (readBytesFields(root.value, 2).length > 0) return decodeSuccess([])
  const found = findSubMessages(root.value, 1)
  const captions = found.slice(0, MAX_CAPTIONS).flatMap(legacyCaption)
  return captions.length === 0 ? decodeFailure('unknown') : decodeSuccess(captions)
}

/** Decodes a message of `captions_v2`, which has utterances at either of two nesting levels. */
export function decodeCaptionsV2(bytes: Uint8Array): DecodeResult<WireCaption[]> {
  const root = decodeRoot(bytes)
  if (!root.isDecoded) return root
  const utterances = [...findSubMessages(root.value, 1), ...findSubMessages(root.value, 1, 1)]
    .filter(isUtterance)
    .slice(0, MAX_CAPTIONS)
  if (utterances.length === 0) return decodeFailure('unknown')
  return decodeSuccess(utterances.flatMap(utteranceCaption))
}

function decodeRoot(bytes: Uint8Array): DecodeResult<DecodedProtobufFields> {
  const plain = decompressIfCompressed(bytes, { maxBytes: MAX_BYTES, offsets: [0, 3] })
  return plain.isDecoded ? decodeFields(plain.value) : plain
}

/** True for an utterance. A wrapper has a sub-message where an utterance has its number, and a zero is omitted. */
function isUtterance(message: DecodedProtobufFields): boolean {
  return (
    readBytesFields(message, 1).length === 0 &&
    (message.has(1) || readBytesFields(message, 3).length > 0)
  )
}

function legacyCaption(message: DecodedProtobufFields): WireCaption[] {
  return captionOf('captions', readBigIntField(message, 2) ?? 0n, {
    speakerId: readTextField(message, 1),
    version: readNumberField(message, 3) ?? 0,
    isFinal: isSet(message, 4),
    text: readTextField(message, 6),
    language: captionLanguageOfId(readNumberField(message, 8)),
  })
}

function utteranceCaption(message: DecodedProtobufFields): WireCaption[] {
  const [body] = findSubMessages(message, 3)
  if (body === undefined) return []
  const spoken = canonicalizeLanguageTag(readTextField(body, 4) ?? '')
  const language = canonicalizeLanguageTag(readTextField(body, 5) ?? '') ?? spoken
  const captions = captionOf('captions_v2', readBigIntField(message, 1) ?? 0n, {
    speakerId: readTextField(body, 6),
    version: readNumberField(message, 2) ?? 0,
    isFinal: isSet(body, 9),
    text: readTextField(body, 3),
    language,
  })
  return captions.map((caption) => ({ ...caption, ...describeTranslation(language, spoken) }))
}

function isSet(message: DecodedProtobufFields, number: number): boolean {
  return (readNumberField(message, number) ?? 0) !== 0
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
 * also contains the device, because devices may not share a counter. Empty if there is no text.
 */
function captionOf(channel: string, id: bigint, fields: CaptionFields): WireCaption[] {
  const { speakerId, version, text, isFinal, language } = fields
  if (!speakerId || speakerId.length > MAX_WIRE_ID_CHARS || !text) return []
  const captionId = `${speakerId}/${channel}/${id}`
  return [{ captionId, channel, speakerId, version, isFinal, text, language }]
}

function captionLanguageOfId(id: number | undefined): string | null {
  return id === undefined ? null : (LANGUAGES[id] ?? null)
}
