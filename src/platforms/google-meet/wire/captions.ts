import { MAX_ID_CHARS, type WireCaption } from '../../wire/facts.ts'
import { unpack } from '../../wire/inflate.ts'
import { languageTag } from '../../wire/language.ts'
import { read, unread, type Reading } from '../../wire/reading.ts'
import { languageOfId } from './languages.ts'
import {
  bytesIn,
  integerIn,
  messagesAt,
  numberIn,
  readFields,
  textIn,
  writeFields,
  type Fields,
} from './protobuf.ts'

/** A turn of half an hour is some 30 KB. */
const MAX_BYTES = 512 * 1_024
/** Many more captions in one message than people can speak at once. */
const MAX_CAPTIONS = 100

/** What the servers want to hear back of a message of `captions_v2`, or they send it again. */
export type Receipt = { id: bigint; version: bigint }

export type CaptionsV2 = { captions: WireCaption[]; receipts: Receipt[] }

/** A message of `captions`. Without any caption it is one of the channel's own. */
export function readCaptions(bytes: Uint8Array): Reading<WireCaption[]> {
  const root = readRoot(bytes)
  if (!root.isRead) return root
  if (bytesIn(root.value, 2).length > 0) return read([])
  const found = messagesAt(root.value, 1)
  const captions = found.slice(0, MAX_CAPTIONS).flatMap(legacyCaption)
  return captions.length === 0 ? unread('unknown') : read(captions)
}

/** A message of `captions_v2`, in which utterances have been seen at two depths. */
export function readCaptionsV2(bytes: Uint8Array): Reading<CaptionsV2> {
  const root = readRoot(bytes)
  if (!root.isRead) return root
  const utterances = [...messagesAt(root.value, 1), ...messagesAt(root.value, 1, 1)]
    .filter(isUtterance)
    .slice(0, MAX_CAPTIONS)
  if (utterances.length === 0) return unread('unknown')
  return read({
    captions: utterances.flatMap(utteranceCaption),
    receipts: utterances.map(receiptFor),
  })
}

/** Goes back on the channel on which the message came. */
export function acknowledgement({ id, version }: Receipt): Uint8Array {
  return writeFields([
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

function readRoot(bytes: Uint8Array): Reading<Fields> {
  const plain = unpack(bytes, { maxBytes: MAX_BYTES, offsets: [0, 3] })
  return plain.isRead ? readFields(plain.value) : plain
}

/** A wrapper has a message where an utterance has its number; a number of zero is not written at all. */
function isUtterance(message: Fields): boolean {
  return bytesIn(message, 1).length === 0 && (message.has(1) || bytesIn(message, 3).length > 0)
}

function legacyCaption(message: Fields): WireCaption[] {
  return captionOf('captions', integerIn(message, 2) ?? 0n, {
    speakerId: textIn(message, 1),
    version: numberIn(message, 3) ?? 0,
    isFinal: isSet(message, 4),
    text: textIn(message, 6),
    language: languageOfId(numberIn(message, 8)),
  })
}

function utteranceCaption(message: Fields): WireCaption[] {
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

function isSet(message: Fields, number: number): boolean {
  return (numberIn(message, number) ?? 0) !== 0
}

function receiptFor(message: Fields): Receipt {
  return { id: integerIn(message, 1) ?? 0n, version: integerIn(message, 2) ?? 0n }
}

type Told = {
  speakerId: string | undefined
  version: number
  isFinal: boolean
  text: string | undefined
  language: string | null
}

/**
 * The channel is part of the id: the two count on their own, and the segmenter unites what both carry. So is
 * the device, as nothing says that devices share one count. Without words there is no caption.
 */
function captionOf(channel: string, id: bigint, told: Told): WireCaption[] {
  const { speakerId, version, text, isFinal, language } = told
  if (!speakerId || speakerId.length > MAX_ID_CHARS || !text) return []
  return [
    { captionId: `${speakerId}/${channel}/${id}`, speakerId, version, isFinal, text, language },
  ]
}
