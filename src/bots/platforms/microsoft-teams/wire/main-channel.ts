import { z } from 'zod'
import { MAX_WIRE_ID_CHARS } from '../../wire/wire-types.ts'
import { decompressIfCompressed } from '../../wire/decompress.ts'
import { canonicalizeLanguageTag, describeTranslation } from '../../language-tag.ts'
import { decodeSuccess, decodeFailure, type DecodeResult } from '../../wire/decode-result.ts'
import { decodeJsonAfterPrefix } from './decode-json.ts'

const MAX_BYTES = 1_024 * 1_024
/** Positions at which a compressed body may start, after a prefix of variable length. */
const OFFSETS = Array.from({ length: 17 }, (_, i) => i)
const MAX_ITEMS = 200

/** Teams counts in steps of 100 ns since 1900. */
const TICKS_PER_MS = 10_000
const MS_1900_TO_1970 = 2_208_988_800_000

/** One message about an utterance. It does not say which utterance; see `utterances.ts`. */
export type RecognizerMessage = {
  speakerId: string
  speakerName?: string
  /**
   * `stream` is the speech recognizer and `count` the number of its message; -1 when it does not number its messages.
   */
  stream: string
  count: number
  text: string
  isFinal: boolean
  language: string | null
  /** The spoken language, when the caption is a translation. */
  translatedFrom?: string
  /** When the utterance began, in the ticks of Teams. Use it only for comparisons. */
  ticks: number | null
}

export type MainChannelMessage = {
  recognitions: RecognizerMessage[]
  /** Audio sources, latest speaker first; null when the message is not about speakers. */
  speakers: number[] | null
}

const RESULT = z.object({
  userId: z.string().min(1).max(MAX_WIRE_ID_CHARS),
  displayName: z.string().optional().catch(undefined),
  id: z.string().max(MAX_WIRE_ID_CHARS).catch(''),
  text: z.string().min(1),
  isFinal: z.boolean().catch(false),
  trackLanguage: z.string().catch(''),
  spokenLanguage: z.string().catch(''),
  timestampAudioSent: z.number().positive().nullable().catch(null),
})
const CAPTIONS = z.object({ recognitionResults: z.array(z.unknown()) })
const HISTORY = z.object({ type: z.literal('dsh'), history: z.array(z.number()) })

/** Decodes a message of `main-channel`: captions, active speakers, or an internal message (then both are empty). */
export function decodeMainChannelMessage(bytes: Uint8Array): DecodeResult<MainChannelMessage> {
  const plain = decompressIfCompressed(bytes, { maxBytes: MAX_BYTES, offsets: OFFSETS })
  if (!plain.isDecoded) return plain
  const json = decodeJsonAfterPrefix(new TextDecoder().decode(plain.value))
  if (!json.isDecoded) return json
  if (Array.isArray(json.value))
    return decodeSuccess({ recognitions: [], speakers: speakersIn(json.value) })
  const captions = CAPTIONS.safeParse(json.value)
  if (!captions.success) return decodeSuccess({ recognitions: [], speakers: null })
  const results = captions.data.recognitionResults.slice(0, MAX_ITEMS)
  const recognitions = results.flatMap(recognitionOf)
  // An empty recognition is normal. If no result can be read, the format is unknown.
  const isKnown = results.length === 0 || recognitions.length > 0 || results.every(isEmpty)
  return isKnown ? decodeSuccess({ recognitions, speakers: null }) : decodeFailure('unknown')
}

export function convertTeamsTicksToUnixMs(ticks: number): number {
  return Math.round(ticks / TICKS_PER_MS - MS_1900_TO_1970)
}

function speakersIn(items: readonly unknown[]): number[] | null {
  for (const item of items.slice(0, MAX_ITEMS)) {
    const found = HISTORY.safeParse(item)
    if (found.success) return found.data.history.slice(0, MAX_ITEMS)
  }
  return null
}

function isEmpty(result: unknown): boolean {
  return z.object({ userId: z.string(), text: z.literal('') }).safeParse(result).success
}

function recognitionOf(result: unknown): RecognizerMessage[] {
  const found = RESULT.safeParse(result)
  if (!found.success) return []
  const { userId, displayName, id, text, isFinal, timestampAudioSent } = found.data
  const tail = /\/(\d{1,15})$/.exec(id)
  const spoken = canonicalizeLanguageTag(found.data.spokenLanguage)
  const language = canonicalizeLanguageTag(found.data.trackLanguage) ?? spoken
  return [
    {
      speakerId: userId,
      ...(displayName && { speakerName: displayName }),
      stream: id.slice(0, tail?.index),
      count: tail ? Number(tail[1]) : -1,
      text,
      isFinal,
      language,
      ...describeTranslation(language, spoken),
      ticks: timestampAudioSent,
    },
  ]
}
