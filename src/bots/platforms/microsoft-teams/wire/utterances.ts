import type { WireCaption } from '../../wire/wire-types.ts'
import type { RecognizerMessage } from './main-channel.ts'

/** Assigns recognitions to utterances and numbers their versions. */
export interface UtteranceTracker {
  /** The next version of the caption that the recognition belongs to; null for an outdated or repeated recognition. */
  track(recognition: RecognizerMessage): WireCaption | null
}

type Utterance = {
  captionId: string
  ticks: number | null
  text: string
  version: number
  isFinal: boolean
}

/** The latest utterances of a speaker, newest last, and the number of the last message. */
type Speaker = { stream: string; count: number; recent: Utterance[] }

/** How many speakers are tracked, more than any meeting has. Beyond it, the one who was silent longest is dropped. */
const MAX_SPEAKERS = 500
/**
 * How many utterances of a speaker are kept, because the last version of one may arrive after the first of the next.
 */
const MAX_RECENT = 4
const MAX_COMPARED = 200
/** Keeps caption ids, which contain the stream, below the limit of the segmenter. */
const MAX_STREAM_CHARS = 60

/**
 * An utterance is what one speaker says until the message marked as final. So far all messages of an utterance had
 * the same start time; since Teams does not guarantee that, another start time begins a new utterance only when the
 * text differs too.
 */
export function createUtteranceTracker(): UtteranceTracker {
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
  /** Finds or adds a speaker and moves it to the end of the map, so that the first one has been silent longest. */
  function speakerOf(id: string): Speaker {
    const speaker = speakers.get(id) ?? { stream: '', count: -1, recent: [] }
    speakers.delete(id)
    speakers.set(id, speaker)
    if (speakers.size > MAX_SPEAKERS) speakers.delete(speakers.keys().next().value ?? '')
    return speaker
  }

  return {
    track(recognition) {
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
