import type { WireCaption } from '../../wire/wire-types.ts'
import type { Recognition } from './main-channel.ts'

/** Finds out which utterance a recognition is about, and which version of it. */
export interface UtteranceTracker {
  /** Null for a message that has been overtaken or came twice. */
  track(recognition: Recognition): WireCaption | null
}

type Utterance = {
  captionId: string
  ticks: number | null
  text: string
  version: number
  isFinal: boolean
}

/** What somebody said lately, newest last, and the last message about it. */
type Speaker = { stream: string; count: number; recent: Utterance[] }

/** More people than that do not speak in turn; the one who was silent longest is forgotten. */
const MAX_SPEAKERS = 500
/** The last version of an utterance may come after the first of the next. */
const MAX_RECENT = 4
const MAX_COMPARED = 200
/** Keeps a caption's id, which also names its speaker, below what the segmenter keeps. */
const MAX_STREAM_CHARS = 60

/**
 * An utterance is what one speaker says until the mark for the last version. The time at which it began is
 * the same in all its messages, as far as has been seen; since nothing promises that, another time alone
 * begins a new utterance only when the words are others too.
 */
export function createUtteranceTracker(): UtteranceTracker {
  const speakers = new Map<string, Speaker>()
  let begun = 0

  function begin({ recent }: Speaker, recognition: Recognition): Utterance {
    begun += 1
    const { speakerId, stream, count, ticks } = recognition
    const key = ticks ?? `${stream.slice(0, MAX_STREAM_CHARS)}/${count === -1 ? begun : count}`
    const captionId = `${speakerId}/${key}`
    const utterance = { captionId, ticks, text: '', version: 0, isFinal: false }
    recent.push(utterance)
    if (recent.length > MAX_RECENT) recent.shift()
    return utterance
  }
  /** Whoever spoke last is last. */
  function speakerOf(id: string): Speaker {
    const speaker = speakers.get(id) ?? { stream: '', count: -1, recent: [] }
    speakers.delete(id)
    speakers.set(id, speaker)
    if (speakers.size > MAX_SPEAKERS) speakers.delete(speakers.keys().next().value ?? '')
    return speaker
  }

  return {
    track(recognition) {
      const { speakerId, speakerName, stream, count, text, ticks, language } = recognition
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
      return { captionId, speakerId, ...name, text, version, isFinal, language }
    },
  }
}

function findIn({ recent }: Speaker, { ticks, text }: Recognition): Utterance | undefined {
  const sameTime = recent.findLast((utterance) => ticks !== null && utterance.ticks === ticks)
  const last = recent.at(-1)
  if (sameTime || !last || last.isFinal) return sameTime
  const isTimed = ticks !== null && last.ticks !== null
  return !isTimed || haveCommonPrefix(last.text, text) ? last : undefined
}

/** Recognition revises the end of what it heard: a third of the shorter text at least has stayed. */
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
