import type { WireCaption } from '../../wire/facts.ts'
import type { Recognition } from './main-channel.ts'

/** Finds out which utterance a recognition is about, and which version of it. */
export interface Utterances {
  /** Null for a message that has been overtaken or came twice. */
  hear(recognition: Recognition): WireCaption | null
}

type Utterance = {
  captionId: string
  stream: string
  count: number
  ticks: number | null
  text: string
  version: number
  isFinal: boolean
}

/** More people than that do not speak in turn; the one who was silent longest is forgotten. */
const MAX_SPEAKERS = 500
const MAX_COMPARED = 200
/** Keeps a caption's id, which also names its speaker, below what the segmenter keeps. */
const MAX_STREAM_CHARS = 60

/**
 * An utterance is what one speaker says until the mark for the last version. The time at which it began is
 * the same in all its messages, as far as has been seen; since nothing promises that, another time alone
 * begins a new utterance only when the words are others too (the mark of the old one was lost).
 */
export function createUtterances(): Utterances {
  const bySpeaker = new Map<string, Utterance>()
  let begun = 0

  function begin(recognition: Recognition): Utterance {
    begun += 1
    const { speakerId, stream, count, ticks } = recognition
    const key = ticks ?? `${stream.slice(0, MAX_STREAM_CHARS)}/${count === -1 ? begun : count}`
    const captionId = `${speakerId}/${key}`
    return { captionId, stream, count: -1, ticks, text: '', version: 0, isFinal: false }
  }

  return {
    hear(recognition) {
      const { speakerId, speakerName, stream, count, text, isFinal, language } = recognition
      const known = bySpeaker.get(speakerId)
      if (known && isOld(known, recognition)) return null
      const current = known && isAbout(known, recognition) ? known : begin(recognition)
      Object.assign(current, { stream, count, text, version: current.version + 1 })
      current.ticks = recognition.ticks ?? current.ticks
      current.isFinal ||= isFinal
      bySpeaker.delete(speakerId)
      bySpeaker.set(speakerId, current)
      if (bySpeaker.size > MAX_SPEAKERS) bySpeaker.delete(bySpeaker.keys().next().value ?? '')
      const { captionId, version } = current
      const name = speakerName === undefined ? {} : { speakerName }
      return { captionId, speakerId, ...name, text, version, isFinal: current.isFinal, language }
    },
  }
}

function isOld(known: Utterance, { stream, count }: Recognition): boolean {
  return count !== -1 && stream === known.stream && count <= known.count
}

function isAbout(known: Utterance, { ticks, text }: Recognition): boolean {
  const isSameTime = ticks !== null && ticks === known.ticks
  if (known.isFinal || isSameTime) return isSameTime
  return ticks === null || known.ticks === null || beginsAlike(known.text, text)
}

/** Recognition revises the end of what it heard: a third of the shorter text at least has stayed. */
function beginsAlike(a: string, b: string): boolean {
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
