import { z } from 'zod'
import { setNewest } from '../../../../lib/newest-entries.ts'
import { canonicalizeLanguageTag, describeTranslation } from '../../language-tag.ts'
import {
  decodeSuccess,
  decodeFailure,
  type DecodeResult,
  decompressIfCompressed,
  decodeJsonAfterPrefix,
} from '../../wire/decoding.ts'
import { MAX_WIRE_ID_CHARS, type WireCaption } from '../../wire/wire-types.ts'

const MAX_BYTES = 1_024 * 1_024

type Utterance = {
  captionId: string
  ticks: number | null
  text: string
  version: number
  isFinal: boolean
}

/** A speaker's latest utterances, newest last, and the number of the last message. */
type Speaker = { stream: string; count: number; recent: Utterance[] }

/** How many speakers are tracked. No meeting has so many; the speaker who was silent longest is dropped. */
const MAX_SPEAKERS = 500
/** How many utterances of a speaker are kept. The last version of one may arrive after the next one has begun. */
const MAX_RECENT = 4
const MAX_COMPARED = 200
/** Keeps caption ids, which contain the stream, below the segmenter's limit. */
const MAX_STREAM_CHARS = 60

/** Positions at which a compressed body may start, after a prefix of variable length. */
const OFFSETS = Array.from({ length: 17 }, (_, i) => i)
const MAX_ITEMS = 200

/** One message about an utterance. It does not say which utterance; see `createUtteranceTracker`. */
export type RecognizerMessage = {
  speakerId: string
  speakerName?: string
  /** `stream` is the speech recognizer and `count` the number of its message; -1 if it does not number its messages. */
  stream: string
  count: number
  text: string
  isFinal: boolean
  language: string | null
  /** The spoken language, if the caption is a translation. */
  translatedFrom?: string
  /** When the utterance began, in ticks of Teams. Use it only for comparisons. */
  ticks: number | null
}

export type MainChannelMessage = {
  recognitions: RecognizerMessage[]
  /** Audio sources, latest speaker first; null if the message is not about speakers. */
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

/**
 * An utterance is what one speaker says until the message marked as final. So far, all messages of an utterance
 * had the same start time. Teams does not guarantee that, so another start time begins a new utterance only if
 * the text differs too.
 */
export function createUtteranceTracker() {
  const speakers = new Map<string, Speaker>()
  let begun = 0

  function begin({ recent }: Speaker, recognition: RecognizerMessage): Utterance {
    begun += 1
    const { speakerId, stream, count, ticks } = recognition
    const key = ticks ?? `${stream.slice(0, MAX_STREAM_CHARS)}/${count === -1 ? begun : count}`
    const captionId = `${speakerId}/${key}`
    const utterance = { captionId, ticks, text: '', version: 0, isFinal: false }
    recent.push(utterance)
    if (recent.length > MAX_RECENT) recent.shift()
    return utterance
  }
  /** Finds or adds a speaker, and moves it to the end of the map, so that the first one has been silent longest. */
  function speakerOf(id: string): Speaker {
    const speaker = speakers.get(id) ?? { stream: '', count: -1, recent: [] }
    setNewest(speakers, id, speaker, MAX_SPEAKERS)
    return speaker
  }

  return {
    /** The next version of the recognition's caption; null for an outdated or repeated recognition. */
    track(recognition: RecognizerMessage): WireCaption | null {
      const { speakerId, speakerName, stream, count, text, ticks, language, translatedFrom } =
        recognition
      const speaker = speakerOf(speakerId)
      if (count !== -1 && stream === speaker.stream && count <= speaker.count) return null
      Object.assign(speaker, { stream, count })
      const current = findIn(speaker, recognition) ?? begin(speaker, recognition)
      current.text = text
      current.version += 1
      current.ticks = ticks ?? current.ticks
      current.isFinal ||= recognition.isFinal
      const { captionId, version, isFinal } = current
      const name = speakerName === undefined ? {} : { speakerName }
      const translation = translatedFrom === undefined ? {} : { translatedFrom }
      return { captionId, speakerId, ...name, text, version, isFinal, language, ...translation }
    },
  }
}

function findIn({ recent }: Speaker, { ticks, text }: RecognizerMessage): Utterance | undefined {
  const sameTime = recent.findLast((utterance) => ticks !== null && utterance.ticks === ticks)
  const last = recent.at(-1)
  if (sameTime || !last || last.isFinal) return sameTime
  const isTimed = ticks !== null && last.ticks !== null
  return !isTimed || haveCommonPrefix(last.text, text) ? last : undefined
}

/** Recognition corrects the end of a text, so at least a third of the shorter text stays the same. */
function haveCommonPrefix(a: string, b: string): boolean {
  const [one, other] = [lettersOf(a), lettersOf(b)]
  const shorter = Math.min(one.length, other.length)
  let same = 0
  while (same < shorter && one[same] === other[same]) same += 1
  return shorter > 0 && same * 3 >= shorter
}

function lettersOf(text: string): string {
  return text
    .slice(0, MAX_COMPARED)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
}
